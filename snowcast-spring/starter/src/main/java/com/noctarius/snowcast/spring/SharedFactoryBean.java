// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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
        permits SequencerFactoryBean, IntegerSequenceFactoryBean, NodeLeaseFactoryBean {
    private static final Log LOG = LogFactory.getLog(SharedFactoryBean.class);

    /** Weak, since an instance that was destroyed elsewhere is never released. */
    private static final Map<Object, Users> USERS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Class<T> type;
    private final Supplier<T> create;
    private final String description;
    private final UnaryOperator<RuntimeException> explanation;
    /** As {@link #create}, but the cluster is not asked; null if it has to be. */
    private final @Nullable Supplier<T> createLater;

    private volatile StartRules rules = StartRules.DEFAULT;
    private volatile boolean isReleased;
    private final AtomicReference<@Nullable T> acquired = new AtomicReference<>();

    private static final class Users {
        /** Held through a round trip: a user that comes while the last one ends waits, and begins again. */
        final ReentrantLock transition = new ReentrantLock();

        int count;
    }

    /**
     * Makes a bean that is acquired when it is initialized.
     *
     * @param create creates the object, or returns the present one
     * @param createLater does so without the cluster, for a start that goes on without it; null if that cannot be
     * @param description for messages
     * @param explanation makes the exception to throw from the one that {@code create} or {@link #begin} threw
     */
    SharedFactoryBean(
            Class<T> type,
            Supplier<T> create,
            @Nullable Supplier<T> createLater,
            String description,
            UnaryOperator<RuntimeException> explanation) {
        this.type = type;
        this.create = create;
        this.createLater = createLater;
        this.description = description;
        this.explanation = explanation;
    }

    /** Prepares an instance for a user; returns false if the instance has ended for good. */
    abstract boolean begin(T instance);

    /** Prepares an instance for a user while the cluster cannot serve, for later; else as {@link #begin}. */
    boolean beginLater(T instance, Attacher attacher, SnowcastUnavailableException refusal) {
        return begin(instance);
    }

    /** Ends an instance that is not used any more. */
    abstract void end(T instance);

    /**
     * Sets how long the start waits while the cluster cannot serve yet, as {@link SnowcastUnavailableException} says;
     * then it fails. A call that is under way is waited for, which Hazelcast may try for up to its call time-out.
     *
     * @param attachTimeout two minutes by default; zero or less to fail at once
     * @throws NullPointerException if {@code attachTimeout} is null
     */
    public final void setAttachTimeout(Duration attachTimeout) {
        rules = new StartRules(Objects.requireNonNull(attachTimeout, "attachTimeout"), rules.attacher());
    }

    final void setRules(StartRules rules) {
        this.rules = rules;
    }

    /**
     * Creates the sequencer or integer sequence, or takes the present one; attaches a Detached sequencer. Waits for the
     * cluster as {@link #setAttachTimeout} says.
     *
     * @throws com.noctarius.snowcast.SnowcastException if it cannot be created or attached, as
     *     {@link com.noctarius.snowcast.Snowcast} says
     * @throws com.noctarius.snowcast.store.BlockStoreException if the store refuses the integer sequence
     * @throws IllegalArgumentException as {@link com.noctarius.snowcast.Snowcast#createSequencer}
     */
    @Override
    public final void afterPropertiesSet() {
        try {
            StartRules present = rules;
            acquired.set(present.start().run(description, () -> acquireOrGoOn(present.attacher())));
        } catch (RuntimeException e) {
            throw explanation.apply(e);
        }
    }

    private T acquireOrGoOn(@Nullable Attacher attacher) {
        try {
            return acquire(create, this::begin);
        } catch (SnowcastUnavailableException e) {
            if (attacher == null || createLater == null) {
                throw e;
            }
            LOG.warn(description + " starts Detached until it can be attached: " + e.getMessage());
            return acquire(createLater, instance -> beginLater(instance, attacher, e));
        }
    }

    private T acquire(Supplier<T> creation, Predicate<T> begin) {
        T instance = creation.get();
        while (!addUser(instance, begin)) {
            // It was ended since it was looked up.
            instance = creation.get();
        }
        return instance;
    }

    private boolean addUser(T instance, Predicate<T> begin) {
        Users users = usersOf(instance);
        users.transition.lock();
        try {
            boolean begins = begin.test(instance);
            users.count += begins ? 1 : 0;
            return begins;
        } catch (RuntimeException e) {
            if (users.count == 0) {
                end(instance); // No bean would end it.
            }
            throw e;
        } finally {
            users.transition.unlock();
        }
    }

    /** Begins an instance that the start went without; blocks, but a call that ends it does not wait for that. */
    final void beginNow(T instance) {
        if (isReleased) {
            return;
        }
        boolean unused = begin(instance);
        if (isReleased) {
            endUnlessUsed(instance, 0);
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
        isReleased = true;
        T instance = acquired.getAndSet(null);
        if (instance != null) {
            endUnlessUsed(instance, 1);
        }
    }

    private void endUnlessUsed(T instance, int leaving) {
        Users users = usersOf(instance);
        users.transition.lock();
        try {
            users.count -= leaving;
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
