// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.WaitQueue;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sequencer: one {@link Attachment} after another.
 *
 * <p>Two locks, never the other way round: {@link #transition} is held through a whole attach or detach, round trip
 * included, so that a holder has one request under way at a time; the monitor of this object is held for the moment in
 * which the {@link #phase} changes, so that a destruction need not wait for a round trip. Neither is touched by the
 * calls that generate IDs: they read the phase, and the attachment in it decides.
 */
final class Sequencer implements SnowcastSequencer {
    private static final int MAX_VOID_GRANTS = 100;

    private final String name;
    private final Definition definition;
    private final SequencerConfig config;
    private final long leaseMillis;
    private final Coordinator coordinator;
    private final Clock clock;
    private final Log log;
    private final Leases leases;
    private final Runnable extensionRequest;
    /** Negative until it was asked for. Racy on purpose: it is the same for everybody. */
    private volatile int partitionId = -1;

    private final UUID holder = UUID.randomUUID();
    private final Counts counts = new Counts();
    private final LeaseCounts leaseCounts = new LeaseCounts();
    private final WaitQueue reattachments;
    private final AtomicBoolean reattachRequested = new AtomicBoolean();

    private final ReentrantLock transition = new ReentrantLock();
    /** Guarded by {@link #transition}. */
    private long requestNumber;
    /** The highest slot of former attachments: the next one starts above it. Guarded by {@link #transition}. */
    private long lastSlot;

    /** Written under the monitor, read by everybody. */
    private volatile Phase phase = new Phase(SnowcastSequenceState.Detached, null, "it was not attached yet");

    /** Grants of incarnations up to this one are void, also those under way. Guarded by the monitor. */
    private long voidUpTo;
    /** How often all grants became void, also those under way. Guarded by the monitor. */
    private long fences;

    /** Null while nothing failed since the last attach. Written under {@link #transition}. */
    private volatile @Nullable ReattachFailure reattachFailure;

    private record ReattachFailure(Instant since, RuntimeException cause) {
        @Override
        public String toString() {
            return "attaching fails since " + since + ": " + cause;
        }
    }

    /** A state with what belongs to it, published as one; compared by identity. */
    private static final class Phase {
        final SnowcastSequenceState state;
        /** The present attachment, sealed while the sequencer re-attaches by itself; not Attached: the last, if any. */
        final @Nullable Held held;
        /** What calls generate with: that of {@link #held} if Attached, else null. */
        final @Nullable Attachment attachment;
        /** Why it is not Attached. */
        final String reason;

        Phase(SnowcastSequenceState state, @Nullable Held held, String reason) {
            this.state = state;
            this.held = held;
            this.attachment = state == SnowcastSequenceState.Attached && held != null ? held.attachment() : null;
            this.reason = reason;
        }

        /** Whether there is an attachment that is not sealed. */
        boolean isInUse() {
            return attachment != null && !attachment.isSealed();
        }

        Phase to(SnowcastSequenceState newState, String newReason) {
            return new Phase(newState, held, newReason);
        }
    }

    /** A grant in use. */
    private record Held(Grant grant, Attachment attachment) {}

    Sequencer(
            SequencerConfig config,
            Definition definition,
            Coordinator coordinator,
            Clock clock,
            Log log,
            Leases leases) {
        this.name = config.name();
        this.definition = definition;
        this.config = config;
        Duration lease = config.lease();
        this.leaseMillis = lease == null ? 0 : lease.toMillis();
        this.coordinator = coordinator;
        this.clock = clock;
        this.log = log;
        this.leases = leases;
        this.extensionRequest = () -> leases.request(this);
        this.reattachments = new WaitQueue(clock);
    }

    // --- IDs

    @Override
    public long next() throws InterruptedException {
        Attachment attachment = attachment();
        while (true) {
            long slot = attachment.next();
            if (slot >= 0) {
                return attachment.idOf(slot);
            }
            attachment = successorOf(attachment);
        }
    }

    @Override
    public void next(long[] ids, int fromIndex, int toIndex) throws InterruptedException {
        Objects.requireNonNull(ids, "ids");
        Objects.checkFromToIndex(fromIndex, toIndex, ids.length);
        Attachment attachment = attachment();
        int index = attachment.fill(ids, fromIndex, toIndex);
        while (index < toIndex) {
            attachment = successorOf(attachment);
            index = attachment.fill(ids, index, toIndex);
        }
    }

    @Override
    public OptionalLong tryNext() {
        while (true) {
            Attachment attachment = attachment();
            long slot = attachment.tryNext();
            if (slot >= 0) {
                return OptionalLong.of(attachment.idOf(slot));
            }
            if (slot == Attachment.EMPTY || phase.attachment == attachment) {
                return OptionalLong.empty();
            }
        }
    }

    /** Whether it is Attached, also while it re-attaches by itself. */
    boolean isAttached() {
        return phase.state == SnowcastSequenceState.Attached;
    }

    private Attachment attachment() {
        Phase now = phase;
        Attachment attachment = now.attachment;
        if (attachment == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return attachment;
    }

    private SnowcastStateException notIn(SnowcastSequenceState wanted, Phase now) {
        return new SnowcastStateException("sequencer " + name + " must be " + wanted + ": it is " + now.state
                + (now.reason.isEmpty() ? "" : ", " + now.reason));
    }

    /** Waits for the attachment that follows a sealed one; fails if the sequencer was detached or destroyed. */
    private Attachment successorOf(Attachment sealed) throws InterruptedException {
        if (attachment() == sealed) {
            extensionRequest.run();
            if (!awaitSuccessorOf(sealed)) {
                throw new SnowcastStateException("sequencer " + name + " lost logical node "
                        + sealed.logicalNodeId() + " and was not attached to another within "
                        + Attachment.MAX_LEASE_WAIT + ": "
                        + Objects.requireNonNullElse(reattachFailure, "the cluster has not answered yet"));
            }
        }
        return attachment();
    }

    private boolean awaitSuccessorOf(Attachment sealed) throws InterruptedException {
        counts.waitBegins();
        long since = clock.nanos();
        try {
            return reattachments.await(
                    () -> isAttached() && attachment() == sealed ? WaitQueue.UNTIL_WOKEN : 0,
                    Attachment.MAX_LEASE_WAIT);
        } finally {
            counts.waitEnded(clock, since);
        }
    }

    // --- transitions

    @Override
    public SnowcastSequencer attachLogicalNode() {
        transition.lock();
        try {
            Phase before = phase;
            if (before.state != SnowcastSequenceState.Detached) {
                throw notIn(SnowcastSequenceState.Detached, before);
            }
            attachAtLast(before, incarnation());
            return this;
        } finally {
            transition.unlock();
        }
    }

    /** The first attachment, which creates the sequencer in the cluster if it is not there. */
    void create() {
        transition.lock();
        try {
            attachAtLast(phase, 0);
        } finally {
            transition.unlock();
        }
    }

    /** A grant that becomes void while it is under way is no failure of the call: it asks for the next. */
    private void attachAtLast(Phase before, long incarnation) {
        for (int i = 0; i < MAX_VOID_GRANTS; i++) {
            if (attach(before, incarnation)) {
                return;
            }
        }
        throw new SnowcastException(
                "sequencer " + name + ": its grant became void " + MAX_VOID_GRANTS + " times while it was under way");
    }

    /**
     * Asks for a grant and moves to Attached.
     *
     * @return false if the grant became void on its way for a reason that does not concern the next one
     */
    private boolean attach(Phase before, long incarnation) {
        if (isClosed()) {
            throw notIn(SnowcastSequenceState.Attached, phase);
        }
        long fencesBefore = fences();
        AttachRequest request = new AttachRequest(
                name,
                definition,
                incarnation,
                holder,
                ++requestNumber,
                clock.millis(),
                leaseMillis,
                lastSlot >> definition.layout().counterBits());
        Grant grant = coordinator.attach(request);
        if (grant == null && incarnation == 0) {
            return false;
        }
        if (grant == null) {
            destroyedUpTo(incarnation);
            throw notIn(SnowcastSequenceState.Attached, phase);
        }
        coordinator.observer().granted(request, grant);
        Held held = new Held(grant, newAttachment(grant));
        if (move(before, new Phase(SnowcastSequenceState.Attached, held, ""), fencesBefore)) {
            reattachFailure = null;
            leases.attached(this);
            return true;
        }
        giveBack(held);
        if (phase == before && (incarnation == 0 || fences() != fencesBefore)) {
            return false;
        }
        throw notIn(SnowcastSequenceState.Attached, phase);
    }

    private Attachment newAttachment(Grant grant) {
        return new Attachment(
                config,
                grant.logicalNodeId(),
                grant.floor(),
                grant.ceiling(),
                endOfMillisecond(lastSlot),
                holder.getMostSignificantBits() + requestNumber,
                clock,
                counts,
                extensionRequest);
    }

    /** Another logical node begins in the next millisecond: so the order holds for the IDs as plain numbers, too. */
    private long endOfMillisecond(long slot) {
        return slot == 0 ? 0 : slot | (definition.layout().idsPerMillisecond() - 1);
    }

    private synchronized long fences() {
        return fences;
    }

    private synchronized boolean move(Phase before, Phase after, long fencesBefore) {
        if (phase != before
                || fences != fencesBefore
                || (after.held != null && after.held.grant().incarnation() <= voidUpTo)) {
            return false;
        }
        phase = after;
        return true;
    }

    @Override
    public SnowcastSequencer detachLogicalNode() {
        transition.lock();
        try {
            Phase before = phase;
            Held held = before.held;
            if (before.state != SnowcastSequenceState.Attached || held == null) {
                throw notIn(SnowcastSequenceState.Attached, before);
            }
            // The phase first: a thread that finds the attachment sealed must find a reason, too.
            if (!move(before, before.to(SnowcastSequenceState.Detached, "it was detached"), fences())) {
                throw notIn(SnowcastSequenceState.Attached, phase);
            }
            giveBack(held);
            return this;
        } finally {
            transition.unlock();
        }
    }

    /** Ends the use of a grant; returns what to give back. */
    private DetachRequest seal(Held held) {
        Grant grant = held.grant();
        long lastMillis = held.attachment().millisOf(held.attachment().seal());
        DetachRequest unused = new DetachRequest(name, grant.logicalNodeId(), grant.token(), lastMillis);
        coordinator.observer().ended(holder, unused);
        return unused;
    }

    private void giveBack(Held held) {
        DetachRequest request = seal(held);
        lastSlot = Math.max(lastSlot, held.attachment().lastSlot());
        reattachments.wake();
        giveBack(request);
    }

    /** Gives a node ID back; blocks. What fails is logged: the lease ends by itself. */
    void giveBack(DetachRequest request) {
        try {
            coordinator.detach(List.of(request));
        } catch (RuntimeException e) {
            log.warning(
                    "Sequencer " + name + ": could not give back logical node " + request.logicalNodeId()
                            + "; it is free when its lease has run out",
                    e);
        }
    }

    /** Seals the present attachment if it is still the one whose extension was refused; {@link #reattach} follows. */
    void fence(ExtendRequest refused) {
        Phase now = phase;
        if (now.held != null && now.held.grant().token().equals(refused.token())) {
            fence(now, "it is no longer granted to this holder");
        }
    }

    /** Voids all grants, also those under way, and seals the present attachment, if any; {@link #reattach} follows. */
    void fence(String reason) {
        Phase now;
        synchronized (this) {
            fences++;
            now = phase;
        }
        fence(now, reason);
    }

    private void fence(Phase now, String reason) {
        Held held = now.held;
        if (now.state == SnowcastSequenceState.Attached && held != null) {
            leaseCounts.refused(held.grant().token());
            log.warning(
                    "Sequencer " + name + " gives up logical node "
                            + held.grant().logicalNodeId() + " and attaches to another: " + reason,
                    null);
            seal(held);
            leases.request(this);
        }
    }

    /** Whether {@link #reattach} is due. */
    boolean isFenced() {
        Phase now = phase;
        return now.state == SnowcastSequenceState.Attached
                && now.held != null
                && now.held.attachment().isSealed();
    }

    /** Set from the request for a {@link #reattach} to its end, so that one blocked task does not become many. */
    AtomicBoolean reattachRequested() {
        return reattachRequested;
    }

    /** Tries to attach anew after a refused extension; blocks. What fails is logged and tried again. */
    void reattach() {
        transition.lock();
        try {
            Phase before = phase;
            Held held = before.held;
            if (held == null || !isFenced()) {
                return;
            }
            lastSlot = Math.max(lastSlot, held.attachment().lastSlot());
            if (attach(before, held.grant().incarnation())) {
                log.info("Sequencer " + name + ": attached to another logical node");
            }
        } catch (RuntimeException e) {
            reattachFailed(e);
        } finally {
            transition.unlock();
            reattachRequested.set(false);
            reattachments.wake();
        }
    }

    private void reattachFailed(RuntimeException cause) {
        ReattachFailure before = reattachFailure;
        if (before == null && isFenced()) {
            log.warning("Sequencer " + name + ": could not attach to another logical node; it tries again", cause);
        }
        reattachFailure =
                new ReattachFailure(before == null ? Instant.ofEpochMilli(clock.millis()) : before.since, cause);
    }

    /**
     * Makes this instance Destroyed if it belongs to an incarnation up to the given one. Never waits for a round trip;
     * one that is under way finds its grant void and gives it back.
     *
     * @return what to give back to the cluster, or null
     */
    @Nullable
    DetachRequest destroyedUpTo(long incarnation) {
        Held held;
        boolean wasDetached;
        synchronized (this) {
            voidUpTo = Math.max(voidUpTo, incarnation);
            held = phase.held;
            if (held == null || held.grant().incarnation() > incarnation) {
                return null;
            }
            wasDetached = phase.state == SnowcastSequenceState.Detached;
            phase = phase.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        DetachRequest request = seal(held);
        leases.detached(this);
        reattachments.wake();
        return wasDetached ? null : request;
    }

    /**
     * Seals for good, as Detached, because the {@code HazelcastInstance} shuts down.
     *
     * @return what to give back to the cluster, or null
     */
    @Nullable
    DetachRequest close(String reason) {
        Held held;
        synchronized (this) {
            Phase before = phase;
            if (isClosed() || before.state == SnowcastSequenceState.Destroyed) {
                return null;
            }
            voidUpTo = Long.MAX_VALUE;
            // Also if it is Detached: an attach that is under way must find another phase, and the reason.
            phase = before.to(SnowcastSequenceState.Detached, reason);
            held = before.state == SnowcastSequenceState.Attached ? before.held : null;
        }
        if (held == null) {
            return null;
        }
        DetachRequest request = seal(held);
        reattachments.wake();
        return request;
    }

    private synchronized boolean isClosed() {
        return voidUpTo == Long.MAX_VALUE;
    }

    // --- extensions

    /**
     * An extension to come.
     *
     * @param dueInMillis when half of the lease is used; not positive from then on
     */
    record Extension(Sequencer sequencer, Held held, long idTime, long ceiling, long dueInMillis) {
        /** Whether it is to be asked for now. */
        boolean isDue() {
            return dueInMillis <= 0;
        }

        /** Whether a quarter of the lease is used, so that it may go along with others that are due. */
        boolean isSoon() {
            return dueInMillis <= held.grant().leaseMillis() / 4;
        }

        /** Returns what to ask for. */
        ExtendRequest request() {
            Grant grant = held.grant();
            return new ExtendRequest(
                    sequencer.name,
                    sequencer.definition,
                    grant.incarnation(),
                    grant.logicalNodeId(),
                    grant.token(),
                    sequencer.holder,
                    ceiling,
                    idTime,
                    sequencer.leaseMillis);
        }
    }

    /** Returns the next extension; null if there is nothing to extend. */
    @Nullable
    Extension extension() {
        Phase now = phase;
        Held held = now.held;
        if (now.state != SnowcastSequenceState.Attached
                || held == null
                || held.attachment().isSealed()) {
            return null;
        }
        long idTime = held.attachment().idTimeMillis();
        long ceiling = held.attachment().ceilingMillis();
        return new Extension(this, held, idTime, ceiling, ceiling - held.grant().leaseMillis() / 2 - idTime);
    }

    /** Goes on up to a new ceiling, if what was extended is still in use. */
    void extended(ExtendRequest request, long ceiling) {
        Attachment attachment = attachmentOf(request);
        if (attachment != null) {
            coordinator.observer().extended(request, ceiling);
            attachment.extend(ceiling);
            leaseCounts.extended();
        }
    }

    /** Notes since when and why the present attachment is not extended. */
    void extensionFailed(ExtendRequest request, String reason) {
        Attachment attachment = attachmentOf(request);
        if (attachment != null) {
            attachment.extensionFailed(reason);
            leaseCounts.failed();
        }
    }

    /** Returns the attachment that an extension was asked for; null if it is not in use any more. */
    private @Nullable Attachment attachmentOf(ExtendRequest request) {
        Phase now = phase;
        Held held = now.held;
        return held != null && now.isInUse() && held.grant().token().equals(request.token()) ? held.attachment() : null;
    }

    // --- the rest

    @Override
    public String getSequencerName() {
        return name;
    }

    @Override
    public SnowcastLayout layout() {
        return definition.layout();
    }

    @Override
    public SnowcastEpoch epoch() {
        return config.epoch();
    }

    /** Whether it is or was attached, and was not destroyed. */
    boolean wasCreated() {
        Phase now = phase;
        return now.held != null && now.state != SnowcastSequenceState.Destroyed;
    }

    @Override
    public SequencerStats stats() {
        Phase now = phase;
        Held inUse = now.isInUse() ? now.held : null;
        LeaseCounts.Seen seen = leaseCounts.seen();
        return new SequencerStats(
                now.state,
                inUse == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(inUse.grant().logicalNodeId()),
                Duration.ofMillis(inUse == null ? 0 : inUse.grant().leaseMillis()),
                Duration.ofMillis(inUse == null ? 0 : inUse.attachment().remainingMillis()),
                inUse == null ? whyNotInUse(now) : inUse.attachment().extensionFailure(),
                issuedCount(),
                counts.waits(),
                Duration.ofNanos(counts.waitNanos()),
                seen.extensions(),
                seen.failures(),
                seen.refusals());
    }

    private String whyNotInUse(Phase now) {
        Held held = now.held;
        if (now.state != SnowcastSequenceState.Attached || held == null) {
            return now.reason;
        }
        ReattachFailure failure = reattachFailure;
        return failure == null
                ? "it lost logical node " + held.grant().logicalNodeId() + " and attaches to another"
                : failure.toString();
    }

    /** Of whatever attachment was the last one; those before it are counted in. */
    private long issuedCount() {
        Held held = phase.held;
        return held == null ? 0 : held.attachment().issuedCount();
    }

    /** Returns what it has done so far, without what {@link #stats} says of the present. */
    Totals totals() {
        LeaseCounts.Seen seen = leaseCounts.seen();
        return new Totals(
                issuedCount(), counts.waits(), counts.waitNanos(), seen.extensions(), seen.failures(), seen.refusals());
    }

    @Override
    public SnowcastSequenceState getSequencerState() {
        return phase.state;
    }

    Definition definition() {
        return definition;
    }

    /** Returns the partition whose owner decides about it. */
    int partitionId() {
        int known = partitionId;
        if (known < 0) {
            known = coordinator.partitionOf(name);
            partitionId = known;
        }
        return known;
    }

    Coordinator coordinator() {
        return coordinator;
    }

    /** Returns the incarnation this instance belongs to; 0 before the first attachment. */
    long incarnation() {
        Held held = phase.held;
        return held == null ? 0 : held.grant().incarnation();
    }

    @Override
    public long timestampValue(long id) {
        return definition.layout().timestampValue(id);
    }

    @Override
    public int logicalNodeId(long id) {
        return definition.layout().logicalNodeId(id);
    }

    @Override
    public int counterValue(long id) {
        return definition.layout().counterValue(id);
    }

    @Override
    public String toString() {
        return "SnowcastSequencer{name=" + name + ", state=" + phase.state + ", layout=" + definition.layout() + '}';
    }
}
