// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.FlightEvents;
import com.noctarius.snowcast.internal.base.Interval;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of all holders of an instance, usually when half of the lease is used, and attaches again each
 * holder that has lost its lease. Sends renewals in batches, with at most one pending batch per partition and backup
 * count.
 *
 * <p>A batch also includes renewals that are due within the next quarter of their lease. Therefore the holders of a
 * partition are soon renewed together, even if they were attached at different times. Unless renewals are urgent, a
 * holder is renewed at most four times per lease.
 *
 * <p>Thread-safe. The thread that receives a reply handles it, without blocking.
 */
final class LeaseKeeper implements HolderRegistry {
    /** Limits how long a batch occupies a partition's thread. */
    private static final int MAX_BATCH = 200;

    private final OpenHolders open;
    private final Coordinator coordinator;
    private final Clock clock;
    /** Runs the checks of leases, which do not block. */
    private final Executor leases;
    /**
     * Runs tasks that may block, on other threads, so that no check waits. The tasks attach holders again, or call
     * listeners.
     */
    private final Executor attaches;

    private final Log log;
    final ClockSteps clockSteps;
    final SteadyClock steadyClock;
    private final Set<Destination> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean keepRequested = new AtomicBoolean();
    /** When the renewals of each destination began to fail; a destination has no entry while its renewals succeed. */
    private final Map<Destination, Instant> failingSince = new ConcurrentHashMap<>();
    /**
     * Limits the messages of {@link #logRarely}: that the wall clock has stepped or was misread, or that no thread
     * could be created.
     */
    private final Interval logInterval;

    /** Renewals share a batch if their names have the same partition and the same backup count. */
    private record Destination(int partitionId, int backupCount) {}

    LeaseKeeper(OpenHolders open, Coordinator coordinator, Clock clock, Executor leases, Executor attaches, Log log) {
        this.open = open;
        this.coordinator = coordinator;
        this.clock = clock;
        this.leases = leases;
        this.attaches = attaches;
        this.log = log;
        this.clockSteps = new ClockSteps(clock);
        this.steadyClock = new SteadyClock(clock);
        this.logInterval = new Interval(clock, Duration.ofSeconds(1));
    }

    /**
     * A renewal that is due within a quarter of its lease, so that it may join a batch of due renewals.
     *
     * @param dueInMillis in how many milliseconds the renewal is due; zero or negative if it is due now. A renewal is
     *     due when half of the lease has passed in ID time or by the monotonic clock. A renewal is urgent, and due
     *     earlier, if a call waits for it or the wall clock shows a time beyond the lease
     */
    private record LeaseRenewal(
            GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
        /**
         * The interval of urgent renewals. It limits their number, because with a wrong clock renewals may be urgent
         * for a long time.
         */
        private static final long LACKING_PAUSE_MILLIS = 1_000;

        /**
         * Returns the next renewal of a holder; null if it is not due soon, if the holder has no unsealed grant, or if
         * the lease reaches the end of the layout's time.
         */
        static @Nullable LeaseRenewal soon(GrantHolder holder) {
            HolderState.HeldGrant held = holder.state().unsealed();
            if (held == null
                    || holder.requests.definition.isEndOfTime(held.inUse().ceilingMillis())) {
                return null;
            }
            long leaseMillis = held.grant().leaseMillis();
            long halfMillis = leaseMillis / 2;
            long byIdTime = held.inUse().ceilingMillis() - halfMillis - held.inUse().idTimeMillis();
            // By ID time alone, a holder whose clock is behind would renew too late: the owner ends leases by cluster
            // time.
            long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
            long dueInMillis = Math.min(byIdTime, maxAge - held.inUse().leaseAgeMillis());
            return dueInMillis <= leaseMillis / 4
                    ? new LeaseRenewal(holder, held, holder.requests.renew(held), dueInMillis)
                    : null;
        }
    }

    @Override
    public void destroyed(GrantHolder holder, long incarnation) {
        open.destroyUpTo(holder, incarnation);
    }

    @Override
    public void requestCheck() {
        submitOnce(leases, keepRequested, this::keep);
    }

    @Override
    public Renewer of(GrantHolder holder) {
        return new Renewer() {
            @Override
            public void request() {
                requestCheck();
            }

            @Override
            public void clockWasRead(long firstMillis, long againMillis) {
                stepped(clockSteps.readClocksIfOff(firstMillis, againMillis, LeaseKeeper.this::logRarely));
            }
        };
    }

    private void stepped(long stepMillis) {
        if (stepMillis != 0) {
            logRarely("The wall clock stepped by " + stepMillis + " ms; IDs stay in order");
        }
    }

    private void logRarely(String message) {
        if (logInterval.beginIfOver()) {
            log.warning(message, null);
        }
    }

