// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one sequence of one process, from its pool in the cluster. It is a holder: it has one request under
 * way, and one whose outcome is not known is made again, with the same number, before another one is.
 */
final class ClusterBlockStore implements BlockStore {
    private final String name;
    final PoolDefinition definition;
    final PoolCoordinator coordinator;
    private final UUID holder;

    /** The highest incarnation that is known to be destroyed, also before this one knows its own. */
    private final AtomicLong destroyedUpTo = new AtomicLong();

    /** The highest integer that it was ever given; -1 if none. */
    private final AtomicLong highestGiven = new AtomicLong(-1);

    /** Counts how often the cluster changed; what was asked of a former one is not used. */
    private final AtomicInteger clusterChanges = new AtomicInteger();

    private volatile boolean ended;

    /** Ends the sequence that this store is for. Set before the first request. */
    private Runnable whenDestroyed = () -> {};

    /** Not a monitor: virtual threads are not to be pinned. Held for a round trip. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Written under the lock, as all that follows. */
    private volatile long incarnation;
    /** The number of changes of the cluster when the cluster last gave an answer. */
    private volatile int clusterChangesAnswered;
    // --- guarded by the lock
    private @Nullable ReserveRequest unanswered;
    private long requestNumber;
    private long version = GiveBackRequest.REFUSED;
    private int clusterChangesSeen;

    ClusterBlockStore(String name, PoolDefinition definition, PoolCoordinator coordinator) {
        this.name = name;
        this.definition = definition;
        this.coordinator = coordinator;
        this.holder = coordinator.newHolder();
    }

