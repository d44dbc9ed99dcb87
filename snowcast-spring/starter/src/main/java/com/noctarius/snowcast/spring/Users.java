// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Counts how many beans use a sequencer or an integer sequence. A {@code HazelcastInstance} has one instance for each
 * name, which all contexts that share the {@code HazelcastInstance} use: only the last user may detach or close it.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of what is used; instances compare by identity
 */
final class Users<T> {
    /** Weak, since an instance that was destroyed elsewhere is never released. */
    private final Map<T, Count> counts = Collections.synchronizedMap(new WeakHashMap<>());

    private final Predicate<T> begin;
    private final Consumer<T> end;

    private static final class Count {
        /** Held through a round trip: a user that comes while the last one ends waits, and begins anew. */
        final ReentrantLock transition = new ReentrantLock();

        int users;
    }

    /**
     * Counts from 0.
     *
     * @param begin prepares an instance for a user; returns false if the instance has ended for good
     * @param end ends an instance that nobody uses any more
     */
    Users(Predicate<T> begin, Consumer<T> end) {
        this.begin = begin;
        this.end = end;
    }

    /**
     * Returns an instance that can be used until it is {@linkplain #release released}, unless others than users of this
     * class end it. Blocks as {@code create} and the preparation do.
     *
     * @param create creates the instance, or returns the present one
     */
    T acquire(Supplier<T> create) {
        while (true) {
            T instance = create.get();
            if (add(instance)) {
                return instance;
            }
        }
    }

    private Count countOf(T instance) {
        return counts.computeIfAbsent(instance, unused -> new Count());
    }

    /** Returns false if the instance was ended since it was looked up. */
    private boolean add(T instance) {
        Count count = countOf(instance);
        count.transition.lock();
        try {
            if (!begin.test(instance)) {
                return false;
            }
            count.users++;
            return true;
        } finally {
            count.transition.unlock();
        }
    }

    /** Ends the instance when nobody uses it any more. Blocks as long as that takes. */
    void release(T instance) {
        Count count = countOf(instance);
        count.transition.lock();
        try {
            count.users--;
            if (count.users == 0) {
                end.accept(instance);
            }
        } finally {
            count.transition.unlock();
        }
    }
}
