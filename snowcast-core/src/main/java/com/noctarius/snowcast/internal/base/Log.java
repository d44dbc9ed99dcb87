// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of one instance of snowcast, or of one standalone sequencer. Drops exceptions of the underlying logger, for
 * example because the disk is full: no necessary work may depend on logging.
 */
@FunctionalInterface
public interface Log {
    /** Logs a message. Only the other methods may call this method, because it may throw. */
    void log(Level level, String message, @Nullable Throwable cause);

    default void info(String message) {
        logIfPossible(Level.INFO, message, null);
    }

    default void warning(String message, @Nullable Throwable cause) {
        logIfPossible(Level.WARNING, message, cause);
    }

    private void logIfPossible(Level level, String message, @Nullable Throwable cause) {
        try {
            log(level, message, cause);
        } catch (RuntimeException | Error e) {
            // A failure of the log cannot be logged.
        }
    }
}
