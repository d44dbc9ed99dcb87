// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The history of one holder's leases, for its log and statistics. Thread-safe; callers of {@link #attached} and
 * {@link #attachFailed} hold the lock of the holder's transitions.
 */
final class LeaseHistory {
    private final GrantRequests requests;
    private final Log log;

    final AtomicLong renewals = new AtomicLong();
    final AtomicLong renewalFailures = new AtomicLong();
    private final AtomicLong losses = new AtomicLong();
    /** The token of the last lost grant, so that a grant that is lost for several reasons counts once. */
    private final AtomicReference<@Nullable Token> lastLost = new AtomicReference<>();

    private volatile String lossReason = "";

    /** The last failed reattach; null if none has failed since the last attach. Written under the caller's lock. */
    private volatile @Nullable AttachFailure attachFailure;

    /** @param since when reattaches began to fail */
    private record AttachFailure(Instant since, String reason) {}

    LeaseHistory(GrantRequests requests, Log log) {
        this.requests = requests;
        this.log = log;
    }

    /** Logs a new grant, so that the log of a process shows its node IDs even after a crash. */
    void attached(Grant grant, @Nullable HeldGrant replaced) {
        attachFailure = null;
        long until = requests.definition.epochOffset() + grant.ceiling();
        log.info(requests.subjectInLog + ": attached to node ID " + grant.logicalNodeId() + " until "
                + Instant.ofEpochMilli(until)
                + (replaced == null ? "" : ", in place of " + replaced.grant().logicalNodeId() + ": " + lossReason));
    }

    /** Warns if the layout's time ends within a year, or IDs turn negative within a year. */
    void warnOfEnds() {
        SnowcastLayout layout = requests.definition.layout();
        SnowcastEpoch epoch = Definition.epochOf(requests.definition.epochOffset());
        Instant now = Instant.ofEpochMilli(requests.clock.medianMillis());
        Instant soon = now.plus(Duration.ofDays(365));
        Instant end = layout.endOfTime(epoch);
        if (end.isBefore(soon)) {
            log.warning(
                    requests.subjectInLog + ": the time of layout " + layout + " ends at " + end
                            + ", and then it issues no IDs; take another name, with a later epoch or more bits of time",
                    null);
        }
        layout.turnsNegative(epoch)
                .filter(at -> now.isBefore(at) && at.isBefore(soon))
                .ifPresent(at -> log.warning(
                        requests.subjectInLog + ": its IDs turn negative at " + at
                                + ", so that signed numbers and columns sort new IDs before old ones; compare them"
                                + " unsigned, or take another name, with a later epoch or a layout of 63 bits",
                        null));
    }

    /** Records a failed attach. {@code replaces} says whether the attach was to replace a lost grant. */
    void attachFailed(RuntimeException failure, boolean replaces) {
        AttachFailure before = attachFailure;
        Instant since = before == null ? Instant.ofEpochMilli(requests.clock.millis()) : before.since();
        attachFailure = new AttachFailure(since, reason(failure));
        if (before == null && replaces) {
            log.warning(requests.subjectInLog + ": could not attach to another node ID; it tries again", failure);
        }
    }

    void detached(HeldGrant held, String reason) {
        log.info(requests.subjectInLog + ": detached from node ID "
                + held.grant().logicalNodeId() + ": " + reason);
    }

    void releaseFailed(DetachRequest release, RuntimeException failure) {
        log.warning(
                requests.subjectInLog + ": could not give back node ID " + release.logicalNodeId()
                        + "; it is free when its lease has ended",
                failure);
    }

    /** Records and logs the loss of a lease, once per grant. */
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

    /** Returns why no grant has replaced a lost grant yet. */
    String whyNotReplaced(String ifNothingFailed) {
        AttachFailure last = attachFailure;
        return last == null ? ifNothingFailed : "attaching fails since " + last.since() + ": " + last.reason();
    }

    /** Returns why there is no unsealed grant. */
    String whyNotInUse(HolderState now) {
        HeldGrant sealed = now.sealed();
        return sealed == null
                ? now.reason
                : whyNotReplaced(
                        "it lost the lease of node ID " + sealed.grant().logicalNodeId() + " and attaches to another");
    }

    SnowcastSequencer.Stats stats(
            HolderState now, long issuedCount, Duration timeRemaining, Optional<Duration> positiveRemaining) {
        HeldGrant inUse = now.unsealed();
        return new SnowcastSequencer.Stats(
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
                renewals.get(),
                renewalFailures.get(),
                losses.get(),
                timeRemaining,
                positiveRemaining);
    }

    private String problem(HolderState now, @Nullable HeldGrant inUse) {
        if (now.state == SnowcastSequenceState.Attached && requests.isTimeUsedUp()) {
            return requests.definition.usedUp();
        }
        if (inUse == null) {
            return whyNotInUse(now);
        }
        String failure = inUse.inUse().renewalFailure();
        return failure.isEmpty() ? inUse.inUse().clockProblem() : failure;
    }

    /** Returns the message of an exception of snowcast; class and message of any other exception. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof SnowcastException && message != null ? message : failure.toString();
    }
}
