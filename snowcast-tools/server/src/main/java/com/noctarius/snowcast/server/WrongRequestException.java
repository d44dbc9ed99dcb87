// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.Serial;

/** Thrown for an invalid request; the message, which the client receives, says what is allowed. */
final class WrongRequestException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    WrongRequestException(String message) {
        super(message);
    }
}
