// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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
 * <p>Contexts that share a {@code HazelcastInstance} share its integer sequences, and so the stores of these. Only the
 * last context that closes closes a sequence, which gives the rest of its blocks back. Beans that the sequence is
 * injected into are destroyed before it is closed. A sequence that the application closes or destroys itself stays
 * closed until the next context starts.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster; the close of a sequence with a store of its
 * own blocks at most as long as the store's time-outs.
 */
public final class IntegerSequenceFactoryBean extends SharedFactoryBean<IntegerSequence> {
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

    /** Takes how to create the sequence, and what makes the exception to throw from the one that this threw. */
    IntegerSequenceFactoryBean(
            String name, Supplier<IntegerSequence> creation, UnaryOperator<RuntimeException> explanation) {
        super(IntegerSequence.class, creation, "integer sequence " + name, explanation);
    }

    @Override
    boolean begin(IntegerSequence sequence) {
        return !sequence.isClosed();
    }

    @Override
    void end(IntegerSequence sequence) {
        sequence.close();
    }
}
