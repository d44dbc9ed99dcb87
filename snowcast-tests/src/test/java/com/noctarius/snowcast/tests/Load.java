// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Threads that generate IDs by all ways there are and keep them, on instances of sequencers of one definition, until
 * {@link #stopAndCheck}.
 */
final class Load {
    private static final int BATCH = 50;
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final SnowcastEpoch epoch;
    private final Predicate<Exception> tolerated;
    private final long startMillis = System.currentTimeMillis();
    private final List<Threads> threads = new CopyOnWriteArrayList<>();
    /** Of each thread, with its sequencer. */
    private final ConcurrentMap<IdLog, SnowcastSequencer> logs = new ConcurrentHashMap<>();

    private volatile boolean stopped;

    private Load(SnowcastEpoch epoch, Predicate<Exception> tolerated) {
        this.epoch = epoch;
        this.tolerated = tolerated;
    }

    /** Makes a load without threads; no exception is tolerated. */
    static Load of(SnowcastEpoch epoch) {
        return new Load(epoch, e -> false);
    }

    /** Makes a load without threads, whose threads try again after exceptions of a type. */
    static Load tolerating(Class<? extends Exception> type, SnowcastEpoch epoch) {
        return new Load(epoch, type::isInstance);
    }

    /** Adds threads for a sequencer. */
    Load on(SnowcastSequencer sequencer, int threadCount) {
        threads.add(Threads.start(threadCount, index -> {
            IdLog log = new IdLog();
            logs.put(log, sequencer);
            generate(sequencer, log);
        }));
        return this;
    }

    /** Adds threads for each of several sequencers. */
    Load on(List<SnowcastSequencer> sequencers, int threadsEach) {
        sequencers.forEach(sequencer -> on(sequencer, threadsEach));
        return this;
    }

    private void generate(SnowcastSequencer sequencer, IdLog log) throws Exception {
        long[] batch = new long[BATCH];
        for (int i = 0; !stopped; i++) {
            try {
                switch (i % 4) {
                    case 0 -> log.add(sequencer.next());
                    case 1 -> log.add(sequencer.next(BATCH));
                    case 2 -> sequencer.tryNext().ifPresent(log::add);
                    default -> {
                        sequencer.next(batch, 0, BATCH);
                        log.add(batch);
                    }
                }
            } catch (Exception e) {
                if (!tolerated.test(e)) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
            }
        }
    }

    /** Waits until every instance that is in use has generated that many IDs more. */
    Load awaitMore(int count) {
        List<Runnable> waits = new ArrayList<>();
        logs.forEach((log, sequencer) -> {
            int goal = log.size() + count;
            waits.add(() -> Await.until("more IDs of " + sequencer, () -> log.size() >= goal || hasFailed()));
        });
        waits.forEach(Runnable::run);
        return this;
    }

    private boolean hasFailed() {
        return threads.stream().anyMatch(Threads::hasFailed);
    }

    /** Ends the threads and fails if one of them failed, or if the IDs are not what they must be. */
    List<long[]> stopAndCheck() {
        stopped = true;
        threads.forEach(Threads::join);
        long endMillis = System.currentTimeMillis();
        List<long[]> ids = new ArrayList<>();
        logs.forEach((log, sequencer) -> {
            long[] ofThread = log.toArray();
            IdCheck.requireOrdered(sequencer.getLayout(), ofThread);
            IdCheck.requireTimeBetween(sequencer.getLayout(), epoch, startMillis, endMillis, ofThread);
            ids.add(ofThread);
        });
        SnowcastLayout layout = logs.values().iterator().next().getLayout();
        IdCheck.requireUnique(layout, ids);
        return ids;
    }
}
