// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The answer to a {@link RenewRequest}.
 *
 * @param ceiling the new ceiling if renewed, else 0
 */
public record RenewReply(Outcome outcome, long ceiling) {
    public enum Outcome {
        /** Continue, up to the new ceiling. */
        RENEWED,
        /** Seal and attach again: the grant no longer belongs to the holder. */
        REFUSED,
        /** Seal permanently: the sequencer was destroyed. */
        DESTROYED
    }

    public static final RenewReply REFUSED = new RenewReply(Outcome.REFUSED, 0);

    static final RenewReply DESTROYED = new RenewReply(Outcome.DESTROYED, 0);
}
