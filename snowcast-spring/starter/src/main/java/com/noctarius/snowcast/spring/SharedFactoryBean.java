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
 * A factory bean for an object that several contexts may share: a sequencer, an integer sequence or a node lease. The
 * bean acquires the object when its context starts, and releases it when the context closes. All contexts with the same
 * {@code HazelcastInstance} get the same object for a name, so only the last of these contexts to close may detach or
 * close the object. Thread-safe.
 *
 * @param <T> the type of the object; objects compare by identity
 */
abstract sealed class SharedFactoryBean<T> implements FactoryBean<T>, InitializingBean, DisposableBean
        permits SequencerFactoryBean, IntegerSequenceFactoryBean, NodeLeaseFactoryBean {
    private static final Log LOG = LogFactory.getLog(SharedFactoryBean.class);

    /** The shared objects are the keys. The references to them are weak, because no code removes an entry. */
    private static final Map<Object, Users> USERS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Class<T> type;
    private final Supplier<T> create;
    private final String description;
    private final UnaryOperator<RuntimeException> explanation;
    private final @Nullable Supplier<T> createLater;

    private volatile StartRules rules = StartRules.DEFAULT;
    private volatile boolean isReleased;
    private final AtomicReference<@Nullable T> acquired = new AtomicReference<>();

    private static final class Users {
        /**
         * Held while a starting context calls {@code begin}, or a closing context calls {@code end}, so that these
         * calls do not overlap. {@code beginNow} calls {@code begin} without this lock, so that
         * {@link SharedFactoryBean#destroy} need not wait for it.
         */
        final ReentrantLock transition = new ReentrantLock();

        int count;
    }

    /**
     * Creates a factory bean, which acquires its object when Spring initializes it.
     *
     * @param create creates the object, or returns the existing one
     * @param createLater creates the object, or returns the existing one, without a call to the cluster; null if that
     *     is impossible
     * @param description the kind and the name of the object, for messages
     * @param explanation turns an exception of the start into the exception to throw
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

    /** Prepares the object for one more bean, for example attaches it; returns false if it was destroyed or closed. */
    abstract boolean begin(T instance);

    /** Like {@link #begin}, but may prepare the object later, in the background, when the cluster can serve. */
    boolean beginLater(T instance, Attacher attacher, SnowcastUnavailableException refusal) {
        return begin(instance);
    }

    /** Detaches or closes the object, which no bean uses any more. */
    abstract void end(T instance);

    /**
     * Sets for how long the start retries while calls throw {@link SnowcastUnavailableException}, because the cluster
     * or database cannot serve yet. The start always waits for the end of a call, which may take up to the call
     * time-out.
     *
     * @param attachTimeout two minutes by default; zero or less to throw after the first failure
     * @throws NullPointerException if {@code attachTimeout} is null
     */
    public final void setAttachTimeout(Duration attachTimeout) {
        rules = new StartRules(Objects.requireNonNull(attachTimeout, "attachTimeout"), rules.attacher());
    }

    final void setRules(StartRules rules) {
        this.rules = rules;
    }

    /**
     * Creates the sequencer, integer sequence or node lease, or uses the existing one, and attaches the sequencer if it
     * is Detached. Retries as {@link #setAttachTimeout} describes.
     *
     * @throws com.noctarius.snowcast.SnowcastException if the object cannot be created or attached, see
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
            // The object was destroyed or closed after it was found.
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
                end(instance); // No bean uses the object, so no bean would release it later.
            }
            throw e;
        } finally {
            users.transition.unlock();
        }
    }

    /**
     * Prepares the object, and blocks. Only a background task calls this method. {@link #destroy} does not wait for the
     * task.
     */
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
     * Detaches the sequencer, or closes the integer sequence or node lease, unless another context uses it. This has no
     * effect if the object is already detached, destroyed or closed, or if the {@code HazelcastInstance} was shut down.
     * Further calls have no effect.
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
