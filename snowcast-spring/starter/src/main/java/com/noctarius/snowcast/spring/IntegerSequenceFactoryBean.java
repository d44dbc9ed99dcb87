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
 * A factory bean that creates an integer sequence when the context starts, and closes the sequence when the context
 * closes. The start also reserves the first block, so that calls need not wait for it after the application is ready.
 * If this reservation fails because the store cannot be reached, the context starts anyway. In that case the sequence
 * retries the reservation in the background, and {@link IntegerSequence#stats()} and the health indicator show why
 * there is no block yet. If the store rejects the sequence, the start of the context fails. With Boot and
 * {@code snowcast.jdbc.create-tables=true}, the start also fails if the database of the store {@code jdbc} stays out of
 * reach for {@link #setAttachTimeout}.
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
 * <p>Contexts that share a {@code HazelcastInstance} share its integer sequences and the stores of these sequences. The
 * last of these contexts to close also closes the sequence. The sequence then returns the rest of its blocks to the
 * store, if the store can take them back. Spring destroys the beans into which the sequence is injected before it
 * closes the sequence. If the application closes the sequence itself, it stays closed until another context with this
 * sequence starts.
 *
 * <p>Thread-safe. Closing blocks for the store's time-outs at most. Starting blocks for these time-outs plus the
 * sequence's {@code maxWait} at most; with {@code create-tables}, also for {@link #setAttachTimeout} while the database
 * is out of reach.
 */
public final class IntegerSequenceFactoryBean extends SharedFactoryBean<IntegerSequence> {
    private static final Log LOG = LogFactory.getLog(IntegerSequenceFactoryBean.class);

    /**
     * Creates a factory bean, which creates the integer sequence when Spring initializes it.
     *
     * @param snowcast the {@code Snowcast} that creates the sequence
     * @param config the configuration of the sequence
     * @throws NullPointerException if an argument is null
     */
    public IntegerSequenceFactoryBean(Snowcast snowcast, IntegerSequenceConfig config) {
        this(config.name(), () -> snowcast.createIntegerSequence(config), UnaryOperator.identity());
        Objects.requireNonNull(snowcast, "snowcast");
    }

    /**
     * Creates a factory bean. {@link SharedFactoryBean} describes {@code explanation}, and {@code creation} as
     * {@code create}.
     */
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
