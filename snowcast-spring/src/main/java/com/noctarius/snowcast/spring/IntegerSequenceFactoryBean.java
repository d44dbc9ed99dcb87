// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.FactoryBeanNotInitializedException;
import org.springframework.beans.factory.InitializingBean;

/**
 * An integer sequence as a bean: created when the context starts, closed when it closes, never destroyed.
 *
 * <pre>{@code
 * @Bean
 * IntegerSequenceFactoryBean products(Snowcast snowcast) {
 *     return new IntegerSequenceFactoryBean(
 *             snowcast, IntegerSequenceConfig.builder("products").firstValue(5_000_001).build());
 * }
 * }</pre>
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its integer sequences; only the last one that closes closes
 * them, which gives the rest of their blocks back. So the contexts share the stores, too. Beans that the sequence is
 * injected into are destroyed before it is closed. One that the application closes or destroys itself is closed until the
 * next context starts.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster, or, with a store of its own, the close does as
 * long as the store's time-outs say.
 */
public final class IntegerSequenceFactoryBean
        implements FactoryBean<IntegerSequence>, InitializingBean, DisposableBean {
    private final String name;
    private final Supplier<IntegerSequence> creation;
    private final UnaryOperator<RuntimeException> explanation;
    private final AtomicReference<@Nullable IntegerSequence> sequence = new AtomicReference<>();

    /**
     * Makes a bean that creates the integer sequence when it is initialized.
     *
     * @param snowcast creates the sequence
     * @param config the sequence's configuration
     * @throws NullPointerException if an argument is null
     */
    public IntegerSequenceFactoryBean(Snowcast snowcast, IntegerSequenceConfig config) {
        this(config.name(), () -> snowcast.createIntegerSequence(config), UnaryOperator.identity());
        Objects.requireNonNull(snowcast, "snowcast");
    }

    /**
     * Makes a bean that creates its sequence in another way, and whose failures are told in another way.
     *
     * @param explanation makes the exception to throw from the one that the creation threw
     */
    IntegerSequenceFactoryBean(
            String name, Supplier<IntegerSequence> creation, UnaryOperator<RuntimeException> explanation) {
        this.name = name;
        this.creation = creation;
        this.explanation = explanation;
    }

    /**
     * Creates the sequence or takes the one there is.
     *
     * @throws com.noctarius.snowcast.SnowcastException as {@link Snowcast#createIntegerSequence}
     */
    @Override
    public void afterPropertiesSet() {
        try {
            sequence.set(SequenceUsers.acquire(creation));
        } catch (RuntimeException e) {
            throw explanation.apply(e);
        }
    }

    /**
     * Returns the sequence.
     *
     * @return the same object every time
     * @throws FactoryBeanNotInitializedException before {@link #afterPropertiesSet()} and after {@link #destroy()}
     */
    @Override
    public IntegerSequence getObject() {
        IntegerSequence present = sequence.get();
        if (present == null) {
            throw new FactoryBeanNotInitializedException(
                    "integer sequence " + name + " is there from the start of the context to its end");
        }
        return present;
    }

    @Override
    public Class<?> getObjectType() {
        return IntegerSequence.class;
    }

    /**
     * Closes the sequence, unless another context uses it. Has no effect if it is closed already, or when called again.
     */
    @Override
    public void destroy() {
        IntegerSequence present = sequence.getAndSet(null);
        if (present != null) {
            SequenceUsers.release(present);
        }
    }
}
