// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Clock.Interval;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Names;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The holders of an instance, by name, and the care for their leases: lets {@link LeaseRenewals} renew them, attaches
 * again each holder that has lost its lease, calls the listeners of node leases, and notices steps of the wall clock.
 * Thread-safe; no method blocks.
 */
final class LeaseKeeper implements GrantHolder.Keeper {
    /** Up to this number of holders, each {@link #keep} checks all of them. */
    private static final int CHECKED_EACH_TIME = 1_000;
    /** The pause between two checks for each further holder. A check takes about a hundredth of this time. */
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    final Names<GrantHolder> names = new Names<>(this::forgotten);
    /** The node leases among {@link #names}, and destroyed ones whose listeners have not been called yet. */
    final Set<LeasedNode> nodeLeases = ConcurrentHashMap.newKeySet();

    /** Receives each removed or replaced holder. */
    private final Consumer<GrantHolder> gone;

    private final Clock clock;
    private final LeaseRenewals renewals;
    /** Runs the checks of leases, which do not block. */
    private final Executor leases;
    /** Runs tasks that may block: they attach holders again, release grants, or call listeners. */
    private final Executor attaches;

    private final Log log;
    final ClockSteps clockSteps;
    final SteadyClock steadyClock;
    private final AtomicBoolean keepRequested = new AtomicBoolean();
    private volatile long nextCheckNanos;
    /** Limits the messages of {@link #logRarely}. */
    private final Interval logInterval;

    LeaseKeeper(
            Coordinator coordinator,
            Clock clock,
            Executor leases,
            Executor attaches,
            Log log,
            Consumer<GrantHolder> gone) {
        this.gone = gone;
        this.clock = clock;
        this.nextCheckNanos = clock.nanos();
        this.renewals = new LeaseRenewals(this, coordinator, clock, log);
        this.leases = leases;
        this.attaches = attaches;
        this.log = log;
        this.clockSteps = new ClockSteps(clock);
        this.steadyClock = new SteadyClock(clock);
        this.logInterval = new Interval(clock, Duration.ofSeconds(1));
    }

    // --- the holders

    private void forgotten(GrantHolder removed) {
        // If the creation failed after the grant had arrived, release the grant, which would be renewed forever.
        releaseSoon(removed, removed.close("its creation failed"));
        gone.accept(removed);
        // A destroyed lease is removed when its listeners know of the loss: see keep().
        if (removed instanceof LeasedNode lease && lease.state().state != SnowcastSequenceState.Destroyed) {
            nodeLeases.remove(lease);
        }
    }

    /** See {@link GrantHolder#destroyUpTo}. IDs of a new sequencer of the name begin after the release or lease. */
    @Override
    public void destroyUpTo(String name, long incarnation) {
        GrantHolder holder = names.find(name);
        if (holder != null) {
            releaseSoon(holder, holder.destroyUpTo(incarnation));
            forgetIfDestroyed(holder);
        }
    }

    /** Removes destroyed holders that could not be removed before, because a creation had locked their names. */
    void forgetDestroyed() {
        names.all().forEach(this::forgetIfDestroyed);
    }

    private void forgetIfDestroyed(GrantHolder holder) {
        if (holder.state().state == SnowcastSequenceState.Destroyed) {
            forget(holder);
        }
    }

    @Override
    public void forget(GrantHolder ended) {
        names.forget(ended.requests.name, ended);
    }

    private void releaseSoon(GrantHolder holder, @Nullable DetachRequest request) {
        if (request == null) {
            return;
        }
        try {
            attaches.execute(() -> holder.release(request));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The instance shuts down, or there is no thread. The lease expires anyway.
            log.warning(holder.requests.subjectInLog + ": its node ID is free when its lease has ended", e);
        }
    }

    // --- their leases

    @Override
    public void request(GrantInUse grant) {
        submitOnce(leases, keepRequested, this::keep);
    }

    @Override
    public void clockWasRead(long firstMillis, long againMillis) {
        stepped(clockSteps.readClocksIfOff(firstMillis, againMillis, this::logRarely));
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
     * Reads the clocks, calls listeners after changes, and checks all leases, but not each time if there are thousands.
     * To be called several times per lease and per second.
     */
    public void keep() {
        boolean isRequested = keepRequested.getAndSet(false);
        steadyClock.millis(); // The steady clock notices a step only if it is read while the step lasts.
        long stepMillis = clockSteps.readClocks();
        stepped(stepMillis);
        long nanos = clock.nanos();
        if (isRequested || stepMillis != 0 || nanos - nextCheckNanos >= 0) {
            List<GrantHolder> holders = names.all();
            holders.forEach(this::reattachIfLost);
            renewals.renew(holders);
            nextCheckNanos = nanos + pauseNanos(holders.size());
        }
        nodeLeases.removeIf(this::isDestroyedAndTold);
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
