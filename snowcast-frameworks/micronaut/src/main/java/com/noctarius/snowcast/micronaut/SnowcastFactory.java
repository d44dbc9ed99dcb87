// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.frameworks.Settings;
import com.noctarius.snowcast.internal.frameworks.Sources;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.EachBean;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/**
 * The factory of snowcast's beans, active if there are properties of snowcast. It creates each configured sequencer,
 * integer sequence and node lease, with its key as {@code @Named}. It also creates the {@code Snowcast}, unless the
 * application has a bean of that type.
 */
@Factory
@Requires(property = "snowcast")
public final class SnowcastFactory {
    /** Creates the factory; Micronaut calls this. */
    public SnowcastFactory() {}

    @Singleton
    @Requires(missingBeans = Snowcast.class)
    Snowcast snowcast(OwnSnowcast own) {
        return own.open();
    }

    /** Opens the configured sources when the application starts. */
    @Context
    @Bean(typed = Sources.class)
    Sources sources(Snowcast snowcast, OwnSnowcast own) {
        return own.sources(snowcast);
    }

    @EachBean(SequencerKey.class)
    SnowcastSequencer sequencer(SequencerKey key, Sources sources) {
        return sources.sequencer(key.name());
    }

    @EachBean(SequenceKey.class)
    IntegerSequence sequence(SequenceKey key, Sources sources) {
        return sources.sequence(key.name());
    }

    @EachBean(NodeLeaseKey.class)
    NodeLease nodeLease(NodeLeaseKey key, Sources sources) {
        return sources.nodeLease(key.name());
    }

    @EachProperty(Settings.SEQUENCERS)
    record SequencerKey(@Parameter String name) {}

    @EachProperty(Settings.SEQUENCES)
    record SequenceKey(@Parameter String name) {}

    @EachProperty(Settings.NODE_LEASES)
    record NodeLeaseKey(@Parameter String name) {}
}
