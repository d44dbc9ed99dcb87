// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.owner.Grant;
import org.jspecify.annotations.Nullable;

/** A state of a sequencer with the grant that belongs to it, published as one. Immutable; compared by identity. */
final class HolderState {
    final SnowcastSequenceState state;
    /** If Attached the present grant, sealed while the sequencer re-attaches by itself; else the last one, if any. */
    final @Nullable HeldGrant held;
    /** What calls generate with: the attachment of {@link #held} if Attached, else null. */
    final @Nullable Attachment attachment;
    /** Why it is not Attached. */
    final String reason;

    /** A grant, and the attachment that issues IDs under it. */
    record HeldGrant(Grant grant, Attachment attachment) {}

    HolderState(SnowcastSequenceState state, @Nullable HeldGrant held, String reason) {
        this.state = state;
        this.held = held;
        this.attachment = state == SnowcastSequenceState.Attached && held != null ? held.attachment() : null;
        this.reason = reason;
    }

    /** Returns the incarnation that the grant belongs to; 0 if there has been none yet. */
    long incarnation() {
        return held == null ? 0 : held.grant().incarnation();
    }

    /** Returns the grant that IDs are issued under; null if there is none, or if it is sealed. */
    @Nullable
    HeldGrant inUse() {
        return attachment != null && !attachment.isSealed() ? held : null;
    }

    /** Returns the grant that was sealed and that another one has to replace; null if there is none. */
    @Nullable
    HeldGrant lost() {
        return attachment != null && attachment.isSealed() ? held : null;
    }

    HolderState to(SnowcastSequenceState newState, String newReason) {
        return new HolderState(newState, held, newReason);
    }
}
