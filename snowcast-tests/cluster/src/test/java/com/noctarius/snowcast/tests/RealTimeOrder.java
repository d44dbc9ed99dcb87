// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls of many threads on members and clients of one JVM, by whose clock it is known which call had returned before
 * which other one began.
 */
final class RealTimeOrder {
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicLong count = new AtomicLong();
    private final List<Threads> threads = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** A call that has returned: when it began and ended, and the integers that it got. */
    record Call(String by, long beginNanos, long endNanos, long lowest, long highest) {}

    /** Makes a call, of one integer or a batch; returns what came. */
    long[] draw(IntegerSequence from, String by, int batch) throws InterruptedException {
        long begin = System.nanoTime();
        long[] integers = batch == 1 ? new long[] {from.next()} : from.next(batch);
        calls.add(new Call(by, begin, System.nanoTime(), integers[0], integers[batch - 1]));
        count.incrementAndGet();
        return integers;
    }

    /** Forgets the calls so far, among which there was no order. */
    void forget() {
        calls.clear();
    }

    /** Begins to draw, by several threads on each sequence; every fifth call is a batch. */
    RealTimeOrder on(Collection<IntegerSequence> sequences, int threadsEach) {
        List<IntegerSequence> all = List.copyOf(sequences);
        threads.add(Threads.start(all.size() * threadsEach, index -> {
            IntegerSequence sequence = all.get(index % all.size());
            for (int turn = 1; !stopped.get(); turn++) {
                try {
                    draw(sequence, "thread " + index, turn % 5 == 0 ? 3 : 1);
                } catch (SnowcastException e) {
                    // Its member ended, or the cluster was changing for too long; others go on.
                    if (sequence.isClosed() || sequence.stats().problem().contains("shut down")) {
                        return;
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        }));
        return this;
    }

    RealTimeOrder awaitMore(int some) {
        long enough = count.get() + some;
        Await.until(
                some + " more calls",
                () -> count.get() >= enough || threads.stream().anyMatch(Threads::hasFailed));
        return this;
    }

    void stopAndCheck() {
        stopped.set(true);
        threads.forEach(Threads::join);
        Violation violation = violation(calls);
        if (violation != null) {
            throw new AssertionError(violation.toString());
        }
    }

    /** The second call began after the first one had returned, and got no greater integer. */
    record Violation(Call first, Call second) {}

    /** Returns two calls that are not in order; null if all are. */
    static @Nullable Violation violation(Collection<Call> calls) {
        List<Call> byBegin = calls.stream()
                .sorted(Comparator.comparingLong(Call::beginNanos))
                .toList();
        List<Call> byEnd =
                calls.stream().sorted(Comparator.comparingLong(Call::endNanos)).toList();
        Call highest = null;
        int ended = 0;
        for (Call call : byBegin) {
            for (; byEnd.get(ended).endNanos() < call.beginNanos(); ended++) {
                Call before = byEnd.get(ended);
                highest = highest == null || before.highest() > highest.highest() ? before : highest;
            }
            if (highest != null && call.lowest() <= highest.highest()) {
                return new Violation(highest, call);
            }
        }
        return null;
    }
}
