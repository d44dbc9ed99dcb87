// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.base.FlightEvents;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to the leases of one holder, as its log, events and stats show it. It decides nothing.
 *
 * <p>Thread-safe; {@link #attached} and {@link #attachFailed} are called under the lock of the holder's transitions.
 */
final class LeaseHistory {
    private final GrantRequests requests;
    private final Log log;

    private final AtomicLong extensions = new AtomicLong();
    private final AtomicLong extensionFailures = new AtomicLong();
    private final AtomicLong losses = new AtomicLong();
    /** The token of the last grant that was lost: a grant counts once, for however many reasons it is given up. */
    private final AtomicReference<@Nullable Token> lastLost = new AtomicReference<>();
    /** Why that was given up. */
    private volatile String lossReason = "";

    /** When attaching began to fail; null while nothing failed since the last attach. Guarded by the caller's lock. */
    private @Nullable Instant failingSince;
    /** That, and why; else null. Written under the caller's lock. */
    private volatile @Nullable String attachFailure;

    LeaseHistory(GrantRequests requests, Log log) {
        this.requests = requests;
        this.log = log;
    }

    /** Logs it, so that the log of a process says what it had, also if the process crashes. */
    void attached(Grant grant, @Nullable HeldGrant lost, long nanos) {
        failingSince = null;
        attachFailure = null;
        int node = grant.logicalNodeId();
        long until = requests.definition.epochOffset() + grant.ceiling();
        int former = lost == null ? -1 : lost.grant().logicalNodeId();
        log.info(requests.subjectInLog + ": attached to node ID " + node + " until " + Instant.ofEpochMilli(until)
                + (lost == null ? "" : ", in place of " + former + ": " + lossReason));
        FlightEvents.attached(requests.name, node, until, former, lost == null ? "" : lossReason, nanos);
    }

    /** Another grant could not be had in place of one that was lost; the holder asks again. */
    void attachFailed(RuntimeException failure, boolean isLost) {
        if (failingSince == null) {
            failingSince = Instant.ofEpochMilli(requests.clock.millis());
            if (isLost) {
                log.warning(requests.subjectInLog + ": could not attach to another node ID; it tries again", failure);
            }
        }
        attachFailure = "attaching fails since " + failingSince + ": " + reason(failure);
    }

    void detached(HeldGrant held, String reason) {
        log.info(requests.subjectInLog + ": detached from node ID "
                + held.grant().logicalNodeId() + ": " + reason);
    }

    void giveBackFailed(DetachRequest givenBack, RuntimeException failure) {
        log.warning(
                requests.subjectInLog + ": could not give back node ID " + givenBack.logicalNodeId()
                        + "; it is free when its lease has ended",
                failure);
    }

    void extended() {
        extensions.incrementAndGet();
    }

    void extensionFailed() {
        extensionFailures.incrementAndGet();
    }

    /** A grant is given up, since the cluster does not know it any more. */
    void lost(Grant grant, String reason) {
        Token token = grant.token();
        if (!token.equals(lastLost.getAndSet(token))) {
            losses.incrementAndGet();
            lossReason = reason;
            log.warning(
                    requests.subjectInLog + ": lost the lease of node ID " + grant.logicalNodeId() + ": " + reason,
                    null);
        }
    }

    /** Returns why a grant that was lost is not replaced yet. */
    String whyNotReplaced(String ifNothingFailed) {
        return Objects.requireNonNullElse(attachFailure, ifNothingFailed);
    }

    /** Returns why there is no grant that IDs are issued under. */
    String whyNotInUse(HolderState now) {
        HeldGrant lost = now.lost();
        return lost == null
                ? now.reason
                : whyNotReplaced(
                        "it lost the lease of node ID " + lost.grant().logicalNodeId() + " and attaches to another");
    }

    SequencerStats stats(
            HolderState now,
            long issuedCount,
            CounterStart counterStart,
            Duration timeRemaining,
            Optional<Duration> positiveRemaining) {
        HeldGrant inUse = now.unsealed();
        return new SequencerStats(
                now.state,
                inUse == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(inUse.grant().logicalNodeId()),
                Duration.ofMillis(inUse == null ? 0 : inUse.grant().leaseMillis()),
                Duration.ofMillis(inUse == null ? 0 : inUse.inUse().remainingMillis()),
                problem(now, inUse),
                issuedCount,
                requests.counts.waits.count(),
                requests.counts.waits.time(),
                extensions.get(),
                extensionFailures.get(),
                losses.get(),
                counterStart,
                timeRemaining,
                positiveRemaining);
    }

    private String problem(HolderState now, @Nullable HeldGrant inUse) {
        if (now.state == SnowcastSequenceState.Attached && requests.isTimeUsedUp()) {
            return requests.definition.usedUp();
        }
        return inUse == null ? whyNotInUse(now) : problem(inUse.inUse());
    }

    private static String problem(GrantInUse inUse) {
        return inUse.extensionFailure().isEmpty() ? inUse.clockProblem() : inUse.extensionFailure();
    }

    /** Returns why something failed; of an exception of snowcast's own, the message says all. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof SnowcastException && message != null ? message : failure.toString();
    }
}