    private void submitOnce(Executor executor, AtomicBoolean submitted, Runnable task) {
        if (submitted.compareAndSet(false, true)) {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException e) {
                // The instance shuts down. A call that is about to wait will find its sequencer closed.
                submitted.set(false);
            } catch (OutOfMemoryError e) {
                submitted.set(false);
                logRarely("No thread to attach again or to look after leases; the next look tries again: " + e);
            }
        }
    }

    /** Checks all leases. To be called several times per lease. Does not block. */
    public void keep() {
        keepRequested.set(false);
        steadyClock.millis(); // The steady clock notices a step only if it is read while the step lasts.
        stepped(clockSteps.readClocks());
        Map<Destination, List<LeaseRenewal>> soonByDestination = new HashMap<>();
        open.names.all().forEach(holder -> {
            reattachIfLost(holder);
            LeaseRenewal renewal = LeaseRenewal.soon(holder);
            if (renewal != null) {
                Destination destination =
                        new Destination(holder.requests.partitionId(), holder.requests.definition.backupCount());
                soonByDestination
                        .computeIfAbsent(destination, unused -> new ArrayList<>())
                        .add(renewal);
            }
        });
        open.nodeLeases.removeIf(this::isDestroyedAndTold);
        soonByDestination.values().removeIf(soon -> soon.stream().noneMatch(renewal -> renewal.dueInMillis() <= 0));
        failingSince
                .keySet()
                .removeIf(
                        destination -> !soonByDestination.containsKey(destination) && !underWay.contains(destination));
        soonByDestination.forEach((destination, soon) -> {
            // A batch may be too small for all: the renewals that have been due longest come first.
            soon.sort(Comparator.comparing(LeaseRenewal::dueInMillis));
            renew(destination, soon);
        });
    }

    /** Lets the listeners of a lease hear of a change; returns whether they know that the lease was destroyed. */
    private boolean isDestroyedAndTold(LeasedNode lease) {
        boolean isTelling = lease.tellRequested.get(); // Read this first, because the task changes hasNews().
        if (lease.hasNews()) {
            submitOnce(attaches, lease.tellRequested, lease::tell);
            return false;
        }
        return !isTelling && lease.state().state == SnowcastSequenceState.Destroyed;
    }

    private void reattachIfLost(GrantHolder holder) {
        // If the layout's time is used up, only a corrected clock allows an attach.
        if (holder.state().sealed() != null && !holder.requests.isTimeUsedUp()) {
            // Submit one task for each holder, so that an attach that gets no answer occupies only one thread.
            submitOnce(attaches, holder.reattachRequested, holder::reattach);
        }
    }

    private void renew(Destination destination, List<LeaseRenewal> due) {
        List<LeaseRenewal> batch = List.copyOf(due.subList(0, Math.min(due.size(), MAX_BATCH)));
        List<RenewRequest> asked = batch.stream().map(LeaseRenewal::request).toList();
        long sentNanos = clock.nanos();
        // After this add, each failure must remove the destination; otherwise its leases would never be renewed again.
        if (!underWay.add(destination)) {
            return;
        }
        CompletionStage<?> unused = replies(asked).whenComplete((replies, failure) -> {
            underWay.remove(destination);
            if (failure != null) {
                failed(destination, batch, sentNanos, failure);
            } else {
                renewed(destination, batch, sentNanos, replies);
            }
            // Renew the rest even after a failure, because the next check would begin with the failed batch again.
            if (due.size() > MAX_BATCH) {
                renew(destination, due.subList(MAX_BATCH, due.size()));
            }
        });
    }

    private CompletionStage<List<@Nullable RenewReply>> replies(List<RenewRequest> asked) {
        try {
            return coordinator.renew(asked);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void renewed(
            Destination destination, List<LeaseRenewal> batch, long sentNanos, List<@Nullable RenewReply> replies) {
        boolean isWhole = replies.stream().allMatch(Objects::nonNull);
        if (isWhole && failingSince.remove(destination) != null && failingSince.isEmpty()) {
            log.warning("Leases are renewed again", null);
        }
        for (int i = 0; i < batch.size(); i++) {
            LeaseRenewal renewal = batch.get(i);
            RenewReply reply = replies.get(i);
            if (reply == null) {
                failed(destination, List.of(renewal), sentNanos, new IllegalStateException("no answer for this name"));
                continue;
            }
            switch (reply.outcome()) {
                case RENEWED -> renewal.holder().renewed(renewal.held(), renewal.request(), reply.ceiling());
                case REFUSED -> renewal.holder().renewalRefused(renewal.held());
                case DESTROYED ->
                    open.destroyUpTo(renewal.request().name(), renewal.request().incarnation());
            }
        }
    }

    private void failed(Destination destination, List<LeaseRenewal> batch, long sentNanos, Throwable failure) {
        long nanos = clock.nanos() - sentNanos;
        long sentMillis = clock.medianMillis() - TimeUnit.NANOSECONDS.toMillis(nanos);
        boolean isFirst = failingSince.isEmpty();
        Instant since = failingSince.computeIfAbsent(destination, unused -> Instant.ofEpochMilli(sentMillis));
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String why = LeaseHistory.reason(cause);
        if (isFirst) {
            // The message of an exception of snowcast is enough, so the stack trace is not logged.
            log.warning(
                    "Leases are not renewed; IDs continue until the leases end, the first at " + firstEnd(batch) + ": "
                            + why,
                    cause instanceof SnowcastException ? null : cause);
        }
        String reason = "renewals fail since " + since + ": " + why;
        batch.forEach(renewal -> renewal.holder().renewalFailed(renewal.held(), reason));
        FlightEvents.renewalFailed(batch.get(0).request().name(), batch.size(), reason, nanos);
    }

    private static Instant firstEnd(List<LeaseRenewal> batch) {
        return Instant.ofEpochMilli(batch.stream()
                .map(LeaseRenewal::request)
                .mapToLong(request -> request.definition().epochOffset() + request.ceiling())
                .min()
                .orElseThrow());
    }
}
