// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.FactoryBeanNotInitializedException;
import org.springframework.beans.factory.InitializingBean;

/**
 * A bean that contexts share: acquired when a context starts, released when it closes. Thread-safe.
 *
 * @param <T> the type of the bean
 */
abstract sealed class SharedFactoryBean<T> implements FactoryBean<T>, InitializingBean, DisposableBean
        permits SequencerFactoryBean, IntegerSequenceFactoryBean {
    private final Users<T> users;
    private final Supplier<T> create;
    private final String description;
    private final UnaryOperator<RuntimeException> explanation;
    private final AtomicReference<@Nullable T> acquired = new AtomicReference<>();

    /**
     * Makes a bean that is acquired when it is initialized.
     *
     * @param create creates the object, or returns the present one
     * @param description for messages
     * @param explanation makes the exception to throw from the one that {@code create} threw
     */
    SharedFactoryBean(
            Users<T> users, Supplier<T> create, String description, UnaryOperator<RuntimeException> explanation) {
        this.users = users;
        this.create = create;
        this.description = description;
        this.explanation = explanation;
    }

    final void acquire() {
        try {
            acquired.set(users.acquire(create));
        } catch (RuntimeException e) {
            throw explanation.apply(e);
        }
    }

    final void release() {
        T present = acquired.getAndSet(null);
        if (present != null) {
            users.release(present);
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
}
