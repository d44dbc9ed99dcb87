// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.frameworks.Settings;
import com.noctarius.snowcast.internal.frameworks.Sources;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Singleton;

/**
 * A CDI extension that runs while the application is being built. It adds a bean for each configured sequencer, integer
 * sequence and node lease, with its key as {@code @Named}. It is public, because CDI loads it as a service.
 */
public final class SnowcastBuild implements BuildCompatibleExtension {
    private static final String KEY = "key";

    /** Creates the extension; CDI calls this. */
    public SnowcastBuild() {}

    /**
     * Adds the beans.
     *
     * @param beans receives the beans
     */
    @Synthesis
    public void addBeans(SyntheticComponents beans) {
        add(beans, Settings.SEQUENCERS, SnowcastSequencer.class, SequencerCreator.class);
        add(beans, Settings.SEQUENCES, IntegerSequence.class, SequenceCreator.class);
        add(beans, Settings.NODE_LEASES, NodeLease.class, NodeLeaseCreator.class);
    }

    private static <T> void add(
            SyntheticComponents beans,
            String property,
            Class<T> type,
            Class<? extends SyntheticBeanCreator<T>> creator) {
        for (String key : Settings.keys(property, ConfigProperties.present())) {
            beans.addBean(type)
                    .type(type)
                    .scope(Singleton.class)
                    .qualifier(NamedLiteral.of(key))
                    .qualifier(Default.Literal.INSTANCE)
                    .name(key)
                    .withParam(KEY, key)
                    .createWith(creator);
        }
    }

    private static Sources sources(Instance<Object> beans) {
        return beans.select(Sources.class).get();
    }

    /** The creator of a sequencer bean. */
    public static final class SequencerCreator implements SyntheticBeanCreator<SnowcastSequencer> {
        /** Makes the creator; CDI calls this. */
        public SequencerCreator() {}

        @Override
        public SnowcastSequencer create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).sequencer(parameters.get(KEY, String.class));
        }
    }

    /** The creator of an integer sequence bean. */
    public static final class SequenceCreator implements SyntheticBeanCreator<IntegerSequence> {
        /** Makes the creator; CDI calls this. */
        public SequenceCreator() {}

        @Override
        public IntegerSequence create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).sequence(parameters.get(KEY, String.class));
        }
    }

    /** The creator of a node lease bean. */
    public static final class NodeLeaseCreator implements SyntheticBeanCreator<NodeLease> {
        /** Makes the creator; CDI calls this. */
        public NodeLeaseCreator() {}

        @Override
        public NodeLease create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).nodeLease(parameters.get(KEY, String.class));
        }
    }
}
