// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.generator.GrantInUse.Lease;

/** What sequencers report of their leases to the keeper of leases. Thread-safe; does not block. */
interface HolderRegistry {
    /** A sequencer was attached; to be called after its state shows it. */
    default void attached(GrantHolder holder) {}

    /** A sequencer is no longer attached; to be called after its state shows it. */
    default void detached(GrantHolder holder) {}

    /** The cluster has answered that an incarnation was destroyed, and with it those before it. */
    default void destroyed(GrantHolder holder, long incarnation) {}

    /** A sequencer needs an extension or another attachment, and is to be looked at soon. */
    default void request(GrantHolder holder) {}

    /** Returns what extends the grants of a sequencer. */
    Lease of(GrantHolder holder);
}
