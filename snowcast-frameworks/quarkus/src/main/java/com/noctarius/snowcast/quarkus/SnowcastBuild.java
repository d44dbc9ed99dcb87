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
 * Makes a bean of each configured sequencer, integer sequence and node lease while the application is built, with its
 * key as {@code @Named}. Public because CDI finds it as a service.
 */
public final class SnowcastBuild implements BuildCompatibleExtension {
    private static final String KEY = "key";

    /** To be called by CDI. */
    public SnowcastBuild() {}

    /**
     * Adds the beans.
     *
     * @param beans where
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
        for (String key : ConfigProperties.present().keysBelow(property)) {
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

    /** Of a sequencer. */
    public static final class SequencerCreator implements SyntheticBeanCreator<SnowcastSequencer> {
        /** To be called by CDI. */
        public SequencerCreator() {}

        @Override
        public SnowcastSequencer create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).sequencer(parameters.get(KEY, String.class));
        }
    }

    /** Of an integer sequence. */
    public static final class SequenceCreator implements SyntheticBeanCreator<IntegerSequence> {
        /** To be called by CDI. */
        public SequenceCreator() {}

        @Override
        public IntegerSequence create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).sequence(parameters.get(KEY, String.class));
        }
    }

    /** Of a node lease. */
    public static final class NodeLeaseCreator implements SyntheticBeanCreator<NodeLease> {
        /** To be called by CDI. */
        public NodeLeaseCreator() {}

        @Override
        public NodeLease create(Instance<Object> beans, Parameters parameters) {
            return sources(beans).nodeLease(parameters.get(KEY, String.class));
        }
    }
}
