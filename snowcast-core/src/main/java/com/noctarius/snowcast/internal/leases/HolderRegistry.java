// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/** Receives what sequencers and node leases report about their leases. Thread-safe; does not block. */
interface HolderRegistry {
    /** A sequencer was attached; to be called after its state shows it. */
    default void attached(GrantHolder holder) {}

    /** A sequencer is no longer attached; to be called after its state shows it. */
    default void detached(GrantHolder holder) {}

    /** The cluster has answered that an incarnation, and all before it, was destroyed. */
    default void destroyed(GrantHolder holder, long incarnation) {}

    /** A sequencer needs a renewal or another attachment, so check it soon. */
    default void request(GrantHolder holder) {}

    /** Returns the lease that renews the grants of a sequencer. */
    Renewer of(GrantHolder holder);
}
