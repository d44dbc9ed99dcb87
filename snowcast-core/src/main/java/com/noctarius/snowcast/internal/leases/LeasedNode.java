// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A lease of a worker ID (node ID) for a generator of another library. Each of its grants has a {@link Guard}. */
final class LeasedNode extends GrantHolder implements NodeLease {
    private final Log log;
    private final AtomicBoolean hasGenerator = new AtomicBoolean();
    private volatile boolean isClosedByUser;

    private final List<IntConsumer> lostListeners = new CopyOnWriteArrayList<>();
    private final List<IntConsumer> changedListeners = new CopyOnWriteArrayList<>();
    /** Set from the submission of {@link #tell} until the end of that call. */
    final AtomicBoolean tellRequested = new AtomicBoolean();
    /**
     * The last grant that was passed to the listeners or returned to the creator of this lease; null if there is none,
     * or if it was lost. Written by one thread at a time.
     */
    private volatile @Nullable HeldGrant told;

    LeasedNode(GrantRequests requests, Log log, Keeper keeper) {
        super(requests, log, keeper);
        this.log = log;
    }

    @Override
    GrantInUse begin(GrantInUse.Terms terms, long randomSalt) {
        return new Guard(name(), terms, requests.clock, requests.counts, keeper);
    }

    // --- the node ID

    @Override
    public String name() {
        return requests.name;
    }

    @Override
    public int maxNodeCount() {
        return requests.definition.leasedNodeCount();
    }

    @Override
    public int nodeId() {
        return guard().logicalNodeId();
    }

    @Override
    public Instant validFrom() {
        return Instant.ofEpochMilli(guard().validFromMillis());
    }

    @Override
    public Instant validUntil() {
        return Instant.ofEpochMilli(guard().ceiling());
    }

    private Guard guard() {
        HolderState now = state();
        HeldGrant inUse = now.unsealed();
        if (inUse == null) {
            throw new SnowcastStateException(requests.subject + " has no node ID: " + history.whyNotInUse(now));
        }
        return (Guard) inUse.inUse();
    }

    @Override
    public NodeLease.Generator generator(
            IntFunction<? extends LongSupplier> newGenerator, LongUnaryOperator timestampMillis) {
        Objects.requireNonNull(newGenerator, "newGenerator");
        Objects.requireNonNull(timestampMillis, "timestampMillis");
        if (!hasGenerator.compareAndSet(false, true)) {
            throw new IllegalStateException(requests.subject
                    + " has a guarded generator already, and two with one node ID would repeat each other's IDs: use the one"
                    + " that was returned first");
        }
        boolean isMade = false;
        try {
            NodeLease.Generator made = new GuardedGenerator(this, newGenerator, timestampMillis);
            isMade = true;
            return made;
        } finally {
            hasGenerator.set(isMade);
        }
    }

    // --- listeners

    @Override
    public void onLost(IntConsumer listener) {
        lostListeners.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void onChanged(IntConsumer listener) {
        changedListeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Attaches this lease for the first time, without a call of the listeners. */
    void attachFirst() {
        attach();
        told = state().unsealed();
    }

    /** Returns whether the listeners must be notified of a new grant, or of the loss of the last grant. */
    boolean hasNews() {
        return !Objects.equals(usable(), told) && !isClosedByUser;
    }

    /** Notifies the listeners, which may block. */
    void tell() {
        try {
            HeldGrant before = told;
            HeldGrant now = usable();
            told = now;
            if (before != null && !before.equals(now)) {
                tell(lostListeners, before);
            }
            if (now != null && !now.equals(before)) {
                tell(changedListeners, now);
            }
        } finally {
            tellRequested.set(false);
        }
    }

    private void tell(List<IntConsumer> listeners, HeldGrant grant) {
        for (IntConsumer listener : listeners) {
            try {
                listener.accept(grant.grant().logicalNodeId());
            } catch (RuntimeException | Error e) {
                log.warning("A listener failed: " + listener, e);
            }
        }
    }

    private @Nullable HeldGrant usable() {
        HeldGrant inUse = state().unsealed();
        return inUse != null && inUse.inUse().remainingMillis() > 0 ? inUse : null;
    }

    // --- the end

    @Override
    public void close() {
        isClosedByUser = true;
        DetachRequest release = close("it was closed");
        keeper.forget(this);
        if (release != null) {
            release(release);
        }
    }

    @Override
    boolean isOver() {
        return super.isOver() || isClosedByUser;
    }

    // --- stats

    @Override
    SnowcastSequencer.Stats holderStats() {
        return history.stats(state(), 0, Duration.ZERO, Optional.empty());
    }

    @Override
    public NodeLease.Stats stats() {
        SnowcastSequencer.Stats stats = holderStats();
        return new NodeLease.Stats(
                stats.state(),
                stats.logicalNodeId(),
                stats.lease(),
                stats.leaseRemaining(),
                stats.problem(),
                stats.waitCount(),
                stats.waitTime(),
                stats.renewalCount(),
                stats.renewalFailureCount(),
                stats.leaseLossCount());
    }

    @Override
    public String toString() {
        SnowcastSequenceState state = state().state;
        return "NodeLease{name=" + requests.name + ", state=" + state + ", maxNodeCount=" + maxNodeCount() + '}';
    }
}
