// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

/** What sequencers tell of their leases to whoever keeps them. Thread-safe; does not block. */
interface Leases {
    /** A sequencer was attached; to be called after its state shows it. */
    void attached(Sequencer sequencer, long leaseMillis);

    /** A sequencer needs something: the next look is to include it. */
    void lookAt(Sequencer sequencer);

    /** A call of a sequencer begins to wait for an extension, or for another attachment: that look is to come soon. */
    void request(Sequencer sequencer);
}
