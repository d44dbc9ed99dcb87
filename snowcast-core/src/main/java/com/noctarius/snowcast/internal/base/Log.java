// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of sequencers and integer sequences. Its exceptions, for example if the disk is full or its classes are
 * unloaded while an application ends, are dropped: no necessary work may depend on logging.
 */
@FunctionalInterface
public interface Log {
    /** Logs a message; only the other methods may call it, because it may throw. */
    void log(Level level, String message, @Nullable Throwable cause);

    /** Logs what operators may want to know. */
    default void info(String message) {
        logIfPossible(Level.INFO, message, null);
    }

    /** Logs what operators have to know. */
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
