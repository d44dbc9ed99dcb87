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
 * Instances by name, at most one per name.
 *
 * <p>A name is locked while its instance is created, round trip included. Other methods wait for no lock. Thread-safe.
 */
public final class Names<T> {
    private final Map<String, Slot<T>> slots = new ConcurrentHashMap<>();
    /** Is told of each instance that is not among the others any more. */
    private final Consumer<T> gone;

    /** Set once, before the instances are closed. */
    private volatile @Nullable String closedBecause;

    /** What a name stands for, locked by the thread that creates it, until it is closed. */
    public static final class Slot<T> implements AutoCloseable {
        private final Names<T> names;
        private final String name;
        private final ReentrantLock lock = new ReentrantLock();
        /** Written under the lock. */
        private volatile @Nullable T instance;
        /** Whether the instance was opened, so that it stays when the slot is closed. Guarded by the lock. */
        private boolean isKept;
        /** Whether it was logged that a caller asked for the instance with other settings. Guarded by the lock. */
        private boolean isDifferenceLogged;
        /** Whether the slot is no longer in the map. Guarded by the lock. */
        private boolean isRemoved;

        private Slot(Names<T> names, String name) {
            this.names = names;
            this.name = name;
        }

        private boolean lock() {
            lock.lock();
            return !isRemoved;
        }

        /** Returns the instance that the name has; null if it has none. */
        public @Nullable T instance() {
            return instance;
        }

        /**
         * Gives the name another instance and opens it. Other threads find it before that, so that a destruction does
         * while it is being opened. It is removed when the slot is closed, unless it was opened.
         *
         * @param subject what it is, for the exception that says that no more are created
         */
        public void open(T made, String subject, Runnable opening) {
            T former = instance;
            isKept = false;
            isDifferenceLogged = false;
            instance = made;
            if (former != null) {
                names.gone.accept(former);
            }
            names.requireOpen(subject); // Else an instance that was put too late to be closed would stay open.
            opening.run();
            isKept = true;
        }

        /**
         * Returns what to log if a caller asks for the instance with other settings than it was made with; null if they
         * are the same, or if it was returned already.
         */
        public @Nullable String differenceToLog(String subject, String own, String wanted) {
            if (own.equals(wanted) || isDifferenceLogged) {
                return null;
            }
            isDifferenceLogged = true;
            return subject + " keeps " + own + ", as it was created with on this Snowcast, and not with " + wanted;
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
            isRemoved = true;
            names.slots.remove(name, this);
            if (removed != null) {
                names.gone.accept(removed);
            }
        }
    }

    public Names(Consumer<T> gone) {
        this.gone = gone;
    }

    /** Fails if no more instances are created, and says why. */
    public void requireOpen(String subject) {
        String reason = closedBecause;
        if (reason != null) {
            throw new SnowcastStateException(subject + " cannot be created: " + reason);
        }
    }

    /** Ends the creation of instances; returns all, for the caller to close them. */
    public List<T> close(String reason) {
        closedBecause = reason;
        return all();
    }

    /** Locks a name, also one that has no instance yet. The caller must close the slot. */
    public Slot<T> lock(String name) {
        while (true) {
            Slot<T> slot = slots.computeIfAbsent(name, free -> new Slot<>(this, free));
            if (slot.lock()) {
                return slot;
            }
            slot.lock.unlock(); // It was removed in the meantime.
        }
    }

    /** Removes the instance of a name, if it is this one and the name is not about to be used for another one. */
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

    /** Returns the instance of a name, also one that is not open yet. */
    public @Nullable T find(String name) {
        Slot<T> slot = slots.get(name);
        return slot == null ? null : slot.instance;
    }

    /** Returns all instances, also those that are not open yet. */
    public List<T> all() {
        return slots.values().stream()
                .flatMap(slot -> Stream.ofNullable(slot.instance))
                .toList();
    }

    public int size() {
        return slots.size();
    }
}
