// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import org.jspecify.annotations.Nullable;

/** Where the life of sequencers is logged. */
public interface Log {
    /** Logs what operators may want to know. */
    void info(String message);

    /** Logs what operators have to know. */
    void warning(String message, @Nullable Throwable cause);
}
