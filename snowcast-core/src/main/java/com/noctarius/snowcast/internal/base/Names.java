// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.SnowcastStateException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A registry of instances by name, at most one per name.
 *
 * <p>A name is locked while its instance is created, which may include calls to the cluster or to a store. Methods
 * other than {@link #lock} do not wait for a lock. Thread-safe.
 */
public final class Names<T> {
    private final Map<String, Slot<T>> slots = new ConcurrentHashMap<>();
    /** Receives each removed or replaced instance. */
    private final Consumer<T> gone;

    /** Why no more instances are created; null before {@link #close}, which sets it before the instances are closed. */
    private volatile @Nullable String closedBecause;

    /** The entry of a name. The thread that creates the instance holds the slot's lock until it closes the slot. */
    public static final class Slot<T> implements AutoCloseable {
        private final Names<T> names;
        private final String name;
        private final ReentrantLock lock = new ReentrantLock();
        /** Written under the lock. */
        private volatile @Nullable T instance;
        /** Whether the instance was opened, so that it stays when the slot is closed. Guarded by the lock. */
        private boolean isKept;
        /** Whether a warning was logged that a caller requested other settings. Guarded by the lock. */
        private boolean isDifferenceLogged;

        private Slot(Names<T> names, String name) {
            this.names = names;
            this.name = name;
        }

        /** Acquires the lock; returns false if another thread has removed this slot in the meantime. */
        private boolean lock(String subject) {
            Threads.acquire(lock, subject, "another thread had created it");
            return names.slots.get(name) == this;
        }

        /** Returns the instance of the name; null if there is none. */
        public @Nullable T instance() {
            return instance;
        }

        /**
         * Puts a new instance into this slot and opens it. {@link Names#find} returns the instance even before it is
         * open, so that a concurrent destruction can reach it. If opening fails, closing the slot removes the instance.
         */
        public void open(T made, String subject, Runnable opening) {
            T former = instance;
            isKept = false;
            isDifferenceLogged = false;
            instance = made;
            if (former != null) {
                names.gone.accept(former);
            }
            names.requireOpen(subject); // A close() before this line may have missed the instance.
            opening.run();
            isKept = true;
        }

        /** Logs, once per instance, that a caller requests other settings than the instance has. */
        public void logDifference(String subject, String own, String wanted, Consumer<String> log) {
            if (!own.equals(wanted) && !isDifferenceLogged) {
                isDifferenceLogged = true;
                log.accept(subject + " keeps " + own + ", as it was created with on this Snowcast, and not with "
                        + wanted);
            }
        }

        @Override
        public void close() {
            try {
                if (!isKept) {
                    remove();
                }
            } finally {
                lock.unlock();
            }
        }

        private void remove() {
            T removed = instance;
            instance = null;
            names.slots.remove(name, this);
            if (removed != null) {
                names.gone.accept(removed);
            }
        }
    }

    public Names(Consumer<T> gone) {
        this.gone = gone;
    }

    private void requireOpen(String subject) {
        String reason = closedBecause;
        if (reason != null) {
            throw new SnowcastStateException(subject + " cannot be created: " + reason);
        }
    }

    /** Closes this registry: no more instances are created. Returns all instances, which the caller has to close. */
    public List<T> close(String reason) {
        closedBecause = reason;
        return all();
    }

    /**
     * Locks a name, even one without an instance; fails if this registry is closed. The caller must close the slot. An
     * interrupt ends the wait for another creation.
     *
     * @param subject the kind and name of the instance, for exceptions
     */
    public Slot<T> lock(String name, String subject) {
        requireOpen(subject);
        while (true) {
            Slot<T> slot = slots.computeIfAbsent(name, free -> new Slot<>(this, free));
            if (slot.lock(subject)) {
                return slot;
            }
            slot.lock.unlock();
        }
    }

    /** Removes an instance, unless the name has another instance by now or another thread has locked the name. */
    public void forget(String name, T instance) {
        Slot<T> slot = slots.get(name);
        if (slot != null && slot.lock.tryLock()) {
            try {
                if (instance.equals(slot.instance)) {
                    slot.remove();
                }
            } finally {
                slot.lock.unlock();
            }
        }
    }

    /** Returns the instance of a name, even if it is not open yet. */
    public @Nullable T find(String name) {
        Slot<T> slot = slots.get(name);
        return slot == null ? null : slot.instance;
    }

    /** Returns all instances, including those that are not open yet. */
    public List<T> all() {
        return slots.values().stream()
                .flatMap(slot -> Stream.ofNullable(slot.instance))
                .toList();
    }

    public int size() {
        return slots.size();
    }
}