    /** Creates the sequence in the cluster, or learns of it. */
    void open(ReserveRequest.@Nullable AfterLoss afterLoss) {
        lock.lock();
        try {
            forgetIfClusterChanged();
            ReserveRequest request = ReserveRequest.toOpen(name, definition, holder, highestGiven.get(), afterLoss);
            accept(Objects.requireNonNull(send(request), "a request of no incarnation is never too late"));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the incarnation of the sequence; 0 before it is known. */
    long incarnation() {
        return incarnation;
    }

    // --- blocks

    @Override
    public Block reserve(String sequence, long size) {
        if (!sequence.equals(name) || size < 1) {
            throw new IllegalArgumentException(
                    "sequence must be " + name + " and size >= 1: " + sequence + ", " + size);
        }
        lock.lock();
        try {
            return reserve(size);
        } catch (SnowcastStateException e) {
            throw e;
        } catch (SnowcastException e) {
            throw new BlockStoreException(
                    "sequence " + name + ": could not reserve " + size + " in " + this + ": " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    private Block reserve(long size) {
        ReserveRequest request = requestFor(size);
        unanswered = request;
        Reservation reservation = ask(request);
        unanswered = null;
        return received(request, Objects.requireNonNull(reservation.block(), "a block for a request of some size"));
    }

    private Block received(ReserveRequest request, Block block) {
        coordinator.blockObserver().reserved(request, incarnation, block);
        highestGiven.accumulateAndGet(block.last(), Math::max);
        return block;
    }

    /** As {@link #reserve}, but without a wait; fails also for what a second try may help. */
    CompletableFuture<Block> reserveAsync(long size) {
        int before = clusterChanges.get();
        long known = incarnation;
        boolean isKnown = !isUnconfirmed() && !ended && !isDestroyed();
        if (!isKnown || !lock.tryLock()) {
            return CompletableFuture.failedFuture(new BlockStoreException("sequence " + name + " may have to wait"));
        }
        try {
            ReserveRequest request = request(++requestNumber, size);
            return coordinator.reserveAsync(request).thenApply(reservation -> {
                Block block = reservation.incarnation() == known ? reservation.block() : null;
                if (block == null || before != clusterChanges.get()) {
                    throw new BlockStoreException(
                            "sequence " + name + " has another incarnation, or is in another cluster");
                }
                return received(request, block);
            });
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the request whose outcome is not known, or a new one; always a new one in the order of the cluster, as
     * the answer to a former one may be older than the calls that wait by now. And one that would create the sequence
     * is not made again once it is known: it would create a destroyed one again.
     */
    private ReserveRequest requestFor(long size) {
        forgetIfClusterChanged();
        ReserveRequest before = unanswered;
        return before != null
                        && before.incarnation() == incarnation
                        && before.size() <= size
                        && !definition.isInClusterOrder()
                ? before
                : request(++requestNumber, size);
    }

    private ReserveRequest request(long number, long size) {
        return new ReserveRequest(name, definition, incarnation, holder, number, size, highestGiven.get(), null);
    }

    /** Asks, and follows the answer; what was asked of another cluster is not used. */
    private Reservation ask(ReserveRequest request) {
        if (ended || isDestroyed()) {
            throw new SnowcastStateException("integer sequence " + name + " was closed or destroyed");
        }
        int before = clusterChangesSeen;
        Reservation reservation = send(request);
        if (before != clusterChanges.get()) {
            throw new BlockStoreException("sequence " + name + ": the cluster changed while it was asked for a block");
        }
        if (reservation == null) {
            destroyed(request.incarnation());
            whenDestroyed.run();
            throw new SnowcastStateException("integer sequence " + name + " was destroyed");
        }
        accept(reservation);
        return reservation;
    }

    /** A sequence that was there and has another definition now is another one: a merge has ended this one. */
    private @Nullable Reservation send(ReserveRequest request) {
        try {
            return coordinator.reserve(request);
        } catch (IntegerSequenceAlreadyRegisteredException e) {
            destroyed(incarnation);
            throw e;
        } catch (IllegalArgumentException e) {
            // The owner has another opinion of the time; not for good, as what a store says would be.
            throw new BlockStoreException("sequence " + name + ": " + e.getMessage(), e);
        }
    }

    private void accept(Reservation reservation) {
        clusterChangesAnswered = clusterChangesSeen;
        incarnation = reservation.incarnation();
        version = reservation.version();
        closeIfDestroyed(); // while the answer was on its way
    }

    /** What was agreed with another cluster means nothing to this one. */
    private void forgetIfClusterChanged() {
        int present = clusterChanges.get();
        if (clusterChangesSeen != present) {
            clusterChangesSeen = present;
            unanswered = null;
            version = GiveBackRequest.REFUSED;
        }
    }

    // --- the end

    @Override
    public void giveBack(String sequence, Block rest) {
        if (ended || isDestroyed()) {
            return; // Not to wait for a request that is under way.
        }
        lock.lock();
        try {
            if (clusterChangesSeen != clusterChanges.get() || version == GiveBackRequest.REFUSED) {
                return;
            }
            GiveBackRequest request = new GiveBackRequest(name, incarnation, holder, rest, version);
            coordinator.blockObserver().givenBack(holder, request);
            version = coordinator.giveBack(request);
        } catch (SnowcastException e) {
            throw new BlockStoreException(
                    "sequence " + name + ": could not give " + rest + " back to " + this + ": " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Whether its incarnation was destroyed, as far as is known. Does not block. */
    boolean isDestroyed() {
        long own = incarnation;
        return own != 0 && own <= destroyedUpTo.get();
    }

    /** Tells that incarnations up to one were destroyed, and ends the sequence if it belongs to one. Does not block. */
    void destroyed(long upTo) {
        destroyedUpTo.accumulateAndGet(upTo, Math::max);
        closeIfDestroyed();
    }

    private void closeIfDestroyed() {
        if (isDestroyed()) {
            whenDestroyed.run();
        }
    }

    void whenDestroyed(Runnable action) {
        whenDestroyed = action;
    }

    /** Gives up what was agreed with the cluster: it is another one now. Does not block. */
    void clusterChanged() {
        clusterChanges.incrementAndGet();
    }

    /** Whether it is not known that the present cluster has the sequence. Does not block. */
    boolean isUnconfirmed() {
        return incarnation == 0 || clusterChangesAnswered != clusterChanges.get();
    }

    /** Asks nothing of the cluster any more. Does not block. */
    void end() {
        ended = true;
    }

    @Override
    public String toString() {
        return "Hazelcast";
    }
}
