// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.names;

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

    /** How an instance is created; called while the name is locked. */
    public interface Creation<T> {
        /** Whether the caller gets the instance that is there; else another one is made in its place. */
        boolean accepts(T present);

        /** Makes an instance, which others find from here on, before it is opened. */
        T make();

        /** Opens an instance; if this throws, it is removed. */
        void open(T made);
    }

    private static final class Slot<T> {
        final ReentrantLock creation = new ReentrantLock();
        /** Set before the instance is opened, so that a destruction finds it. Written under the lock. */
        volatile @Nullable T instance;
        /** Whether the slot is no longer in the map. Guarded by the lock. */
        boolean removed;
    }

    public Names(Consumer<T> gone) {
        this.gone = gone;
    }

    /** Returns the instance of a name, present or new. */
    public T create(String name, Creation<T> creation) {
        while (true) {
            Slot<T> slot = slots.computeIfAbsent(name, free -> new Slot<>());
            slot.creation.lock();
            try {
                if (!slot.removed) {
                    return createIn(slot, name, creation);
                }
            } finally {
                slot.creation.unlock();
            }
        }
    }

    private T createIn(Slot<T> slot, String name, Creation<T> creation) {
        T present = slot.instance;
        if (present != null && creation.accepts(present)) {
            return present;
        }
        T made = creation.make();
        slot.instance = made;
        if (present != null) {
            gone.accept(present);
        }
        try {
            creation.open(made);
            return made;
        } catch (Throwable e) {
            remove(slot, name, made);
            throw e;
        }
    }

    /** To be called with the slot's lock held. */
    private void remove(Slot<T> slot, String name, T removed) {
        slot.instance = null;
        slot.removed = true;
        slots.remove(name, slot);
        gone.accept(removed);
    }

    /** Removes the instance of a name, if it is this one and the name is not about to be used for another one. */
    public void forget(String name, T instance) {
        Slot<T> slot = slots.get(name);
        if (slot != null && slot.creation.tryLock()) {
            try {
                if (instance.equals(slot.instance)) {
                    remove(slot, name, instance);
                }
            } finally {
                slot.creation.unlock();
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
