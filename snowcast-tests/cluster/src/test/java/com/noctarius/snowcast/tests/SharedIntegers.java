// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An integer sequence that many use, with the definition that it has at present. Thread-safe: nobody creates with a
 * definition that was just replaced, and nobody says where to go on while it is looked whether all wait for that.
 */
final class SharedIntegers {
    private static final int BLOCK_SIZE = 10;
    /** More than all holders of a run have reserved and not drawn. */
    private static final long MARGIN = 100_000;

    private static final String LOST = "all replicas of its pool were lost at ";

    private final String name;
    private final int backupCount;
    private final Kind kind;
    private final boolean formerIncarnationsReturn;
    private final @Nullable MemoryBlockStore store;
    private final IntegerLedger ledger;
    private final RealTimeOrder order = new RealTimeOrder();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    // --- guarded by the lock
    private long lastValue = Long.MAX_VALUE;
    private long decided;

    /** Which integers there are. */
    enum Kind {
        /** In the order of calls on one instance, from a pool of the cluster. */
        COUNTED(Ordering.STRICT, "strict"),
        /** From a store of its own, which outlives the cluster. */
        OF_STORE(Ordering.STRICT, "none"),
        /** In the order of calls over the cluster. */
        IN_CLUSTER_ORDER(Ordering.CLUSTER, "cluster");

        private final Ordering configured;
        private final String ordering;

        Kind(Ordering configured, String ordering) {
            this.configured = configured;
            this.ordering = ordering;
        }

        /** Returns the order that an instance's integers have. */
        String ordering() {
            return ordering;
        }

        boolean isOrdered() {
            return this != OF_STORE;
        }
    }

    /**
     * Makes one that nobody has created yet.
     *
     * @param formerIncarnationsReturn whether an incarnation that was destroyed on one side of a split goes on after
     *     the merge
     */
    SharedIntegers(String name, int backupCount, Kind kind, boolean formerIncarnationsReturn, IntegerLedger ledger) {
        this.name = name;
        this.backupCount = backupCount;
        this.kind = kind;
        this.formerIncarnationsReturn = formerIncarnationsReturn;
        this.store = kind == Kind.OF_STORE ? new MemoryBlockStore() : null;
        this.ledger = ledger;
    }

    String name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    /** Returns the order of all calls. */
    RealTimeOrder order() {
        return order;
    }

    int backupCount() {
        return backupCount;
    }

    private IntegerSequence create(Function<IntegerSequenceConfig, IntegerSequence> creation) {
        for (long candidate = lastValue; ; candidate++) {
            try {
                return creation.apply(config(candidate));
            } catch (IntegerSequenceAlreadyRegisteredException e) {
                if (!formerIncarnationsReturn || candidate == Long.MAX_VALUE) {
                    throw e;
                }
            }
        }
    }

    private IntegerSequenceConfig config(long candidate) {
        IntegerSequenceConfig.Builder config = IntegerSequenceConfig.builder(name)
                .lastValue(candidate)
                .backupCount(backupCount)
                .ordering(kind.configured)
                .maxWait(Duration.ofSeconds(1));
        if (kind != Kind.IN_CLUSTER_ORDER) {
            config.blockSize(BLOCK_SIZE);
        }
        if (store != null) {
            config.store(store);
        }
        return config.build();
    }

    /** Returns the instance of a participant, which is created if need be. */
    IntegerSequence of(Participant participant) {
        lock.readLock().lock();
        try {
            return create(SnowcastSystem.snowcast(participant.instance())::createIntegerSequence);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Destroys it; the next creation has another definition. */
    void destroy(Participant by) {
        lock.writeLock().lock();
        try {
            Snowcast snowcast = SnowcastSystem.snowcast(by.instance());
            snowcast.destroyIntegerSequence(create(snowcast::createIntegerSequence));
            lastValue--;
        } finally {
            lock.writeLock().unlock();
        }
    }

    // --- losses

    static boolean isLoss(SnowcastException failure) {
        return String.valueOf(failure.getMessage()).contains(LOST);
    }

    /**
     * Says where to go on after a loss, as an operator would: above all that somebody has. Has no effect if there was
     * none, or if one came after this call.
     */
    void decide(Participant by) {
        lock.writeLock().lock();
        try {
            // First: what is handed out after a later loss may not be known here.
            Instant lostBefore = Instant.now();
            decided = Math.max(decided, ledger.highest(name)) + MARGIN;
            Snowcast snowcast = SnowcastSystem.snowcast(by.instance());
            create(config -> snowcast.resumeIntegerSequence(config, decided, lostBefore));
        } catch (IntegerSequenceNotLostException | IntegerSequenceUnknownException e) {
            // There was no loss: the next use creates it.
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Runs something that loses the pool, and fails if it then goes on without being told where. */
    void requireRefusedAfter(Runnable loss, Supplier<HazelcastInstance> survivor) {
        lock.writeLock().lock();
        try {
            loss.run();
            Await.until("a refusal of " + name, () -> isRefused(survivor.get()));
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** By a holder that has nothing in hand. */
    private boolean isRefused(HazelcastInstance survivor) {
        try {
            IntegerSequence created = create(ManyHolders.snowcast(survivor)::createIntegerSequence);
            throw new AssertionError("its pool was lost, and this goes on: " + created);
        } catch (SnowcastIllegalStateException e) {
            return isLoss(e);
        } catch (SnowcastException e) {
            return false; // No answer yet.
        }
    }
}
