// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.owner.Grant;
import org.jspecify.annotations.Nullable;

/** The state of a holder and its grant, which threads read together. Immutable; compared by identity. */
final class HolderState {
    final SnowcastSequenceState state;
    /** The present grant if Attached, sealed if it is to be replaced; else the last grant, or null. */
    final @Nullable HeldGrant lastGrant;
    /** The attachment of a sequencer's {@link #present} grant, so that calls need no cast; else null. */
    final @Nullable Attachment attachment;
    /** Why the holder is not Attached; empty if it is. */
    final String reason;

    /** A grant, and the object that issues or accepts IDs under it. */
    record HeldGrant(Grant grant, GrantInUse inUse) {}

    HolderState(SnowcastSequenceState state, @Nullable HeldGrant lastGrant, String reason) {
        this.state = state;
        this.lastGrant = lastGrant;
        this.reason = reason;
        HeldGrant present = present();
        this.attachment = present != null && present.inUse() instanceof Attachment ofSequencer ? ofSequencer : null;
    }

    /** Returns the present grant, sealed or not; null if the holder is not Attached. */
    @Nullable
    HeldGrant present() {
        return state == SnowcastSequenceState.Attached ? lastGrant : null;
    }

    /** Returns whether a grant, sealed or not, is the present one. */
    boolean isOf(GrantInUse grant) {
        HeldGrant present = present();
        return present != null && present.inUse() == grant;
    }

    /** Returns the incarnation of the grant; 0 if there was no grant yet. */
    long incarnation() {
        return lastGrant == null ? 0 : lastGrant.grant().incarnation();
    }

    /** Returns the present grant if it is not sealed; else null. */
    @Nullable
    HeldGrant unsealed() {
        HeldGrant present = present();
        return present == null || present.inUse().isSealed() ? null : present;
    }

    /** Returns the present grant if it is sealed, so that another must replace it; else null. */
    @Nullable
    HeldGrant sealed() {
        HeldGrant present = present();
        return present != null && present.inUse().isSealed() ? present : null;
    }

    HolderState to(SnowcastSequenceState newState, String newReason) {
        return new HolderState(newState, lastGrant, newReason);
    }
}
