// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.FactoryBeanNotInitializedException;
import org.springframework.beans.factory.InitializingBean;

/**
 * A sequencer as a bean: Attached when the context starts, Detached when it closes, never destroyed.
 *
 * <pre>{@code
 * @Bean
 * SequencerFactoryBean orders(Snowcast snowcast) {
 *     return new SequencerFactoryBean(
 *             snowcast, SequencerConfig.builder("orders").epoch(epoch).build());
 * }
 * }</pre>
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its sequencers. One that starts attaches a Detached sequencer
 * again, whoever detached it; only the last one that closes detaches it. Beans that the sequencer is injected into are
 * destroyed before it is detached.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster.
 */
public final class SequencerFactoryBean implements FactoryBean<SnowcastSequencer>, InitializingBean, DisposableBean {
    private final Snowcast snowcast;
    private final SequencerConfig config;
    private final UnaryOperator<RuntimeException> explanation;
    private final AtomicReference<@Nullable SnowcastSequencer> sequencer = new AtomicReference<>();

    /**
     * Makes a bean that creates the sequencer when it is initialized.
     *
     * @param snowcast creates the sequencer
     * @param config the sequencer's configuration
     * @throws NullPointerException if an argument is null
     */
    public SequencerFactoryBean(Snowcast snowcast, SequencerConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /**
     * Makes a bean whose failures are told in another way.
     *
     * @param explanation makes the exception to throw from the one that {@link Snowcast#createSequencer} threw
     */
    SequencerFactoryBean(Snowcast snowcast, SequencerConfig config, UnaryOperator<RuntimeException> explanation) {
        this.snowcast = Objects.requireNonNull(snowcast, "snowcast");
        this.config = Objects.requireNonNull(config, "config");
        this.explanation = explanation;
    }

    /**
     * Creates the sequencer or takes the one there is, and attaches it if it is Detached.
     *
     * @throws com.noctarius.snowcast.SnowcastException as {@link Snowcast#createSequencer(SequencerConfig)} and {@link
     *     SnowcastSequencer#attachLogicalNode()}
     * @throws IllegalArgumentException as {@link Snowcast#createSequencer(SequencerConfig)}
     */
    @Override
    public void afterPropertiesSet() {
        try {
            sequencer.set(SequencerUsers.acquire(snowcast, config));
        } catch (RuntimeException e) {
            throw explanation.apply(e);
        }
    }

    /**
     * Returns the sequencer.
     *
     * @return the same object every time
     * @throws FactoryBeanNotInitializedException before {@link #afterPropertiesSet()} and after {@link #destroy()}
     */
    @Override
    public SnowcastSequencer getObject() {
        SnowcastSequencer present = sequencer.get();
        if (present == null) {
            throw new FactoryBeanNotInitializedException(
                    "sequencer " + config.name() + " is there from the start of the context to its end");
        }
        return present;
    }

    @Override
    public Class<?> getObjectType() {
        return SnowcastSequencer.class;
    }

    /**
     * Detaches the sequencer, unless another context uses it. Has no effect if it is Detached or Destroyed already, if
     * the {@code HazelcastInstance} was shut down, or when called again.
     */
    @Override
    public void destroy() {
        SnowcastSequencer present = sequencer.getAndSet(null);
        if (present != null) {
            SequencerUsers.release(present);
        }
    }
}
