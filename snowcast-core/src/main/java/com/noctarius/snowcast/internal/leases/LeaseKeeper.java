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
 * <p>Checks the holders of one partition together, and only when a renewal may be due. A process can have so many
 * sequencers that a check of all holders several times per second would keep a processor busy. A batch also includes
 * renewals that are due within the next quarter of their lease. Therefore the holders of a partition are soon renewed
 * together, even if they were attached at different times. Unless renewals are urgent, a holder is renewed at most four
 * times per lease.
 *
 * <p>Thread-safe. The thread that receives a reply handles it, without blocking.
 */
final class LeaseKeeper implements HolderRegistry {
    /** Limits how long a batch occupies a partition's thread. */
    private static final int MAX_BATCH = 200;
    /**
     * The interval of checks of a holder whose layout's time is used up. These checks are needed because the clock may
     * be wrong, and be corrected.
     */
    private static final long USED_UP_CHECK_MILLIS = 10_000;

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
    private final Map<Integer, Watch> watches = new ConcurrentHashMap<>();
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
    private record Destination(Watch watch, int backupCount) {}

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
     * The next renewal of a holder's lease: the request, and when it is due.
     *
     * @param dueInMillis in how many milliseconds the renewal is due; zero or negative if it is due now. A renewal is
     *     due when half of the lease has passed in ID time or by the monotonic clock. A renewal is urgent, and due
     *     earlier, if a call waits for it or the wall clock shows a time beyond the lease. {@link #NEVER_MILLIS} if the
     *     lease reaches the end of the layout's time
     */
    private record LeaseRenewal(
            GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
        /** Longer than any lease. */
        static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

        /**
         * The interval of urgent renewals. It limits their number, because with a wrong clock renewals may be urgent
         * for a long time.
         */
        private static final long LACKING_PAUSE_MILLIS = 1_000;

        /** Returns the next renewal of a holder; null if the holder has no unsealed grant. */
        static @Nullable LeaseRenewal of(GrantHolder holder) {
            HolderState.HeldGrant held = holder.state().unsealed();
            if (held == null) {
                return null;
            }
            RenewRequest request = holder.requests.renew(held);
            if (request.definition().isEndOfTime(request.ceiling())) {
                return new LeaseRenewal(holder, held, request, NEVER_MILLIS);
            }
            long halfMillis = held.grant().leaseMillis() / 2;
            long byIdTime = request.ceiling() - halfMillis - request.holderNow();
            // By ID time alone, a holder whose clock is behind would renew too late: the owner ends leases by cluster
            // time.
            long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
            long byAge = maxAge - held.inUse().leaseAgeMillis();
            return new LeaseRenewal(holder, held, request, Math.min(byIdTime, byAge));
        }

        /**
         * Returns whether the renewal is due within a quarter of the lease, so that it may join a batch of due
         * renewals.
         */
        boolean isSoon() {
            return dueInMillis <= held.grant().leaseMillis() / 4;
        }
    }

    /** The holders of a partition that are attached, or were attached at the partition's last check. */
    private static final class Watch {
        final Set<GrantHolder> holders = ConcurrentHashMap.newKeySet();

        /**
         * The time of the next check, by the monotonic clock. {@link #checkWithin} may bring the check forward. Guarded
         * by the monitor.
         */
        private long nextNanos;

        Watch(long nowNanos) {
            this.nextNanos = after(nowNanos, LeaseRenewal.NEVER_MILLIS);
        }

        private static long after(long nanos, long millis) {
            return nanos + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        /** Moves the next check to the given time, unless the check is already earlier. */
        synchronized void checkWithin(long fromNanos, long inMillis) {
            long nanos = after(fromNanos, inMillis);
            nextNanos = nanos - nextNanos < 0 ? nanos : nextNanos;
        }

        /** Returns whether a check is due. After a due check, only {@link #checkWithin} schedules another one. */
        synchronized boolean tryBeginCheck(long nowNanos) {
            boolean due = nowNanos - nextNanos >= 0;
            if (due) {
                nextNanos = after(nowNanos, LeaseRenewal.NEVER_MILLIS);
            }
            return due;
        }
    }

    @Override
    public void attached(GrantHolder holder) {
        Watch watch = watches.computeIfAbsent(holder.requests.partitionId(), id -> new Watch(clock.nanos()));
        watch.holders.add(holder);
        // Do not wait for half of the lease from now: the grant may be old, or already lost.
        LeaseRenewal renewal = LeaseRenewal.of(holder);
        watch.checkWithin(clock.nanos(), renewal == null ? 0 : renewal.dueInMillis());
    }

    @Override
    public void detached(GrantHolder holder) {
        Watch watch = watches.get(holder.requests.partitionId());
        if (watch != null) {
            forget(watch, holder);
        }
    }

    @Override
    public void destroyed(GrantHolder holder, long incarnation) {
        open.destroyUpTo(holder, incarnation);
    }

    @Override
    public void request(GrantHolder holder) {
        Watch watch = watches.get(holder.requests.partitionId());
        if (watch != null) {
            watch.checkWithin(clock.nanos(), 0);
        }
        submitOnce(leases, keepRequested, this::keep);
    }

    @Override
    public Renewer of(GrantHolder holder) {
        return new Renewer() {
            @Override
            public void request() {
                LeaseKeeper.this.request(holder);
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
            // Check all partitions now: after a step of the wall clock, renewals may be due, but checks are scheduled
            // by the monotonic clock.
            watches.values().forEach(watch -> watch.checkWithin(clock.nanos(), 0));
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

    /** Checks the leases that may be due. To be called several times per lease. Does not block. */
    public void keep() {
        keepRequested.set(false);
        steadyClock.millis(); // The steady clock notices a step only if it is read while the step lasts.
        stepped(clockSteps.readClocks());
        Map<Destination, List<LeaseRenewal>> soonByDestination = new HashMap<>();
        for (Watch watch : watches.values()) {
            long nowNanos = clock.nanos();
            if (watch.tryBeginCheck(nowNanos)) {
                long nextMillis = 0;
                try {
                    nextMillis = check(watch, soonByDestination);
                } finally {
                    watch.checkWithin(nowNanos, nextMillis);
                }
            }
        }
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

    /**
     * Collects the renewals of a partition that are due or may join those that are due; returns after how many
     * milliseconds to check the partition again.
     */
    private long check(Watch watch, Map<Destination, List<LeaseRenewal>> soonByDestination) {
        long nextMillis = LeaseRenewal.NEVER_MILLIS;
        for (GrantHolder holder : watch.holders) {
            if (holder.state().state != SnowcastSequenceState.Attached) {
                forget(watch, holder);
                continue;
            }
            if (holder.state().sealed() != null && holder.requests.isTimeUsedUp()) {
                nextMillis = Math.min(nextMillis, USED_UP_CHECK_MILLIS); // Only a corrected clock allows an attach.
                continue;
            }
            if (holder.state().sealed() != null) {
                // Submit one task for each holder, so that an attach that gets no answer occupies only one thread.
                submitOnce(attaches, holder.reattachRequested, holder::reattach);
            }
            LeaseRenewal renewal = LeaseRenewal.of(holder);
            if (renewal == null) {
                nextMillis = 0; // The holder has lost its grant, or was detached.
                continue;
            }
            Destination destination =
                    new Destination(watch, renewal.request().definition().backupCount());
            if (underWay.contains(destination)) {
                continue; // The pending batch may include this renewal. After the batch, the partition is checked.
            }
            nextMillis = Math.min(nextMillis, renewal.dueInMillis());
            if (renewal.isSoon()) {
                soonByDestination
                        .computeIfAbsent(destination, unused -> new ArrayList<>())
                        .add(renewal);
            }
        }
        return nextMillis;
    }

    private void forget(Watch watch, GrantHolder detached) {
        watch.holders.remove(detached);
        if (detached.state().state == SnowcastSequenceState.Attached) {
            // The holder was attached again in the meantime.
            attached(detached);
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
            end(destination, sentNanos);
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

    private void end(Destination destination, long sentNanos) {
        underWay.remove(destination);
        destination.watch.checkWithin(sentNanos, 0);
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
