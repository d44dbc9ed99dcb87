// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that draw integers until they are told to stop, or their sequence ends; no two may ever get the same one. */
final class IntegerLoad {
    private final ConcurrentHashMap<Long, Object> drawn = new ConcurrentHashMap<>();
    private final List<Threads> threads = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong count = new AtomicLong();

    /** Draws one; says which. */
    long draw(IntegerSequence from) throws InterruptedException {
        long integer = from.next();
        add(from, integer);
        return integer;
    }

    /** Notes an integer that somebody drew. */
    void add(Object from, long integer) {
        if (drawn.putIfAbsent(integer, from) != null) {
            throw new AssertionError(integer + " of " + from + " was handed out before");
        }
        count.incrementAndGet();
    }

    /** Begins to draw from sequences, by one thread each; the integers of each increase. */
    IntegerLoad on(List<IntegerSequence> sequences) {
        threads.add(Threads.start(sequences.size(), index -> {
            IntegerSequence sequence = sequences.get(index);
            long last = -1;
            while (!stopped.get()) {
                long integer;
                try {
                    integer = sequence.next();
                } catch (SnowcastException e) {
                    // Its member ended, or the cluster was changing for too long; others go on.
                    if (sequence.stats().problem().contains("shut down")) {
                        return;
                    }
                    continue;
                }
                add(sequence, integer);
                if (integer <= last) {
                    throw new AssertionError(integer + " came after " + last);
                }
                last = integer;
            }
        }));
        return this;
    }

    IntegerLoad awaitMore(int integers) {
        long enough = count.get() + integers;
        Await.until(
                integers + " more integers",
                () -> count.get() >= enough || threads.stream().anyMatch(Threads::hasFailed));
        return this;
    }

    /** Fails if an integer came twice. */
    void stopAndCheck() {
        stopped.set(true);
        threads.forEach(Threads::join);
    }
}
