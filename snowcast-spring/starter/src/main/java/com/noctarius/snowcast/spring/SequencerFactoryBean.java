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
 * A sequencer as a bean: Attached when the context starts, Detached when it closes, never destroyed.
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
 * sequencer again, also if the application detached it; only the last context that closes detaches it. Beans that the
 * sequencer is injected into are destroyed before it is detached.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster; the start waits {@linkplain #setAttachTimeout
 * for a time} while the cluster cannot attach it yet.
 */
public final class SequencerFactoryBean extends SharedFactoryBean<SnowcastSequencer> {
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

    /** Takes what makes the exception to throw from the one that creating or attaching threw. */
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
            // Another thread or context may have attached or destroyed it at the same moment.
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
            // Another thread or context detached or destroyed it at the same moment, or its HazelcastInstance was shut
            // down.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                throw e;
            }
        }
    }
}
