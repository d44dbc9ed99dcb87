// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The answer to an {@link ExtendRequest}.
 *
 * @param ceiling the new ceiling if extended, else 0
 */
public record ExtendReply(Outcome outcome, long ceiling) {
    public enum Outcome {
        /** Continue, up to the new ceiling. */
        EXTENDED,
        /** Seal and attach again: the grant no longer belongs to the holder. */
        REFUSED,
        /** Seal permanently: the sequencer was destroyed. */
        DESTROYED
    }

    public static final ExtendReply REFUSED = new ExtendReply(Outcome.REFUSED, 0);

    static final ExtendReply DESTROYED = new ExtendReply(Outcome.DESTROYED, 0);
}
