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
 * A factory bean of a sequencer, which is attached when the context starts and detached when it closes. It is never
 * destroyed.
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
 * <p>Contexts that share a {@code HazelcastInstance} share its sequencers. A context that starts attaches a Detached
 * sequencer again, even if the application detached it. The last of these contexts to close detaches it. Spring
 * destroys the beans into which the sequencer is injected before it detaches the sequencer.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster. The start also waits, for up to
 * {@link #setAttachTimeout}, while the cluster cannot attach the sequencer yet.
 */
public final class SequencerFactoryBean extends SharedFactoryBean<SnowcastSequencer> {
    /**
     * Makes a bean that creates the sequencer when it is initialized.
     *
     * @param snowcast the {@code Snowcast} that creates the sequencer
     * @param config the configuration of the sequencer
     * @throws NullPointerException if an argument is null
     */
    public SequencerFactoryBean(Snowcast snowcast, SequencerConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /** Makes a bean with an explanation, as {@link SharedFactoryBean} takes it. */
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
            // Another thread or context may have attached or destroyed the sequencer at the same moment.
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
            // Another thread or context detached or destroyed the sequencer at the same moment, or its
            // HazelcastInstance
            // was shut down.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                throw e;
            }
        }
    }
}
