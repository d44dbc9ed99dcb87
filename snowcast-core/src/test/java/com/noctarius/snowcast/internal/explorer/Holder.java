// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Token;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A sequencer object: what {@code Sequencer} and {@code LeaseKeeper} do with requests and answers, with a real
 * {@link Attachment} for the IDs.
 *
 * @param index which one
 * @param clockOffset how far its clock is ahead of the true time
 * @param requestNumber the number of its last attach request
 * @param askedAtMillis what its clock showed at that request, which is sent again unchanged
 * @param waits whether it waits for the answer to that request
 * @param attached whether it uses {@code held}
 * @param held the present or last grant
 * @param lastSlot the last slot of the attachments before that
 */
record Holder(
        int index,
        int clockOffset,
        long requestNumber,
        long askedAtMillis,
        boolean waits,
        boolean attached,
        @Nullable Held held,
        long lastSlot) {
    static final String NAME = "orders";

    /** One ID per millisecond and node: a tick of the clock and a counter would ask the same questions. */
    static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 1, 0);

    /** Equal in all that the table looks at, so that the holders are alike. */
    private static final List<UUID> IDS = List.of(new UUID(0, 2), new UUID(0, 4));

    private static final SequencerConfig CONFIG = SequencerConfig.builder(NAME)
            .epoch(SnowcastEpoch.byTimestamp(0))
            .layout(LAYOUT)
            .counterStart(CounterStart.ZERO)
            .build();

    /**
     * A grant in use, and the state of the attachment that uses it.
     *
     * @param word the last slot taken
     */
    record Held(long incarnation, int logicalNodeId, Token token, long floor, long ceiling, long word, boolean sealed) {
        /** Makes the attachment that has this state. */
        Attachment attachment(long nowMillis) {
            Attachment attachment = new Attachment(
                    CONFIG,
                    new GrantInUse.Terms(logicalNodeId, floor, ceiling, word),
                    0,
                    new StoppedClock(nowMillis),
                    new Counts(),
                    () -> {});
            if (sealed) {
                attachment.seal();
            }
            return attachment;
        }

        Held after(Attachment attachment) {
            return new Held(
                    incarnation,
                    logicalNodeId,
                    token,
                    floor,
                    attachment.ceilingMillis(),
                    attachment.lastSlot(),
                    attachment.isSealed());
        }
    }

    private record StoppedClock(long millis) implements Clock {
        @Override
        public long nanos() {
            return millis * 1_000_000;
        }

        @Override
        public void parkUntil(long untilMillis) {
            throw new AssertionError("must not wait");
        }

        @Override
        public void parkNanos(long nanos) {
            throw new AssertionError("must not wait");
        }
    }

    static Holder initial(int index) {
        return new Holder(index, 0, 0, 0, false, false, null, 0);
    }

    static int indexOf(UUID holder) {
        return IDS.indexOf(holder);
    }

    // --- what it does

    Holder withClock(int offset) {
        return new Holder(index, offset, requestNumber, askedAtMillis, waits, attached, held, lastSlot);
    }

    private Holder with(boolean nowWaits, boolean nowAttached, @Nullable Held nowHeld) {
        return new Holder(index, clockOffset, requestNumber, askedAtMillis, nowWaits, nowAttached, nowHeld, lastSlot);
    }

    /** Begins a request for a grant, with a new number. */
    Holder ask(long now) {
        long last = held == null ? lastSlot : Math.max(lastSlot, held.word());
        return new Holder(index, clockOffset, requestNumber + 1, now + clockOffset, true, false, held, last);
    }

    AttachRequest attachRequest(Definition definition) {
        long incarnation = held == null ? 0 : held.incarnation();
        return new AttachRequest(
                NAME, definition, incarnation, IDS.get(index), requestNumber, askedAtMillis, 0, lastSlot);
    }

    /** Waits no longer; what is answered later finds nobody. */
    Holder giveUp() {
        return with(false, false, held);
    }

    Holder granted(Grant grant, long now, boolean floorIgnored) {
        Held fresh = new Held(
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                floorIgnored ? 0 : grant.floor(),
                grant.ceiling(),
                lastSlot,
                false);
        // The attachment's word begins at its floor.
        return with(false, true, fresh.after(fresh.attachment(now + clockOffset)));
    }

    ExtendRequest extendRequest(Definition definition, Held grant, long now) {
        Attachment attachment = grant.attachment(now + clockOffset);
        return new ExtendRequest(
                NAME,
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                attachment.ceilingMillis(),
                attachment.idTimeMillis(),
                0);
    }

    Holder extended(Held grant, long ceiling, long now) {
        Attachment attachment = grant.attachment(now + clockOffset);
        attachment.extend(ceiling);
        return with(waits, attached, grant.after(attachment));
    }

    /** Ends the use of a grant. */
    Holder seal(Held grant, long now, boolean skipped) {
        Attachment attachment = grant.attachment(now + clockOffset);
        if (!skipped) {
            attachment.seal();
        }
        return with(waits, false, grant.after(attachment));
    }

    /** Seals, and waits for nothing, because its member is now in another cluster. */
    Holder lost(long now) {
        Holder alone = waits ? giveUp() : this;
        return attached && held != null ? alone.seal(held, now, false) : alone;
    }

    static DetachRequest detachRequest(Held grant) {
        return new DetachRequest(NAME, grant.logicalNodeId(), grant.token(), grant.word());
    }

    Holder used(Held grant) {
        return with(waits, attached, grant);
    }

    /** Of a grant that is sealed nothing matters any more but that nothing it issued comes again. */
    void describe(Fingerprint to) {
        to.number(clockOffset);
        to.number(requestNumber);
        to.flag(waits);
        to.number(waits ? askedAtMillis : 0);
        to.flag(attached);
        to.flag(held != null);
        if (held == null) {
            to.number(lastSlot);
        } else {
            to.number(held.incarnation());
            to.flag(held.sealed());
            if (held.sealed()) {
                to.number(Math.max(lastSlot, held.word()));
            } else {
                to.number(lastSlot);
                to.number(held.logicalNodeId());
                to.token(held.token());
                to.number(held.floor());
                to.number(held.ceiling());
                to.number(held.word());
            }
        }
    }

    /** Whether an answer can still change anything here. */
    boolean awaits(Object reply, Message.Call call) {
        if (reply instanceof Grant && call instanceof Message.Call.Attach attach) {
            return waits && attach.request().requestNumber() == requestNumber;
        }
        if (reply instanceof ExtendReply extended && call instanceof Message.Call.Extend extend) {
            return held != null
                    && !held.sealed()
                    && held.token().equals(extend.request().token())
                    && (extended.outcome() != ExtendReply.Outcome.EXTENDED || extended.ceiling() > held.ceiling());
        }
        return false;
    }

    /** As LeaseKeeper: when half of the lease is used. */
    boolean isExtensionDue(Held grant, long now, long lease) {
        return grant.attachment(now + clockOffset).idTimeMillis() >= grant.ceiling() - lease / 2;
    }
}
