// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a sequencer, node lease or integer sequence is not in the state that a call needs, for example because it
 * is Detached, Destroyed or closed, or because its {@code HazelcastInstance} was shut down. Also thrown when a call has
 * waited in vain for a lease to be renewed or replaced, or for a {@linkplain NodeLease#generator guarded generator}
 * whose clock is behind. The call has returned no ID, but a call that fills an array may have filled a part of it.
 * Without a change, only two kinds of calls can succeed later: a call that has waited in vain, and a call that needs
 * the node ID of a node lease while the lease is acquiring another node ID. The message says which case it is.
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
