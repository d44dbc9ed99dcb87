// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.Serial;

/** Thrown when the maximum number of streams is open. */
final class TooManyStreamsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    TooManyStreamsException(int maxStreams) {
        super("As many streams are open as " + ServerProperties.MAX_STREAMS + " allows: " + maxStreams);
    }
}
