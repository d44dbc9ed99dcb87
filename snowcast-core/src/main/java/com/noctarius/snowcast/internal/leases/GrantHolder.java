// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Acquires, replaces and releases leases of node IDs for one sequencer or node lease, which has one lease at a time.
 *
 * <p>The life of a grant: {@link #attach} requests it, and releases it unused if it has become void on its way.
 * {@link LeaseRenewals} requests its renewals; {@link #renewed} raises the ceiling. A grant that must not be used any
 * more is sealed, and another one requested ({@link #reattach}): its renewal was refused, the process came to another
 * cluster, or the grant is of no use ({@link #giveUp}). {@link #detach} seals the grant, and then releases the node ID;
 * {@link #destroyUpTo}, {@link #destroy} and {@link #close} return the request with which their caller releases it.
 *
 * <p>A thread holds {@link #transition} during a whole attach or detach, including the round trip, and the monitor only
 * while it reads or changes fields, so that a destruction waits for no round trip. A thread that needs both takes
 * {@link #transition} first. Calls that generate IDs take neither lock: they read the {@link HolderState} once, which
 * is immutable, and the word of its grant decides. A superclass of {@link Sequencer} and {@link LeasedNode}, because a
 * field of them would cost each ID one more dependent load.
 */
abstract class GrantHolder {
    private static final int MAX_VOID_GRANTS = 100;

    final GrantRequests requests;
    final LeaseHistory history;
    final Keeper keeper;
    private final WaitQueue reattachments;
    /** Set from the submission of {@link #reattach} until its end, so that no second task is submitted. */
    final AtomicBoolean reattachRequested = new AtomicBoolean();

    private final ReentrantLock transition = new ReentrantLock();

    /** Written under the monitor, read by all threads. */
    private volatile HolderState state =
            new HolderState(SnowcastSequenceState.Detached, null, "it was not attached yet");

    /**
     * The pending first grant is void if its incarnation is at most this number: it was destroyed after the request.
     * {@link Long#MAX_VALUE} once this holder is closed. Guarded by the monitor.
     */
    private long voidUpTo;

    /** What the holders of an instance request of it. Thread-safe; does not block. */
    interface Keeper extends GrantInUse.Renewer {
        /** Reports that the incarnations of a name up to the given one are destroyed. */
        default void destroyUpTo(String name, long incarnation) {}

        /** Removes a holder that has ended, unless a creation has locked its name. */
        default void forget(GrantHolder ended) {}
    }

    GrantHolder(GrantRequests requests, Log log, Keeper keeper) {
        this.requests = requests;
        this.history = new LeaseHistory(requests, log);
        this.keeper = keeper;
        this.reattachments = new WaitQueue(requests.clock);
    }

    // --- the present grant

    final HolderState state() {
        return state;
    }

    final SnowcastStateException notIn(SnowcastSequenceState wanted, HolderState now) {
        boolean canAttach =
                now.state == SnowcastSequenceState.Detached && !isClosed() && !requests.definition.isNodeLease();
        return new SnowcastStateException(requests.subject + " must be " + wanted + ": it is " + now.state
                + (now.reason.isEmpty() ? "" : ", " + now.reason)
                + (canAttach ? "; attachLogicalNode() attaches it" : ""));
    }

    /** Returns the present grant, sealed or not; throws if this holder is not Attached. */
    final GrantInUse grantInUse() {
        HolderState now = state;
        HeldGrant present = now.present();
        if (present == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return present.inUse();
    }

    /**
     * Waits for the grant that replaces a sealed grant. Throws if no grant follows in time, if the layout's time is
     * used up, or if this holder is Detached or Destroyed.
     */
    final GrantInUse successorOf(GrantInUse sealed) throws InterruptedException {
        if (grantInUse() == sealed) {
            requests.requireTimeLeft(); // No grant follows after the end of the layout's time.
            keeper.request(sealed);
            boolean isReplaced = reattachments.await(
                    () -> state.isOf(sealed) ? WaitQueue.UNTIL_WOKEN : 0,
                    GrantInUse.MAX_LEASE_WAIT,
                    requests.counts.waits);
            if (!isReplaced) {
                requests.requireTimeLeft();
                throw new SnowcastStateException(requests.subject + " lost the lease of node ID "
                        + sealed.logicalNodeId() + " and was not attached to another within "
                        + GrantInUse.MAX_LEASE_WAIT + ": "
                        + history.whyNotReplaced("there was no answer yet"));
            }
        }
        return grantInUse();
    }

    // --- attach

    /** Makes the object that issues or accepts IDs under a new grant. */
    abstract GrantInUse begin(GrantInUse.Terms terms, long randomSalt);

    /** Attaches this holder; blocks. The first attach creates the sequencer or node lease if it does not exist. */
    final void attach() {
        Threads.acquire(transition, requests.subject, "another request of it had ended");
        try {
            requireDetached();
            // A new ID for each attach: a copy of this process, made while this holder was Detached, is another holder.
            UUID holder = requests.source.newHolder();
            // If a grant becomes void before it arrives, request another one instead of failing.
            for (int i = 0; i < MAX_VOID_GRANTS; i++) {
                if (attach(requireDetached(), holder)) {
                    return;
                }
            }
            throw new SnowcastException(
                    requests.subject + ": its grant became void " + MAX_VOID_GRANTS + " times while it was under way");
        } finally {
            transition.unlock();
        }
    }

    private HolderState requireDetached() {
        HolderState present = state;
        if (present.state != SnowcastSequenceState.Detached) {
            throw notIn(SnowcastSequenceState.Detached, present);
        }
        return present;
    }

    /** Requests a grant and makes it the present one; returns false if it is void, but a new request may succeed. */
    private boolean attach(HolderState before, UUID holder) {
        beginRequest();
        HeldGrant held = requests.attach(holder, before.lastGrant, this::begin);
        if (held == null) {
            if (before.lastGrant == null) {
                return false;
            }
            keeper.destroyUpTo(requests.name, before.incarnation());
            throw cannotBeAttached();
        }
        if (!use(held, before)) {
            release(end(held));
            if (state.state != before.state || isClosed()) {
                throw cannotBeAttached();
            }
            return false;
        }
        history.attached(held.grant(), before.sealed());
        if (before.lastGrant == null) {
            history.warnOfEnds();
        }
        return true;
    }

    private SnowcastStateException cannotBeAttached() {
        return new SnowcastStateException(requests.subject + " cannot be attached: " + state.reason);
    }

    private synchronized void beginRequest() {
        if (isClosed()) {
            throw cannotBeAttached();
        }
        // A destruction before the request does not void its grant: after a merge or a loss of data, the cluster may
        // continue an incarnation whose destruction it has forgotten.
        voidUpTo = 0;
    }

    /** Makes a grant the present one; returns false if it has become void since {@code before} was read. */
    private synchronized boolean use(HeldGrant held, HolderState before) {
        if (state != before || held.grant().incarnation() <= voidUpTo) {
            return false;
        }
        state = new HolderState(SnowcastSequenceState.Attached, held, "");
        return true;
    }

    // --- detach

    final void detach() {
        transition.lock();
        try {
            // Change the state before the seal: a thread that finds the grant sealed must find the reason in the state.
            HolderState before;
            synchronized (this) {
                before = state;
                if (before.state == SnowcastSequenceState.Attached) {
                    state = before.to(SnowcastSequenceState.Detached, "it was detached");
                }
            }
            DetachRequest release = end(before, "the application detached it");
            if (release == null) {
                throw notIn(SnowcastSequenceState.Attached, before);
            }
            release(release);
        } finally {
            transition.unlock();
        }
    }

    /** Ends the present grant of a former state, if it had one; returns the request that releases it, or null. */
    private @Nullable DetachRequest end(HolderState former, String reason) {
        HeldGrant held = former.present();
        if (held == null) {
            return null;
        }
        DetachRequest release = end(held);
        history.detached(held, reason);
        return release;
    }

    /** Seals a grant that is not the present one; returns the request that releases it. */
    private DetachRequest end(HeldGrant held) {
        DetachRequest release = requests.seal(held);
        reattachments.wake();
        return release;
    }

    /** Releases a node ID; blocks. Only logs a failure, because the lease expires anyway. */
    final void release(DetachRequest release) {
        try {
            requests.source.detach(List.of(release));
        } catch (RuntimeException e) {
            history.releaseFailed(release, e);
        }
    }

    // --- renew: an answer that arrives after the grant has ended has no effect

    /** Raises the ceiling of a renewed grant. If it is not above the ceiling before, the renewal has failed. */
    final void renewed(HeldGrant held, RenewRequest request, long ceiling) {
        if (ceiling <= request.ceiling()) {
            renewalFailed(
                    held,
                    "the lease cannot be longer yet: it ends further ahead of cluster time than a lease and the allowed clock"
                            + " skew reach, or at a high-water mark that cannot be written");
        } else if (held.equals(state.unsealed())) {
            requests.source.observer().renewed(request, ceiling);
            held.inUse().renew(ceiling);
            held.inUse().grantedFrom(Math.max(ceiling - held.grant().leaseMillis(), request.holderNow()));
            history.renewals.incrementAndGet();
        }
    }

    final void renewalFailed(HeldGrant held, String reason) {
        if (held.equals(state.unsealed())) {
            held.inUse().renewalFailed(reason);
            history.renewalFailures.incrementAndGet();
        }
    }

    /** Handles a refused renewal, which means that the cluster or database does not have the grant. */
    final void renewalRefused(HeldGrant held) {
        HolderState now = state;
        if (held.equals(now.lastGrant)) {
            loseGrant(now, "it is no longer granted to this holder");
        }
    }

    // --- lose a lease, and attach to another node ID

    /** Voids all grants, even a pending one. Seals the present grant, and requests a {@link #reattach}. */
    final void clusterChanged(String reason) {
        HolderState now;
        synchronized (this) {
            // Another object of the same state: a pending attach then finds that its grant has become void.
            now = state.to(state.state, state.reason);
            state = now;
        }
        loseGrant(now, reason);
    }

    /** Gives up a grant that the holder can no longer use, and requests a {@link #reattach}. */
    final void giveUp(GrantInUse useless, String reason) {
        HolderState now = state;
        if (now.isOf(useless)) {
            loseGrant(now, reason);
        }
    }

    private void loseGrant(HolderState now, String reason) {
        HeldGrant held = now.present();
        if (held != null) {
            history.lost(held.grant(), reason);
            requests.seal(held);
            keeper.request(held.inUse());
        }
    }

    /** Attaches again after the loss of a grant; blocks. Does not throw, because the keeper retries. */
    final void reattach() {
        transition.lock();
        try {
            HolderState before = state;
            HeldGrant sealed = before.sealed();
            if (sealed == null) {
                return;
            }
            attach(before, sealed.grant().token().holder());
        } catch (RuntimeException e) {
            history.attachFailed(e, state.sealed() != null);
        } finally {
            transition.unlock();
            reattachRequested.set(false);
            reattachments.wake();
        }
    }

    /** Returns the statistics for the metrics. Values that only sequencers have are zero or empty for a node lease. */
    abstract SnowcastSequencer.Stats holderStats();

    // --- the end

    /** Returns whether another holder may take the name of this holder. */
    boolean isOver() {
        return state.state == SnowcastSequenceState.Destroyed;
    }

    /** Returns whether this holder was ever attached, and was not destroyed. */
    final boolean wasCreated() {
        HolderState now = state;
        return now.lastGrant != null && now.state != SnowcastSequenceState.Destroyed;
    }

    /**
     * Makes this holder Destroyed if its present or last grant is of the given incarnation or an earlier one. Waits for
     * no round trip: a pending attach finds its first grant void, and releases it; the first renewal of a later pending
     * grant finds out. Returns the request that releases the present grant, or null.
     */
    final @Nullable DetachRequest destroyUpTo(long incarnation) {
        HolderState before;
        synchronized (this) {
            before = state;
            if (before.lastGrant == null) {
                voidUpTo = Math.max(voidUpTo, incarnation);
                return null;
            }
            if (before.incarnation() > incarnation) {
                return null;
            }
            state = before.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        return end(before, "it was destroyed");
    }

    /**
     * Makes this holder Destroyed at the application's request, even if it was never attached: it must not attach any
     * more, because its instance no longer knows it, and would not end it at a shutdown or a change of cluster.
     */
    final @Nullable DetachRequest destroy() {
        HolderState before;
        synchronized (this) {
            before = state;
            state = before.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        return end(before, "it was destroyed");
    }

    /** Makes this holder Detached permanently unless it is Destroyed; returns the request for release, or null. */
    final @Nullable DetachRequest close(String reason) {
        HolderState before;
        synchronized (this) {
            before = state;
            if (isClosed() || before.state == SnowcastSequenceState.Destroyed) {
                return null;
            }
            voidUpTo = Long.MAX_VALUE;
            // Change the state even of a Detached holder: a pending attach must find a changed state, with the reason.
            state = before.to(SnowcastSequenceState.Detached, reason);
        }
        return end(before, reason);
    }

    private synchronized boolean isClosed() {
        return voidUpTo == Long.MAX_VALUE;
    }
}
