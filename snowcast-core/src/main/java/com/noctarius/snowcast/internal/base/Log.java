// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Where the life of sequencers and integer sequences is logged. What it throws, such as one whose disk is full or whose
 * classes are gone as an application ends, is dropped: nothing that has to be done is to depend on it.
 */
@FunctionalInterface
public interface Log {
    /** Logs; to be called by the other methods only, since it may throw. */
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
