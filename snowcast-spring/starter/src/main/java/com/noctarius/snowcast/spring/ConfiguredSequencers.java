// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The registrar that defines a bean for each sequencer in the properties. */
final class ConfiguredSequencers extends ConfiguredBeans {
    private static final Group GROUP = new Group(
            PropertyNames.SEQUENCERS,
            "sequencer",
            SnowcastProperties.Sequencer.class,
            SnowcastSequencer.class,
            "sequencer",
            List.of(Snowcast.class, SnowcastProperties.class, StartRules.class, Environment.class));

    /** The earliest epoch that a user may write as a number of milliseconds. */
    private static final Instant FIRST_OF_NUMBERS = Instant.parse("2000-01-01T00:00:00Z");

    ConfiguredSequencers(Environment environment, BeanFactory beanFactory) {
        super(environment, beanFactory, GROUP);
    }

    /** Creates the factory bean of a sequencer; Spring calls this. */
    static SequencerFactoryBean sequencer(
            String key, Snowcast snowcast, SnowcastProperties properties, StartRules rules, Environment environment) {
        SnowcastProperties.Sequencer settings = properties.sequencers().get(key);
        if (settings == null) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key, Setting.EPOCH),
                    "is missing; it was set at build time, when the beans were decided upon",
                    "Set it to " + Setting.EPOCH.allowed(),
                    null);
        }
        GROUP.requireOwnName(key, properties.sequencers(), SnowcastProperties.Sequencer::nameOr);
        SequencerConfig config;
        try {
            requireNoBareNumber(key, settings.epoch(), environment);
            config = settings.toConfig(key, properties.lease());
        } catch (InvalidSettingException e) {
            throw invalid(key, settings, e);
        }
        Setting.adviseOnLease(nameOfLease(key, settings), config.lease());
        NodeIdStore.adviseOnBackups(
                PropertyNames.of(PropertyNames.SEQUENCERS, key, Setting.BACKUP_COUNT),
                settings.backupCount(),
                snowcast);
        SequencerFactoryBean bean =
                new SequencerFactoryBean(snowcast, config, failure -> explain(key, settings, snowcast, failure));
        bean.setRules(rules);
        return bean;
    }

    /** Rejects an epoch before 2000 if it is written as a number: it is probably a year or a number of seconds. */
    private static void requireNoBareNumber(String key, @Nullable Instant epoch, Environment environment) {
        if (epoch != null && epoch.isBefore(FIRST_OF_NUMBERS)) {
            String property = PropertyNames.of(PropertyNames.SEQUENCERS, key, Setting.EPOCH);
            String text = Binder.get(environment).bind(property, String.class).orElse("");
            if (text.strip().matches("[+-]?\\d+")) {
                throw new InvalidSettingException(
                        Setting.EPOCH,
                        "must be " + Setting.EPOCH.allowed() + ": " + text + " (a number means milliseconds since 1970,"
                                + " so this is " + epoch + "; an epoch before 2000 has to be written as an instant)",
                        null);
            }
        }
    }

    private static InvalidPropertyException invalid(
            String key, SnowcastProperties.Sequencer settings, InvalidSettingException e) {
        String action = "Set it to " + e.setting().allowed();
        if (e.setting() == Setting.EPOCH && settings.epoch() == null) {
            action += ". A key with dots is written in brackets: " + PropertyNames.SEQUENCERS + "[my.orders].epoch";
        }
        String property = e.setting() == Setting.LEASE
                ? nameOfLease(key, settings)
                : PropertyNames.of(PropertyNames.SEQUENCERS, key, e.setting());
        return new InvalidPropertyException(property, e.reason(), action, e);
    }

    private static RuntimeException explain(
            String key, SnowcastProperties.Sequencer settings, Snowcast snowcast, RuntimeException failure) {
        String property = PropertyNames.of(PropertyNames.SEQUENCERS, key);
        String action;
        if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            action = "Give it the epoch, layout"
                    + (NodeIdStore.isDatabase(snowcast) ? "" : ", backup count") + " and start-above that it has in "
                    + NodeIdStore.place(snowcast) + ", or another " + Setting.NAME.key();
        } else if (failure instanceof SnowcastNodeIdsExceededException) {
            property = PropertyNames.of(PropertyNames.SEQUENCERS, key, Setting.MAX_LOGICAL_NODES);
            action = "Stop an instance of it, wait until a node ID is free, or use another " + Setting.NAME.key()
                    + " with more of them";
        } else if (failure instanceof IllegalArgumentException) {
            property = nameOfLease(key, settings);
            action = NodeIdStore.shortenLease(snowcast);
        } else if (failure instanceof SnowcastUnavailableException) {
            return failure; // No property caused this failure.
        } else if (failure instanceof SnowcastException) {
            action = NodeIdStore.followReason(snowcast);
        } else {
            return failure;
        }
        return new InvalidPropertyException(property, "cannot be used: " + failure.getMessage(), action, failure);
    }

    private static String nameOfLease(String key, SnowcastProperties.Sequencer settings) {
        return settings.lease() == null
                ? PropertyNames.LEASE
                : PropertyNames.of(PropertyNames.SEQUENCERS, key, Setting.LEASE);
    }
}
