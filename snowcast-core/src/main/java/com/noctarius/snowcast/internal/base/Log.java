// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/** Where the life of sequencers and integer sequences is logged. */
@FunctionalInterface
public interface Log {
    void log(Level level, String message, @Nullable Throwable cause);

    /** Logs what operators may want to know. */
    default void info(String message) {
        log(Level.INFO, message, null);
    }

    /** Logs what operators have to know. */
    default void warning(String message, @Nullable Throwable cause) {
        log(Level.WARNING, message, cause);
    }
}
