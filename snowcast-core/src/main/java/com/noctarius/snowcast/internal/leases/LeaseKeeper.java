// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Clock.Interval;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks after the leases of all holders of an instance: lets {@link LeaseRenewals} renew them, attaches again each
 * holder that has lost its lease, lets the listeners of node leases hear of changes, and notices steps of the wall
 * clock. Thread-safe.
 */
final class LeaseKeeper implements Keeper {
    /** Up to this number of holders, each {@link #keep} checks all of them. */
    private static final int CHECKED_EACH_TIME = 1_000;
    /**
     * The additional pause between two checks for each further holder, up to {@link #MAX_PAUSE_NANOS}. A check takes
     * about a hundredth of this time.
     */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final OpenHolders open;
    private final Clock clock;
    private final LeaseRenewals renewals;
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
    private final AtomicBoolean keepRequested = new AtomicBoolean();
    /** When the next check is due if no call requests it earlier. */
    private volatile long nextCheckNanos;
    /**
     * Limits the messages of {@link #logRarely}: that the wall clock has stepped or was misread, or that no thread
     * could be created.
     */
    private final Interval logInterval;

    LeaseKeeper(OpenHolders open, Coordinator coordinator, Clock clock, Executor leases, Executor attaches, Log log) {
        this.open = open;
        this.clock = clock;
        this.nextCheckNanos = clock.nanos();
        this.renewals = new LeaseRenewals(open, coordinator, clock, log);
        this.leases = leases;
        this.attaches = attaches;
        this.log = log;
        this.clockSteps = new ClockSteps(clock);
        this.steadyClock = new SteadyClock(clock);
        this.logInterval = new Interval(clock, Duration.ofSeconds(1));
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
    public Renewer renewerOf(GrantHolder holder) {
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

    /**
     * Reads the clocks, lets listeners hear of changes, and checks all leases, but not each time if there are thousands
     * of them. To be called several times per lease and per second. Does not block.
     */
    public void keep() {
        boolean isRequested = keepRequested.getAndSet(false);
        steadyClock.millis(); // The steady clock notices a step only if it is read while the step lasts.
        long stepMillis = clockSteps.readClocks();
        stepped(stepMillis);
        long nanos = clock.nanos();
        if (isRequested || stepMillis != 0 || nanos - nextCheckNanos >= 0) {
            List<GrantHolder> holders = open.names.all();
            holders.forEach(this::reattachIfLost);
            renewals.renew(holders);
            nextCheckNanos = nanos + pauseNanos(holders.size());
        }
        open.nodeLeases.removeIf(this::isDestroyedAndTold);
    }

    private static long pauseNanos(int holders) {
        return Math.min(Math.max(holders - CHECKED_EACH_TIME, 0) * PAUSE_NANOS, MAX_PAUSE_NANOS);
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
}
