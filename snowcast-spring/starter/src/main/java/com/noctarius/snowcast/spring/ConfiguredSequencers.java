// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** The sequencers in the properties, as beans. */
final class ConfiguredSequencers extends ConfiguredBeans {
    private static final Group GROUP = new Group(
            PropertyNames.SEQUENCERS, "sequencer", SnowcastProperties.Sequencer.class, SnowcastSequencer.class);

    ConfiguredSequencers(Environment environment, BeanFactory beanFactory) {
        super(environment, beanFactory, GROUP, "sequencer", List.of(Snowcast.class, SnowcastProperties.class));
    }

    /** Makes the bean of a sequencer; the container calls it. */
    static SequencerFactoryBean sequencer(String key, Snowcast snowcast, SnowcastProperties properties) {
        SnowcastProperties.Sequencer settings = properties.sequencers().get(key);
        if (settings == null) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.EPOCH),
                    "is missing; it was set at build time, when the beans were decided upon",
                    "Set it to " + SequencerSetting.EPOCH.allowed(),
                    null);
        }
        GROUP.requireOwnName(key, properties.sequencers(), SnowcastProperties.Sequencer::nameOr, SequencerSetting.NAME);
        SequencerConfig config;
        try {
            config = settings.toConfig(key, properties.lease());
        } catch (InvalidSettingException e) {
            throw invalid(key, settings, e);
        }
        return new SequencerFactoryBean(snowcast, config, failure -> explain(key, settings, failure));
    }

    private static InvalidPropertyException invalid(
            String key, SnowcastProperties.Sequencer settings, InvalidSettingException e) {
        boolean isDefaultLease = e.setting() == SequencerSetting.LEASE && settings.lease() == null;
        String action = "Set it to " + e.setting().allowed();
        if (e.setting() == SequencerSetting.EPOCH && settings.epoch() == null) {
            action += ". A key with dots is written in brackets: " + PropertyNames.SEQUENCERS + "[my.orders].epoch";
        }
        return new InvalidPropertyException(
                isDefaultLease ? PropertyNames.LEASE : PropertyNames.of(PropertyNames.SEQUENCERS, key, e.setting()),
                e.reason(),
                action,
                e);
    }

    private static RuntimeException explain(
            String key, SnowcastProperties.Sequencer settings, RuntimeException failure) {
        String reason = "cannot be used: " + failure.getMessage();
        if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key),
                    reason,
                    "Give it the epoch, layout and backup count that it has in the cluster, or another "
                            + SequencerSetting.NAME.key(),
                    failure);
        }
        if (failure instanceof SnowcastNodeIdsExceededException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.MAX_LOGICAL_NODES),
                    reason,
                    "Stop an instance of it, wait until a logical node is free, or use another "
                            + SequencerSetting.NAME.key() + " with more of them",
                    failure);
        }
        if (failure instanceof IllegalArgumentException) {
            return new InvalidPropertyException(
                    settings.lease() == null
                            ? PropertyNames.LEASE
                            : PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.LEASE),
                    reason,
                    "Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members",
                    failure);
        }
        if (failure instanceof SnowcastException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key),
                    reason,
                    "The reason says what was allowed, and when to try again",
                    failure);
        }
        return failure;
    }
}
