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
 * A factory bean of an object that several contexts may share. The bean acquires the object when its context starts,
 * and releases it when the context closes. A {@code HazelcastInstance} has one object for each name, which all contexts
 * with this {@code HazelcastInstance} use, so only the last of them may detach or close it. Thread-safe.
 *
 * @param <T> the type of the object; objects compare by identity
 */
abstract sealed class SharedFactoryBean<T> implements FactoryBean<T>, InitializingBean, DisposableBean
        permits SequencerFactoryBean, IntegerSequenceFactoryBean, NodeLeaseFactoryBean {
    private static final Log LOG = LogFactory.getLog(SharedFactoryBean.class);

    /** Weak, because an object that the application destroyed or closed is never released. */
    private static final Map<Object, Users> USERS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Class<T> type;
    private final Supplier<T> create;
    private final String description;
    private final UnaryOperator<RuntimeException> explanation;
    /** Creates the object as {@link #create} does, but without a call to the cluster; null if that is impossible. */
    private final @Nullable Supplier<T> createLater;

    private volatile StartRules rules = StartRules.DEFAULT;
    private volatile boolean isReleased;
    private final AtomicReference<@Nullable T> acquired = new AtomicReference<>();

    private static final class Users {
        /** Held during a round trip: a new user that comes while the last one releases the object waits for that. */
        final ReentrantLock transition = new ReentrantLock();

        int count;
    }

    /**
     * Makes a factory bean that acquires its object when it is initialized.
     *
     * @param create creates the object, or returns the present one
     * @param createLater does the same without a call to the cluster, for a start without the cluster; null if that is
     *     impossible
     * @param description the object, for messages
     * @param explanation turns an exception of {@code create} or {@link #begin} into the exception to throw
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

    /** Prepares an object for a user; returns false if the object was destroyed or closed. */
    abstract boolean begin(T instance);

    /** Prepares an object for a user in the background, as soon as the cluster can serve. */
    boolean beginLater(T instance, Attacher attacher, SnowcastUnavailableException refusal) {
        return begin(instance);
    }

    /** Detaches or closes an object that has no users. */
    abstract void end(T instance);

    /**
     * Sets how long the start retries while the cluster cannot serve yet, that is, while calls throw
     * {@link SnowcastUnavailableException}. The start always waits for the end of a call, which may take up to
     * Hazelcast's call time-out.
     *
     * @param attachTimeout two minutes by default; zero or less to throw immediately
     * @throws NullPointerException if {@code attachTimeout} is null
     */
    public final void setAttachTimeout(Duration attachTimeout) {
        rules = new StartRules(Objects.requireNonNull(attachTimeout, "attachTimeout"), rules.attacher());
    }

    final void setRules(StartRules rules) {
        this.rules = rules;
    }

    /**
     * Creates the sequencer, integer sequence or node lease, or takes the present one, and attaches a Detached
     * sequencer. Waits for the cluster as {@link #setAttachTimeout} describes.
     *
     * @throws com.noctarius.snowcast.SnowcastException if it cannot be created or attached, see
     *     {@link com.noctarius.snowcast.Snowcast}
     * @throws com.noctarius.snowcast.store.BlockStoreException if the store rejects the integer sequence
     * @throws IllegalArgumentException if the configuration is not allowed, see {@link com.noctarius.snowcast.Snowcast}
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
            // The object was destroyed or closed after the look-up.
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
                end(instance); // No bean has acquired it, so no bean would release it.
            }
            throw e;
        } finally {
            users.transition.unlock();
        }
    }

    /** Prepares an object after a start without the cluster. Blocks, but {@link #destroy} does not wait for this. */
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
     * Detaches the sequencer, or closes the integer sequence or node lease, unless another context uses it. Has no
     * effect if it is detached, destroyed or closed already, if the {@code HazelcastInstance} was shut down, or when
     * called again.
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
     * Returns the sequencer, integer sequence or node lease.
     *
     * @return the same object every time
     * @throws FactoryBeanNotInitializedException before {@link #afterPropertiesSet()} and after {@link #destroy()}
     */
    @Override
    public final T getObject() {
        T present = acquired.get();
        if (present == null) {
            throw new FactoryBeanNotInitializedException(
                    description + " exists from the start of the context to its end");
        }
        return present;
    }

    @Override
    public final Class<?> getObjectType() {
        return type;
    }
}
