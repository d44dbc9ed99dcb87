// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * How many beans use an integer sequence. A {@code HazelcastInstance} has one open instance per name, and contexts that
 * share it share that: only the last one to end may close it.
 *
 * <p>Thread-safe.
 */
final class SequenceUsers {
    /** By identity, as sequences compare. Weak: one that is closed for good is of no interest. */
    private static final Map<IntegerSequence, SequenceUsers> BY_SEQUENCE =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** Held through a round trip: who comes while the last one closes has to wait, and gets another instance. */
    private final ReentrantLock transition = new ReentrantLock();

    private int count;

    private SequenceUsers() {}

    private static SequenceUsers of(IntegerSequence sequence) {
        return BY_SEQUENCE.computeIfAbsent(sequence, unused -> new SequenceUsers());
    }

    /**
     * Returns an integer sequence that is open, and stays so until it is {@linkplain #release released}, as far as it
     * depends on other users of this class. Blocks for a round trip to the cluster.
     *
     * @param creation creates the sequence, or returns the open one
     */
    static IntegerSequence acquire(Supplier<IntegerSequence> creation) {
        while (true) {
            IntegerSequence sequence = creation.get();
            if (of(sequence).add(sequence)) {
                return sequence;
            }
        }
    }

    /** Returns false if it was closed since it was looked up. */
    private boolean add(IntegerSequence sequence) {
        transition.lock();
        try {
            if (sequence.isClosed()) {
                return false;
            }
            count++;
            return true;
        } finally {
            transition.unlock();
        }
    }

    /** Closes the sequence when nobody uses it any more. Blocks as long as that may. */
    static void release(IntegerSequence sequence) {
        of(sequence).remove(sequence);
    }

    private void remove(IntegerSequence sequence) {
        transition.lock();
        try {
            count--;
            if (count == 0) {
                sequence.close();
            }
        } finally {
            transition.unlock();
        }
    }
}
