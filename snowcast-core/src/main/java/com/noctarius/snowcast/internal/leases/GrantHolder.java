// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Locks;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Acquires, replaces and releases leases of node IDs for one sequencer or node lease, which has one lease at a time.
 *
 * <p>A holder has two locks: {@link #transition} and its monitor. A thread holds {@link #transition} during a whole
 * attach or detach, including the round trip, so that the holder has at most one pending attach request. A thread that
 * takes both locks takes the monitor second. A thread holds the monitor only while it reads or changes fields, so that
 * a destruction waits for no round trip. Calls that generate IDs take neither lock: they read the state, whose grant
 * decides which IDs they get.
 *
 * <p>This class is the superclass of {@link Sequencer} and {@link LeasedNode} and not a field of them, because a field
 * would cost each ID one more dependent load.
 */
abstract class GrantHolder {
    private static final int MAX_VOID_GRANTS = 100;

    final GrantRequests requests;
    final LeaseHistory history;
    private final Keeper keeper;
    private final WaitQueue reattachments;
    /** Set from the submission of {@link #reattach} until the end of that task, so that no second task is submitted. */
    final AtomicBoolean reattachRequested = new AtomicBoolean();

    private final ReentrantLock transition = new ReentrantLock();

    /** Written under the monitor, read by all threads. */
    private volatile HolderState state =
            new HolderState(SnowcastSequenceState.Detached, null, "it was not attached yet");

    /**
     * The pending first grant is void if its incarnation is at most this number, because the incarnation was destroyed
     * after the request; {@link Long#MAX_VALUE} once this holder is closed. Guarded by the monitor.
     */
    private long voidUpTo;
    /** Counts the changes to another cluster, which void even pending grants. Guarded by the monitor. */
    private long clusterChanges;

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
        GrantInUse present = now.grantInUse;
        if (present == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return present;
    }

    /**
     * Waits for the grant that replaces a sealed grant. Throws if no grant follows in time, if the layout's time is
     * used up, or if this holder is Detached or Destroyed.
     */
    final GrantInUse successorOf(GrantInUse sealed) throws InterruptedException {
        if (grantInUse() == sealed) {
            requests.requireTimeLeft(); // After the end of the layout's time no grant follows: do not wait.
        }
        if (grantInUse() == sealed && !awaitSuccessorOf(sealed)) {
            requests.requireTimeLeft();
            throw new SnowcastStateException(requests.subject + " lost the lease of node ID "
                    + sealed.logicalNodeId() + " and was not attached to another within "
                    + GrantInUse.MAX_LEASE_WAIT + ": "
                    + history.whyNotReplaced("there was no answer yet"));
        }
        return grantInUse();
    }

    /** Requests a replacement of a sealed grant, and waits for it; returns false if the replacement takes too long. */
    private boolean awaitSuccessorOf(GrantInUse sealed) throws InterruptedException {
        keeper.requestCheck();
        long startNanos = requests.counts.waits.begin(requests.clock);
        try {
            return reattachments.await(
                    () -> state.grantInUse == sealed ? WaitQueue.UNTIL_WOKEN : 0, GrantInUse.MAX_LEASE_WAIT);
        } finally {
            requests.counts.waits.end(requests.clock, startNanos);
        }
    }

    // --- attach

    /** Attaches this holder; blocks. The first attach creates the sequencer or node lease if it does not exist. */
    final void attach() {
        Locks.acquire(transition, requests.subject, "another request of it had ended");
        try {
            HolderState before = state;
            if (before.state != SnowcastSequenceState.Detached) {
                throw notIn(SnowcastSequenceState.Detached, before);
            }
            // If a grant becomes void before it arrives, request another one instead of failing.
            for (int i = 0; !attach(before); i++) {
                if (i == MAX_VOID_GRANTS - 1) {
                    throw new SnowcastException(requests.subject + ": its grant became void " + MAX_VOID_GRANTS
                            + " times while it was under way");
                }
            }
        } finally {
            transition.unlock();
        }
    }

    /**
     * Requests a grant and makes it the present grant; returns false if the grant is void or missing, but a new request
     * may succeed.
     */
    private boolean attach(HolderState before) {
        long incarnation = before.incarnation();
        long clusterChangesBefore = beginRequest();
        HeldGrant held = requests.attach(incarnation, keeper.renewerOf(this));
        if (held == null && incarnation == 0) {
            return false;
        }
        if (held == null) {
            keeper.destroyed(this, incarnation);
            throw cannotBeAttached();
        }
        if (move(before, new HolderState(SnowcastSequenceState.Attached, held, ""), clusterChangesBefore)) {
            history.attached(held.grant(), before.sealed());
            if (before.held == null) {
                history.warnOfEnds();
            }
            return true;
        }
        release(end(held));
        if (state == before && (incarnation == 0 || clusterChanges() != clusterChangesBefore)) {
            return false;
        }
        throw cannotBeAttached();
    }

    private SnowcastStateException cannotBeAttached() {
        return new SnowcastStateException(requests.subject + " cannot be attached: " + state.reason);
    }

    /** Returns the number of {@link #clusterChanges} before a request; throws if this holder is closed. */
    private synchronized long beginRequest() {
        if (isClosed()) {
            throw cannotBeAttached();
        }
        // A destruction before the request does not void its grant: after a merge or a loss of data, the cluster may
        // continue an incarnation whose destruction it has forgotten.
        voidUpTo = 0;
        return clusterChanges;
    }

    private synchronized long clusterChanges() {
        return clusterChanges;
    }

    private synchronized boolean move(HolderState before, HolderState after, long clusterChangesBefore) {
        if (state != before
                || clusterChanges != clusterChangesBefore
                || (after.held != null && after.held.grant().incarnation() <= voidUpTo)) {
            return false;
        }
        state = after;
        return true;
    }

    // --- detach

    final void detach() {
        transition.lock();
        try {
            // Change the state before the seal: a thread that finds the grant sealed must find the reason in the state.
            HolderState before = toDetached();
            HeldGrant held = before.held;
            if (before.state != SnowcastSequenceState.Attached || held == null) {
                throw notIn(SnowcastSequenceState.Attached, before);
            }
            DetachRequest release = end(held);
            history.detached(held, "the application detached it");
            release(release);
        } finally {
            transition.unlock();
        }
    }

    /** Makes this holder Detached if it is Attached; returns the state before. */
    private synchronized HolderState toDetached() {
        HolderState before = state;
        if (before.state == SnowcastSequenceState.Attached) {
            state = before.to(SnowcastSequenceState.Detached, "it was detached");
        }
        return before;
    }

    /** Seals a grant that is not the present one; returns the request that releases it. */
    private DetachRequest end(HeldGrant held) {
        DetachRequest release = requests.seal(held);
        requests.startAbove(held);
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

    /**
     * Raises the ceiling of a renewed grant. A ceiling that is not above the request's ceiling counts as a failed
     * renewal.
     */
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
            history.renewed();
        }
    }

    /** Records a failed renewal, with the reason for messages. */
    final void renewalFailed(HeldGrant held, String reason) {
        if (held.equals(state.unsealed())) {
            held.inUse().renewalFailed(reason);
            history.renewalFailed();
        }
    }

    /** Handles a refused renewal, which means that the cluster or database does not have the grant. */
    final void renewalRefused(HeldGrant held) {
        HolderState now = state;
        if (held.equals(now.held)) {
            loseGrant(now, "it is no longer granted to this holder");
        }
    }

    // --- lose a lease, and attach to another node ID

    /** Voids all grants, even pending ones. Seals the present grant, and requests a {@link #reattach}. */
    final void clusterChanged(String reason) {
        HolderState now;
        synchronized (this) {
            clusterChanges++;
            now = state;
        }
        loseGrant(now, reason);
    }

    /** Gives up a grant that the holder can no longer use, and requests a {@link #reattach}. */
    final void giveUp(GrantInUse useless, String reason) {
        HolderState now = state;
        if (now.grantInUse == useless) {
            loseGrant(now, reason);
        }
    }

    private void loseGrant(HolderState now, String reason) {
        HeldGrant held = now.held;
        if (now.state == SnowcastSequenceState.Attached && held != null) {
            history.lost(held.grant(), reason);
            requests.seal(held);
            keeper.requestCheck();
        }
    }

    /**
     * Attaches again after the holder has lost or given up a grant; blocks. Does not throw, because the keeper retries.
     */
    final void reattach() {
        transition.lock();
        try {
            HolderState before = state;
            HeldGrant sealed = before.sealed();
            if (sealed == null) {
                return;
            }
            requests.startAbove(sealed);
            attach(before);
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
        return now.held != null && now.state != SnowcastSequenceState.Destroyed;
    }

    /**
     * Makes this holder Destroyed if its present or last grant is of the given incarnation or an earlier one. Never
     * waits for a round trip: a pending attach finds its grant void, and releases the grant. Does nothing if the last
     * grant is of a later incarnation: should a pending grant be of the destroyed one, its first renewal finds that
     * out. Returns the request that releases the present grant, or null.
     */
    final @Nullable DetachRequest destroyUpTo(long incarnation) {
        HolderState before;
        synchronized (this) {
            before = state;
            if (before.held == null) {
                voidUpTo = Math.max(voidUpTo, incarnation);
                return null;
            }
            if (before.incarnation() > incarnation) {
                return null;
            }
            state = before.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        return destroyed(before);
    }

    /**
     * Makes this holder Destroyed at the application's request, even if it was never attached. Afterwards another
     * holder may take the name. This holder can no longer attach: its instance no longer knows it, and would not tell
     * it about a shutdown or a change of cluster.
     */
    final @Nullable DetachRequest destroy() {
        HolderState before;
        synchronized (this) {
            before = state;
            state = before.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        return destroyed(before);
    }

    private @Nullable DetachRequest destroyed(HolderState before) {
        HeldGrant held = before.held;
        DetachRequest release = held == null ? null : requests.seal(held);
        reattachments.wake();
        if (held != null && before.state == SnowcastSequenceState.Attached) {
            history.detached(held, "it was destroyed");
        }
        return before.state == SnowcastSequenceState.Detached ? null : release;
    }

    /**
     * Makes this holder Detached permanently unless it is Destroyed, and seals its present grant. Returns the request
     * that releases this grant, or null.
     */
    final @Nullable DetachRequest close(String reason) {
        HeldGrant held;
        synchronized (this) {
            HolderState before = state;
            if (isClosed() || before.state == SnowcastSequenceState.Destroyed) {
                return null;
            }
            voidUpTo = Long.MAX_VALUE;
            // Change the state even of a Detached holder: a pending attach must find a changed state, with the reason.
            state = before.to(SnowcastSequenceState.Detached, reason);
            held = before.state == SnowcastSequenceState.Attached ? before.held : null;
        }
        if (held == null) {
            return null;
        }
        DetachRequest release = requests.seal(held);
        reattachments.wake();
        history.detached(held, reason);
        return release;
    }

    private synchronized boolean isClosed() {
        return voidUpTo == Long.MAX_VALUE;
    }
}
