// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A factory bean that creates and attaches a sequencer when the context starts, and detaches it when the context
 * closes. It never destroys the sequencer.
 *
 * <pre>{@code
 * @Bean
 * SequencerFactoryBean orders(Snowcast snowcast) {
 *     return new SequencerFactoryBean(
 *             snowcast,
 *             SequencerConfig.builder("orders").epoch(epoch).layout(SnowcastLayout.POSITIVE).build());
 * }
 * }</pre>
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its sequencers. A starting context attaches a sequencer that
 * is Detached, even if the application has detached it. The last of these contexts to close detaches the sequencer.
 * Spring destroys the beans into which the sequencer is injected before it detaches the sequencer.
 *
 * <p>Thread-safe. Starting and closing block for a round trip to the cluster or database. If the cluster or database
 * cannot grant a node ID yet, starting retries for up to {@link #setAttachTimeout}.
 */
public final class SequencerFactoryBean extends SharedFactoryBean<SnowcastSequencer> {
    /**
     * Creates a factory bean, which creates the sequencer when Spring initializes it.
     *
     * @param snowcast the {@code Snowcast} that creates the sequencer
     * @param config the configuration of the sequencer
     * @throws NullPointerException if an argument is null
     */
    public SequencerFactoryBean(Snowcast snowcast, SequencerConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /** Creates a factory bean; for {@code explanation}, see {@link SharedFactoryBean}. */
    SequencerFactoryBean(Snowcast snowcast, SequencerConfig config, UnaryOperator<RuntimeException> explanation) {
        super(
                SnowcastSequencer.class,
                () -> snowcast.createSequencer(config),
                () -> snowcast.createDetachedSequencer(config),
                "sequencer " + Objects.requireNonNull(config, "config").name(),
                explanation);
        Objects.requireNonNull(snowcast, "snowcast");
    }

    @Override
    boolean begin(SnowcastSequencer sequencer) {
        try {
            if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                sequencer.attachLogicalNode();
            }
        } catch (SnowcastStateException e) {
            // Another thread or context may have attached or destroyed the sequencer concurrently.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                throw e;
            }
        }
        return sequencer.getSequencerState() != SnowcastSequenceState.Destroyed;
    }

    @Override
    boolean beginLater(SnowcastSequencer sequencer, Attacher attacher, SnowcastUnavailableException refusal) {
        attacher.attach(sequencer, () -> beginNow(sequencer), refusal);
        return sequencer.getSequencerState() != SnowcastSequenceState.Destroyed;
    }

    @Override
    void end(SnowcastSequencer sequencer) {
        try {
            if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                sequencer.detachLogicalNode();
            }
        } catch (SnowcastStateException e) {
            // Another thread or context may have detached or destroyed the sequencer concurrently, or its
            // HazelcastInstance may have been shut down.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                throw e;
            }
        }
    }
}
