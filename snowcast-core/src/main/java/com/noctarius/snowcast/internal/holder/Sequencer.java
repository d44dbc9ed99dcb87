// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.generator.Attachment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** A sequencer: generates IDs with one {@link Attachment} after another, and says how it fares. */
final class Sequencer extends GrantHolder implements SnowcastSequencer {
    private final AsyncCalls asyncCalls;

    /** Whether it was logged that a caller asked for it with other settings. Guarded by the lock of its name. */
    boolean isDifferenceLogged;

    Sequencer(GrantRequests requests, Log log, Leases leases) {
        super(requests, log, leases);
        this.asyncCalls =
                new AsyncCalls(this::tryNext, () -> OptionalLong.of(next()), requests.clock, Attachment.MAX_LEASE_WAIT);
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
        long id = tryNextOr(0); // No ID is 0: slots begin at 1.
        return id == 0 ? OptionalLong.empty() : OptionalLong.of(id);
    }

    @Override
    public long tryNextOr(long ifNone) {
        while (true) {
            Attachment attachment = attachment();
            long slot = attachment.tryNext();
            if (slot >= 0) {
                return attachment.idOf(slot);
            }
            if (slot == Attachment.EMPTY) {
                return ifNone;
            }
            if (state().attachment == attachment) {
                requireTimeLeft();
                return ifNone;
            }
        }
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return asyncCalls.next();
    }

    private Attachment attachment() {
        HolderState now = state();
        Attachment attachment = now.attachment;
        if (attachment == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return attachment;
    }

    /** Waits for the attachment that follows a sealed one; fails if the sequencer was detached or destroyed. */
    private Attachment successorOf(Attachment sealed) throws InterruptedException {
        if (attachment() == sealed) {
            requireTimeLeft(); // Then none follows, and a call need not wait to find that out.
        }
        if (attachment() == sealed && !awaitSuccessorOf(sealed)) {
            requireTimeLeft();
            throw new SnowcastStateException("sequencer " + requests.config.name() + " lost the lease of node ID "
                    + sealed.logicalNodeId() + " and was not attached to another within "
                    + Attachment.MAX_LEASE_WAIT + ": "
                    + Objects.requireNonNullElse(reattachFailure, "the cluster has not answered yet"));
        }
        return attachment();
    }

    // --- states

    @Override
    public SnowcastSequencer attachLogicalNode() {
        attach();
        return this;
    }

    @Override
    public SnowcastSequencer detachLogicalNode() {
        detach();
        return this;
    }

    @Override
    public SnowcastSequenceState getSequencerState() {
        return state().state;
    }

    /** Whether it is or was attached, and was not destroyed. */
    boolean wasCreated() {
        HolderState now = state();
        return now.held != null && now.state != SnowcastSequenceState.Destroyed;
    }

    // --- stats

    @Override
    public SequencerStats stats() {
        HolderState now = state();
        HolderState.HeldGrant inUse = now.inUse();
        Instant time = Instant.ofEpochMilli(requests.clock.medianMillis());
        return new SequencerStats(
                now.state,
                inUse == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(inUse.grant().logicalNodeId()),
                Duration.ofMillis(inUse == null ? 0 : inUse.grant().leaseMillis()),
                Duration.ofMillis(inUse == null ? 0 : inUse.attachment().remainingMillis()),
                problem(now),
                // The last attachment counts the IDs of those before it, too.
                now.held == null ? 0 : now.held.attachment().issuedCount(),
                requests.counts.waits(),
                Duration.ofNanos(requests.counts.waitNanos()),
                extensions.get(),
                extensionFailures.get(),
                leaseLosses.get(),
                requests.config.counterStart(),
                timeRemaining(time),
                positiveRemaining(time));
    }

    /** Returns how long the time of the layout lasts; zero if it is used up. */
    Duration timeRemaining(Instant now) {
        return atLeastZero(Duration.between(now, layout().endOfTime(epoch())));
    }

    /** Returns how long IDs are positive; empty if they never turn negative, or already have. */
    Optional<Duration> positiveRemaining(Instant now) {
        return layout().turnsNegative(epoch())
                .map(end -> Duration.between(now, end))
                .filter(left -> !left.isNegative() && !left.isZero());
    }

    private static Duration atLeastZero(Duration left) {
        return left.isNegative() ? Duration.ZERO : left;
    }

    private String problem(HolderState now) {
        if (now.state == SnowcastSequenceState.Attached && isTimeUsedUp()) {
            return requests.definition.usedUp();
        }
        HolderState.HeldGrant inUse = now.inUse();
        return inUse == null ? whyNotInUse(now) : problem(inUse.attachment());
    }

    private static String problem(Attachment inUse) {
        return inUse.extensionFailure().isEmpty() ? inUse.clockProblem() : inUse.extensionFailure();
    }

    private String whyNotInUse(HolderState now) {
        HolderState.HeldGrant lost = now.lost();
        if (lost == null) {
            return now.reason;
        }
        return Objects.requireNonNullElse(
                reattachFailure,
                "it lost the lease of node ID " + lost.grant().logicalNodeId() + " and attaches to another");
    }

    // --- what it was made with

    @Override
    public String getSequencerName() {
        return requests.config.name();
    }

    @Override
    public SnowcastLayout layout() {
        return requests.config.layout();
    }

    @Override
    public SnowcastEpoch epoch() {
        return requests.config.epoch();
    }

    @Override
    public String toString() {
        return "SnowcastSequencer{name=" + requests.config.name() + ", state=" + state().state + ", layout=" + layout()
                + ", " + Sequencers.settings(requests.config) + '}';
    }
}
