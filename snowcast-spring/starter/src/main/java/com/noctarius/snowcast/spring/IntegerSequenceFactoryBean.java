// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * An integer sequence as a bean: created when the context starts, closed when it closes. Its first block is reserved
 * with it, so no call waits for it once the application is ready. If the store cannot be reached, the context starts;
 * the reservation is repeated in the background, and {@link IntegerSequence#stats()} and the health show why there is
 * no block yet. If the store refuses the sequence, the context does not start.
 *
 * <pre>{@code
 * @Bean
 * IntegerSequenceFactoryBean products(Snowcast snowcast, JdbcBlockStore store) {
 *     return new IntegerSequenceFactoryBean(
 *             snowcast,
 *             IntegerSequenceConfig.builder("products").firstValue(5_000_001).store(store).build());
 * }
 * }</pre>
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its integer sequences, and so the stores of these. Only the
 * last context that closes closes a sequence, which gives the rest of its blocks back. Beans that the sequence is
 * injected into are destroyed before it is closed. A sequence that the application closes itself stays closed until the
 * next context starts.
 *
 * <p>Thread-safe. Start and close block at most as long as the store's time-outs, the start also no longer than a call
 * waits for a block.
 */
public final class IntegerSequenceFactoryBean extends SharedFactoryBean<IntegerSequence> {
    private static final Log LOG = LogFactory.getLog(IntegerSequenceFactoryBean.class);

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
        super(IntegerSequence.class, creation, null, "integer sequence " + name, explanation);
    }

    @Override
    boolean begin(IntegerSequence sequence) {
        try {
            sequence.prefetch();
            String problem = sequence.stats().problem();
            if (!problem.isEmpty()) {
                LOG.warn("integer sequence " + sequence.name() + " has no block yet: " + problem);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IntegerSequenceExhaustedException e) {
            LOG.warn(e.getMessage());
        } catch (SnowcastStateException e) {
            LOG.debug("closed since it was looked up", e);
        }
        return !sequence.isClosed();
    }

    @Override
    void end(IntegerSequence sequence) {
        sequence.close();
    }
}
