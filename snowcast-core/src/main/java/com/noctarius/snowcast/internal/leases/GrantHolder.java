// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holds one grant of a sequencer or node lease after another: asks for it, gives it back, and replaces it if it is not
 * extended.
 *
 * <p>Two locks, never the other way round: {@link #transition} is held through a whole attach or detach, round trip
 * included, so that a holder has one request under way at a time; the monitor of this object is held for the moment in
 * which the {@link #state} changes, so that a destruction need not wait for a round trip. Neither is touched by the
 * calls that generate IDs: they read the state, and the attachment in it decides.
 *
 * <p>It is the superclass of {@link Sequencer} and {@link LeasedNode} and not one of their parts, so that a generating
 * call reads the state from the object that it was called on: a part of its own would cost each ID one more dependent
 * load.
 */
abstract class GrantHolder {
    private static final int MAX_VOID_GRANTS = 100;

    final GrantRequests requests;
    final LeaseHistory history;
    private final HolderRegistry leases;
    private final WaitQueue reattachments;
    /** Set from the request for a {@link #reattach} to its end, so that one blocked task does not become many. */
    final AtomicBoolean reattachRequested = new AtomicBoolean();

    private final ReentrantLock transition = new ReentrantLock();

    /** Written under the monitor, read by everybody. */
    private volatile HolderState state =
            new HolderState(SnowcastSequenceState.Detached, null, "it was not attached yet");

    /** Grants of incarnations up to this one are void, also those under way. Guarded by the monitor. */
    private long voidUpTo;
    /** How often all grants became void, also those under way. Guarded by the monitor. */
    private long clusterChanges;

    GrantHolder(GrantRequests requests, Log log, HolderRegistry leases) {
        this.requests = requests;
        this.history = new LeaseHistory(requests, log);
        this.leases = leases;
        this.reattachments = new WaitQueue(requests.clock);
    }

    // --- the present grant

    final HolderState state() {
        return state;
    }

    final SnowcastStateException notIn(SnowcastSequenceState wanted, HolderState now) {
        boolean canAttach = now.state == SnowcastSequenceState.Detached && !isClosed();
        return new SnowcastStateException(requests.subject + " must be " + wanted + ": it is " + now.state
                + (now.reason.isEmpty() ? "" : ", " + now.reason)
                + (canAttach ? howToAttach() : ""));
    }

    /** Returns the grant that IDs are issued under; fails if it is not Attached. */
    final GrantInUse grantInUse() {
        HolderState now = state;
        GrantInUse present = now.grantInUse;
        if (present == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return present;
    }

    /** Returns the grant that follows a sealed one; waits for it. Fails if this was detached or destroyed. */
    final GrantInUse successorOf(GrantInUse sealed) throws InterruptedException {
        if (grantInUse() == sealed) {
            requests.requireTimeLeft(); // Then none follows, and a call need not wait to find that out.
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

    /** Ends what a call throws that came before an attach. */
    abstract String howToAttach();

    /** Asks for another grant than a sealed one and waits for it; returns false if it takes too long. */
    private boolean awaitSuccessorOf(GrantInUse sealed) throws InterruptedException {
        leases.request(this);
        long startNanos = requests.counts.waits.begin(requests.clock);
        try {
            return reattachments.await(
                    () -> state.grantInUse == sealed ? WaitQueue.UNTIL_WOKEN : 0, GrantInUse.MAX_LEASE_WAIT);
        } finally {
            requests.counts.waits.end(requests.clock, startNanos);
        }
    }

    // --- attach

    /** Asks for a grant; blocks. The first one creates the sequencer in the cluster if it is not there. */
    final void attach() {
        transition.lock();
        try {
            HolderState before = state;
            if (before.state != SnowcastSequenceState.Detached) {
                throw notIn(SnowcastSequenceState.Detached, before);
            }
            // A grant that becomes void while it is under way is no failure of the call: it asks for the next.
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

    /** Asks for a grant; returns false if it became void on its way for a reason that does not concern the next one. */
    private boolean attach(HolderState before) {
        long incarnation = before.incarnation();
        if (isClosed()) {
            throw cannotBeAttached();
        }
        long clusterChangesBefore = clusterChanges();
        long startNanos = requests.clock.nanos();
        HeldGrant held = requests.attach(incarnation, leases.of(this));
        if (held == null && incarnation == 0) {
            return false;
        }
        if (held == null) {
            leases.destroyed(this, incarnation);
            throw cannotBeAttached();
        }
        if (move(before, new HolderState(SnowcastSequenceState.Attached, held, ""), clusterChangesBefore)) {
            leases.attached(this);
            history.attached(held.grant(), before.lost(), requests.clock.nanos() - startNanos);
            return true;
        }
        giveBack(end(held));
        if (state == before && (incarnation == 0 || clusterChanges() != clusterChangesBefore)) {
            return false;
        }
        throw cannotBeAttached();
    }

    private SnowcastStateException cannotBeAttached() {
        return new SnowcastStateException(requests.subject + " cannot be attached: " + state.reason);
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
            HolderState before = state;
            HeldGrant held = before.held;
            if (before.state != SnowcastSequenceState.Attached || held == null) {
                throw notIn(SnowcastSequenceState.Attached, before);
            }
            // The state first: a thread that finds the attachment sealed must find a reason, too.
            if (!detach(before)) {
                throw notIn(SnowcastSequenceState.Attached, state);
            }
            DetachRequest givenBack = end(held);
            history.detached(held, "the application detached it");
            giveBack(givenBack);
        } finally {
            transition.unlock();
        }
    }

    private synchronized boolean detach(HolderState before) {
        if (state != before) {
            return false;
        }
        state = before.to(SnowcastSequenceState.Detached, "it was detached");
        return true;
    }

    /** Ends the use of a grant that is not the present one any more; returns what to give back. */
    private DetachRequest end(HeldGrant held) {
        DetachRequest givenBack = requests.seal(held);
        requests.startAbove(held);
        reattachments.wake();
        return givenBack;
    }

    /** Gives a node ID back; blocks. What fails is logged: the lease ends by itself. */
    final void giveBack(DetachRequest givenBack) {
        try {
            requests.source.detach(List.of(givenBack));
        } catch (RuntimeException e) {
            history.giveBackFailed(givenBack, e);
        }
    }

    // --- extend: an answer that comes after the grant has ended does nothing

    /** The cluster has answered with a ceiling; IDs go on up to it, if the lease is longer than it was. */
    final void extended(HeldGrant held, ExtendRequest request, long ceiling) {
        if (ceiling <= request.ceiling()) {
            extensionFailed(
                    held,
                    "the lease cannot be longer yet: it ends further ahead of cluster time than a lease and the allowed clock"
                            + " skew reach");
        } else if (held.equals(state.unsealed())) {
            requests.source.observer().extended(request, ceiling);
            held.inUse().extend(ceiling);
            held.inUse().grantedFrom(Math.max(ceiling - held.grant().leaseMillis(), request.holderNow()));
            history.extended();
        }
    }

    /** The cluster cannot be asked, or cannot answer, since when and why the reason says. */
    final void extensionFailed(HeldGrant held, String reason) {
        if (held.equals(state.unsealed())) {
            held.inUse().extensionFailed(reason);
            history.extensionFailed();
        }
    }

    /** The cluster does not know the grant any more. */
    final void extensionRefused(HeldGrant held) {
        HolderState now = state;
        if (held.equals(now.held)) {
            loseGrant(now, "it is no longer granted to this holder");
        }
    }

    // --- lose the lease, and attach to another node ID

    /** Voids all grants, also those under way, and seals the present attachment, if any; {@link #reattach} follows. */
    final void clusterChanged(String reason) {
        HolderState now;
        synchronized (this) {
            clusterChanges++;
            now = state;
        }
        loseGrant(now, reason);
    }

    /** Gives up a grant that is of no use; {@link #reattach} follows. */
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
            leases.request(this);
        }
    }

    /** Tries to attach again after a grant was lost or given up; blocks. What fails is logged and tried again. */
    final void reattach() {
        transition.lock();
        try {
            HolderState before = state;
            HeldGrant lost = before.lost();
            if (lost == null) {
                return;
            }
            requests.startAbove(lost);
            attach(before);
        } catch (RuntimeException e) {
            history.attachFailed(e, state.lost() != null);
        } finally {
            transition.unlock();
            reattachRequested.set(false);
            reattachments.wake();
        }
    }

    /** Returns stats with what is common to sequencers and node leases; for metrics of both. */
    abstract SequencerStats holderStats();

    // --- the end

    /** Whether another one may take its place under the name. */
    boolean isOver() {
        return state.state == SnowcastSequenceState.Destroyed;
    }

    /** Whether it is or was attached, and was not destroyed. */
    final boolean wasCreated() {
        HolderState now = state;
        return now.held != null && now.state != SnowcastSequenceState.Destroyed;
    }

    /**
     * Makes this instance Destroyed if it belongs to an incarnation up to the given one. Never waits for a round trip;
     * an attach that is under way finds its grant void and gives it back. Returns what to give back to the cluster.
     */
    final @Nullable DetachRequest destroyUpTo(long incarnation) {
        HolderState before;
        synchronized (this) {
            voidUpTo = Math.max(voidUpTo, incarnation);
            before = state;
            if (before.held == null || before.incarnation() > incarnation) {
                return null;
            }
            state = before.to(SnowcastSequenceState.Destroyed, "it was destroyed");
        }
        return destroyed(before);
    }

    /**
     * The same as its user asks, also if it was never attached: the user's name is free then, and an instance that
     * attached later would hear of no shutdown and of no other cluster.
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
        DetachRequest givenBack = held == null ? null : requests.seal(held);
        leases.detached(this);
        reattachments.wake();
        if (held != null && before.state == SnowcastSequenceState.Attached) {
            history.detached(held, "it was destroyed");
        }
        return before.state == SnowcastSequenceState.Detached ? null : givenBack;
    }

    /** Seals for good, as Detached, as the {@code HazelcastInstance} shuts down. Returns what to give back. */
    final @Nullable DetachRequest close(String reason) {
        HeldGrant held;
        synchronized (this) {
            HolderState before = state;
            if (isClosed() || before.state == SnowcastSequenceState.Destroyed) {
                return null;
            }
            voidUpTo = Long.MAX_VALUE;
            // Also if it is Detached: an attach that is under way must find another state, and the reason.
            state = before.to(SnowcastSequenceState.Detached, reason);
            held = before.state == SnowcastSequenceState.Attached ? before.held : null;
        }
        if (held == null) {
            return null;
        }
        DetachRequest givenBack = requests.seal(held);
        reattachments.wake();
        history.detached(held, reason);
        return givenBack;
    }

    private synchronized boolean isClosed() {
        return voidUpTo == Long.MAX_VALUE;
    }
}
