// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a sequencer is not in the state that a call needs, or cannot get there in time: it is Detached or
 * Destroyed, its {@code HazelcastInstance} was shut down, or its lease ran out while the cluster was out of reach.
 */
public class SnowcastStateException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastStateException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with the offending value and what was allowed
     * @param cause what led to it
     */
    public SnowcastStateException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
