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
    /** The present grant if Attached, sealed or not; else null. */
    final @Nullable GrantInUse grantInUse;
    /** The {@link #grantInUse} of a sequencer, so that its calls need no cast; null for a node lease. */
    final @Nullable Attachment attachment;
    /** Why the holder is not Attached; empty if it is. */
    final String reason;

    /** A grant, and the object that issues or accepts IDs under it. */
    record HeldGrant(Grant grant, GrantInUse inUse) {}

    HolderState(SnowcastSequenceState state, @Nullable HeldGrant lastGrant, String reason) {
        this.state = state;
        this.lastGrant = lastGrant;
        this.grantInUse = state == SnowcastSequenceState.Attached && lastGrant != null ? lastGrant.inUse() : null;
        this.attachment = grantInUse instanceof Attachment ofSequencer ? ofSequencer : null;
        this.reason = reason;
    }

    /** Returns the incarnation of the grant; 0 if there was no grant yet. */
    long incarnation() {
        return lastGrant == null ? 0 : lastGrant.grant().incarnation();
    }

    /** Returns the present grant if it is not sealed; else null. */
    @Nullable
    HeldGrant unsealed() {
        return grantInUse != null && !grantInUse.isSealed() ? lastGrant : null;
    }

    /** Returns the present grant if it is sealed, so that another must replace it; else null. */
    @Nullable
    HeldGrant sealed() {
        return grantInUse != null && grantInUse.isSealed() ? lastGrant : null;
    }

    HolderState to(SnowcastSequenceState newState, String newReason) {
        return new HolderState(newState, lastGrant, newReason);
    }
}
