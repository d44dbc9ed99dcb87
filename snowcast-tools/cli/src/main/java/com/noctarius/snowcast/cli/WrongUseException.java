// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if the user's arguments, files or input are invalid; the message says what is allowed. */
final class WrongUseException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    WrongUseException(String message) {
        super(message);
    }

    WrongUseException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
