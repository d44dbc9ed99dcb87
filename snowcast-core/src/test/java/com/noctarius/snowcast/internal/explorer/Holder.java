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
import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A model of a sequencer or node lease. It makes requests and handles answers as {@code GrantHolder} and
 * {@code LeaseKeeper} do. It uses a real {@link Attachment} to issue IDs; or, for a node lease, a real {@link Guard} to
 * check another generator's IDs.
 *
 * @param index the number of the holder
 * @param isGuarded whether it is a node lease
 * @param clockOffset how far the holder's clock is ahead of the true time
 * @param requestNumber the number of its last attach request
 * @param askedAtMillis the time of its clock at that request; a repeated request has the same time
 * @param waits whether it waits for the answer to that request
 * @param attached whether it may issue IDs of {@code held}
 * @param held the present or last grant
 * @param lastSlot the highest slot that its former grants have used
 */
record Holder(
        int index,
        boolean isGuarded,
        int clockOffset,
        long requestNumber,
        long askedAtMillis,
        boolean waits,
        boolean attached,
        @Nullable Held held,
        long lastSlot) {
    static final String NAME = "orders";

    /** With one ID per millisecond and node, there are far fewer states. A counter would add no new case. */
    static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 1, 0);

    /** Two holder IDs that the table treats alike, so that the holders are interchangeable. */
    private static final List<UUID> IDS = List.of(new UUID(0, 2), new UUID(0, 4));

    private static final SequencerConfig CONFIG = SequencerConfig.builder(NAME)
            .epoch(SnowcastEpoch.byTimestamp(0))
            .layout(LAYOUT)
            .counterStart(CounterStart.ZERO)
            .build();

    /**
     * A grant in use, and the state of its attachment.
     *
     * @param word the last slot that was taken
     */
    record Held(long incarnation, int logicalNodeId, Token token, long floor, long ceiling, long word, boolean sealed) {
        private GrantInUse inUse(boolean isGuarded, long nowMillis) {
            GrantInUse.Terms terms = new GrantInUse.Terms(logicalNodeId, floor, ceiling, word);
            Clock clock = new StoppedClock(nowMillis);
            GrantInUse inUse = isGuarded
                    ? new Guard(NAME, terms, clock, new Counts(), grant -> {})
                    : new Attachment(CONFIG, terms, 0, clock, new Counts(), grant -> {});
            if (sealed) {
                inUse.seal();
            }
            return inUse;
        }

        Held after(GrantInUse attachment) {
            return new Held(
                    incarnation,
                    logicalNodeId,
                    token,
                    floor,
                    attachment.ceiling(),
                    attachment.lastSlot(),
                    attachment.isSealed());
        }
    }

    /** Thrown in places where real code would wait. */
    private static final class WaitsException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private record StoppedClock(long millis) implements Clock {
        @Override
        public long nanos() {
            return millis * 1_000_000;
        }

        @Override
        public void parkUntil(long untilMillis) {
            throw new WaitsException();
        }

        @Override
        public void parkNanos(long nanos) {
            throw new WaitsException();
        }
    }

    static Holder initial(int index, boolean isGuarded) {
        return new Holder(index, isGuarded, 0, 0, 0, false, false, null, 0);
    }

    static int indexOf(UUID holder) {
        return IDS.indexOf(holder);
    }

    // --- steps

    Holder withClock(int offset) {
        return new Holder(index, isGuarded, offset, requestNumber, askedAtMillis, waits, attached, held, lastSlot);
    }

    private Holder with(boolean nowWaits, boolean nowAttached, @Nullable Held nowHeld) {
        return new Holder(
                index, isGuarded, clockOffset, requestNumber, askedAtMillis, nowWaits, nowAttached, nowHeld, lastSlot);
    }

    private GrantInUse inUse(Held grant, long now) {
        return grant.inUse(isGuarded, now + clockOffset);
    }

    record Issued(int node, long millis, Held after) {}

    /** Issues the ID of a time; returns null if the grant does not allow this ID or has issued it already. */
    @Nullable
    Issued issue(Held grant, long millis) {
        GrantInUse inUse = grant.inUse(isGuarded, millis);
        if (inUse instanceof Guard guard) {
            return isLetOut(guard, millis) ? new Issued(grant.logicalNodeId(), millis, grant.after(guard)) : null;
        }
        Attachment attachment = (Attachment) inUse;
        long slot = attachment.tryNext();
        if (slot < 0) {
            return null;
        }
        long id = attachment.idOf(slot);
        if (LAYOUT.timestampValue(id) < millis) {
            throw new AssertionError("an attachment that is never saturated has issued an ID of the past");
        }
        return new Issued(LAYOUT.logicalNodeId(id), LAYOUT.timestampValue(id), grant.after(attachment));
    }

    /**
     * Returns whether a guard accepts a time that is not its latest accepted time. Further IDs of the latest accepted
     * time are left out, because the generator itself makes several IDs of one time different.
     */
    private static boolean isLetOut(Guard guard, long millis) {
        try {
            return !guard.isAtLast(millis) && guard.judge(millis) == Guard.Verdict.LET_OUT;
        } catch (WaitsException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Holder ask(long now) {
        long last = held == null ? lastSlot : Math.max(lastSlot, held.word());
        return new Holder(index, isGuarded, clockOffset, requestNumber + 1, now + clockOffset, true, false, held, last);
    }

    AttachRequest attachRequest(Definition definition) {
        long incarnation = held == null ? 0 : held.incarnation();
        return new AttachRequest(
                NAME, definition, incarnation, IDS.get(index), requestNumber, askedAtMillis, 0, lastSlot);
    }

    /** Gives up the request: a later answer is ignored. */
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
        // The attachment begins at the floor, or above the last slot if that is higher.
        return with(false, true, fresh.after(inUse(fresh, now)));
    }

    RenewRequest renewRequest(Definition definition, Held grant, long now) {
        GrantInUse attachment = inUse(grant, now);
        return new RenewRequest(
                NAME,
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                attachment.ceiling(),
                attachment.idTimeMillis(),
                0);
    }

    Holder renewed(Held grant, long ceiling, long now) {
        GrantInUse attachment = inUse(grant, now);
        attachment.renew(ceiling);
        return with(waits, attached, grant.after(attachment));
    }

    /** Seals a grant, so that it issues no more IDs; {@code skipped} leaves the seal out. */
    Holder seal(Held grant, long now, boolean skipped) {
        GrantInUse attachment = inUse(grant, now);
        if (!skipped) {
            attachment.seal();
        }
        return with(waits, false, grant.after(attachment));
    }

    /**
     * Gives up the pending request and seals the current grant, if there are any, because this holder's member has
     * moved to another cluster.
     */
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

    /**
     * Adds this holder to a fingerprint. A sealed grant issues no more IDs, so only its incarnation and the highest
     * used slot are added.
     */
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

    /** Returns whether an answer can still change this holder. */
    boolean awaits(Object reply, Message.Call call) {
        if (reply instanceof Grant && call instanceof Message.Call.Attach attach) {
            return waits && attach.request().requestNumber() == requestNumber;
        }
        if (reply instanceof RenewReply renewed && call instanceof Message.Call.Renew renew) {
            return held != null
                    && !held.sealed()
                    && held.token().equals(renew.request().token())
                    && (renewed.outcome() != RenewReply.Outcome.RENEWED || renewed.ceiling() > held.ceiling());
        }
        return false;
    }

    /** Returns whether half of the lease is used, so that {@code LeaseKeeper} would renew it. */
    boolean isRenewalDue(Held grant, long now, long lease) {
        return inUse(grant, now).idTimeMillis() >= grant.ceiling() - lease / 2;
    }
}
