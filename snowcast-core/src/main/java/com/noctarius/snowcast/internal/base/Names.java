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
    /** Receives each removed instance. */
    private final Consumer<T> gone;

    /** Set once, before the instances are closed. */
    private volatile @Nullable String closedBecause;

    /** The slot of a name, locked by the thread that creates its instance until the slot is closed. */
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
         * Gives the name another instance and opens it. Other threads find the instance before it is open, so that a
         * destruction meanwhile finds it, too. It is removed when the slot is closed, unless it was opened.
         *
         * @param subject the kind of instance, for the exception after the end
         */
        public void open(T made, String subject, Runnable opening) {
            T former = instance;
            isKept = false;
            isDifferenceLogged = false;
            instance = made;
            if (former != null) {
                names.gone.accept(former);
            }
            names.requireOpen(subject); // Otherwise an instance that was put too late to be closed would stay open.
            opening.run();
            isKept = true;
        }

        /**
         * Returns the log message if a caller requests the instance with settings other than its own; null if they are
         * the same, or if the message was returned already.
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

    /** Fails with the reason if no more instances are created. */
    public void requireOpen(String subject) {
        String reason = closedBecause;
        if (reason != null) {
            throw new SnowcastStateException(subject + " cannot be created: " + reason);
        }
    }

    /** Ends the creation of instances; returns all instances, for the caller to close. */
    public List<T> close(String reason) {
        closedBecause = reason;
        return all();
    }

    /** Locks a name, even one without an instance. The caller must close the slot. */
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
