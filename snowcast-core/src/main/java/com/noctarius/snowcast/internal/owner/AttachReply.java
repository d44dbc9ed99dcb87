// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the table answers to an attach.
 *
 * @param grant of {@link Outcome#GRANTED}; else null
 */
public record AttachReply(Outcome outcome, @Nullable Grant grant) {
    public enum Outcome {
        GRANTED,
        /** The incarnation that the holder asks for was destroyed, or the one in which this request was answered before. */
        DESTROYED,
        /** Holders of the destroyed sequencer are about to give their node IDs back. The same request may succeed soon. */
        SETTLING
    }

    static final AttachReply DESTROYED = new AttachReply(Outcome.DESTROYED, null);
    static final AttachReply SETTLING = new AttachReply(Outcome.SETTLING, null);

    static AttachReply granted(Grant grant) {
        return new AttachReply(Outcome.GRANTED, Objects.requireNonNull(grant));
    }
}
