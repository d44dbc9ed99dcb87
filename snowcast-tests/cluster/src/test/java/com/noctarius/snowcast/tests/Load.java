// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Threads that generate IDs by several methods of sequencers with the same definition. {@link #stopAndCheck} ends the
 * threads and checks all their IDs.
 */
final class Load {
    private static final int BATCH = 50;
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** A thread that has this many IDs slows down, so that it leaves processors and memory to members. */
    private static final int MANY = 20_000;

    private static final long PAUSE_OF_MANY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SnowcastEpoch epoch;
    private final BiPredicate<SnowcastSequencer, Exception> tolerated;
    private final long startMillis = System.currentTimeMillis();
    private final List<Threads> threads = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<IdLog, SnowcastSequencer> logs = new ConcurrentHashMap<>();

    private Duration ahead = Duration.ZERO;
    private volatile boolean stopped;

    private Load(SnowcastEpoch epoch, BiPredicate<SnowcastSequencer, Exception> tolerated) {
        this.epoch = epoch;
        this.tolerated = tolerated;
    }

    /** Creates a load, to which {@link #on} adds threads. A thread fails if a call throws. */
    static Load of(SnowcastEpoch epoch) {
        return new Load(epoch, (sequencer, e) -> false);
    }

    /** Creates a load, to which {@link #on} adds threads. A thread retries after exceptions of a type. */
    static Load tolerating(Class<? extends Exception> type, SnowcastEpoch epoch) {
        return new Load(epoch, (sequencer, e) -> type.isInstance(e));
    }

    /**
     * Creates a load, to which {@link #on} adds threads. A thread tolerates a {@link SnowcastStateException} if its
     * sequencer is no longer attached, for example because the member was shut down.
     */
    static Load toleratingTheEnd(SnowcastEpoch epoch) {
        return new Load(
                epoch,
                (sequencer, e) -> e instanceof SnowcastStateException
                        && sequencer.getSequencerState() != SnowcastSequenceState.Attached);
    }

    /** Allows IDs to be ahead of the system's clock, for holders with another clock. */
    Load aheadBy(Duration atMost) {
        ahead = atMost;
        return this;
    }

    Load on(SnowcastSequencer sequencer, int threadCount) {
        List<IdLog> ofThreads = Stream.generate(IdLog::new).limit(threadCount).toList();
        ofThreads.forEach(log -> logs.put(log, sequencer));
        threads.add(Threads.start(threadCount, index -> generate(sequencer, ofThreads.get(index))));
        return this;
    }

    Load on(List<SnowcastSequencer> sequencers, int threadsEach) {
        sequencers.forEach(sequencer -> on(sequencer, threadsEach));
        return this;
    }

    private void generate(SnowcastSequencer sequencer, IdLog log) throws Exception {
        long[] batch = new long[BATCH];
        for (int i = 0; !stopped; i++) {
            if (i % 4 == 0 && log.size() > MANY) {
                LockSupport.parkNanos(PAUSE_OF_MANY_NANOS);
            }
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
                if (!tolerated.test(sequencer, e)) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
            }
        }
    }

    /** Waits until every thread with an attached sequencer has {@code count} further IDs. */
    Load awaitMore(int count) {
        Map<IdLog, Integer> goals = new HashMap<>();
        logs.keySet().forEach(log -> goals.put(log, log.size() + count));
        goals.forEach((log, goal) -> {
            SnowcastSequencer sequencer = Objects.requireNonNull(logs.get(log));
            Await.until(
                    "more IDs of " + sequencer,
                    () -> log.size() >= goal
                            || sequencer.getSequencerState() != SnowcastSequenceState.Attached
                            || hasFailed());
        });
        return this;
    }

    private boolean hasFailed() {
        return threads.stream().anyMatch(Threads::hasFailed);
    }

    /** Ends the threads, checks the order, time and uniqueness of the IDs, and returns the IDs of each thread. */
    List<long[]> stopAndCheck() {
        stopped = true;
        threads.forEach(Threads::join);
        long endMillis = System.currentTimeMillis() + ahead.toMillis();
        List<long[]> ids = new ArrayList<>();
        logs.forEach((log, sequencer) -> {
            long[] ofThread = log.toArray();
            IdCheck.requireOrdered(sequencer.layout(), ofThread);
            IdCheck.requireTimeBetween(sequencer.layout(), epoch, startMillis, endMillis, ofThread);
            ids.add(ofThread);
        });
        SnowcastLayout layout = logs.values().iterator().next().layout();
        IdCheck.requireUnique(layout, ids);
        return ids;
    }
}
