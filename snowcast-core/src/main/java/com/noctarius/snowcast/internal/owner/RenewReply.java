// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** The answer to a {@link RenewRequest}. {@code ceiling} is the new ceiling if the lease was renewed, else 0. */
public record RenewReply(Outcome outcome, long ceiling) {
    public enum Outcome {
        /** The holder continues, up to the new ceiling. */
        RENEWED,
        /** The cluster or database does not have the grant: the holder stops using the grant and attaches again. */
        REFUSED,
        /**
         * The holder's sequencer was destroyed, or its name has another definition now: the holder stops using its
         * grant, and does not attach again.
         */
        DESTROYED
    }

    public static final RenewReply REFUSED = new RenewReply(Outcome.REFUSED, 0);

    static final RenewReply DESTROYED = new RenewReply(Outcome.DESTROYED, 0);
}
