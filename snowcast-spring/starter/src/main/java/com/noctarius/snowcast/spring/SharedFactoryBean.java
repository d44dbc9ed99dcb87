// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.FactoryBeanNotInitializedException;
import org.springframework.beans.factory.InitializingBean;

/**
 * A bean that contexts share: acquired when a context starts, released when it closes. A {@code HazelcastInstance} has
 * one instance for each name, which all contexts that share the {@code HazelcastInstance} use: only the last user may
 * detach or close it. Thread-safe.
 *
 * @param <T> the type of the bean; instances compare by identity
 */
abstract sealed class SharedFactoryBean<T> implements FactoryBean<T>, InitializingBean, DisposableBean
        permits SequencerFactoryBean, IntegerSequenceFactoryBean {
    /** Weak, since an instance that was destroyed elsewhere is never released. */
    private static final Map<Object, Users> USERS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Class<T> type;
    private final Supplier<T> create;
    private final String description;
    private final UnaryOperator<RuntimeException> explanation;
    private final AtomicReference<@Nullable T> acquired = new AtomicReference<>();

    private static final class Users {
        /** Held through a round trip: a user that comes while the last one ends waits, and begins anew. */
        final ReentrantLock transition = new ReentrantLock();

        int count;
    }

    /**
     * Makes a bean that is acquired when it is initialized.
     *
     * @param create creates the object, or returns the present one
     * @param description for messages
     * @param explanation makes the exception to throw from the one that {@code create} or {@link #begin} threw
     */
    SharedFactoryBean(
            Class<T> type, Supplier<T> create, String description, UnaryOperator<RuntimeException> explanation) {
        this.type = type;
        this.create = create;
        this.description = description;
        this.explanation = explanation;
    }

    /** Prepares an instance for a user; returns false if the instance has ended for good. */
    abstract boolean begin(T instance);

    /** Ends an instance that nobody uses any more. */
    abstract void end(T instance);

    /**
     * Creates the sequencer or integer sequence, or takes the present one; attaches a Detached sequencer.
     *
     * @throws com.noctarius.snowcast.SnowcastException if it cannot be created or attached, as
     *     {@link com.noctarius.snowcast.Snowcast} says
     * @throws com.noctarius.snowcast.store.BlockStoreException if the store refuses the integer sequence
     * @throws IllegalArgumentException as {@link com.noctarius.snowcast.Snowcast#createSequencer}
     */
    @Override
    public final void afterPropertiesSet() {
        try {
            T instance = create.get();
            while (!addUser(instance)) {
                // It was ended since it was looked up.
                instance = create.get();
            }
            acquired.set(instance);
        } catch (RuntimeException e) {
            throw explanation.apply(e);
        }
    }

    private boolean addUser(T instance) {
        Users users = usersOf(instance);
        users.transition.lock();
        try {
            boolean begins = begin(instance);
            users.count += begins ? 1 : 0;
            return begins;
        } catch (RuntimeException e) {
            if (users.count == 0) {
                end(instance); // It would be left to nobody.
            }
            throw e;
        } finally {
            users.transition.unlock();
        }
    }

    private static Users usersOf(Object instance) {
        return USERS.computeIfAbsent(instance, unused -> new Users());
    }

    /**
     * Detaches the sequencer or closes the integer sequence, unless another context uses it. Has no effect if it is
     * detached, destroyed or closed already, if the {@code HazelcastInstance} was shut down, or when called again.
     */
    @Override
    public final void destroy() {
        T instance = acquired.getAndSet(null);
        if (instance == null) {
            return;
        }
        Users users = usersOf(instance);
        users.transition.lock();
        try {
            users.count--;
            if (users.count == 0) {
                end(instance);
            }
        } finally {
            users.transition.unlock();
        }
    }

    /**
     * Returns the sequencer or integer sequence.
     *
     * @return the same object every time
     * @throws FactoryBeanNotInitializedException before {@link #afterPropertiesSet()} and after {@link #destroy()}
     */
    @Override
    public final T getObject() {
        T present = acquired.get();
        if (present == null) {
            throw new FactoryBeanNotInitializedException(
                    description + " is there from the start of the context to its end");
        }
        return present;
    }

    @Override
    public final Class<?> getObjectType() {
        return type;
    }
}
