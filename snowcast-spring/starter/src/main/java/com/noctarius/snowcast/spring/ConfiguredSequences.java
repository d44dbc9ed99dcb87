// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** The registrar that defines a bean for each integer sequence in the properties. */
final class ConfiguredSequences extends ConfiguredBeans {
    private static final Group GROUP = new Group(
            PropertyNames.SEQUENCES,
            "integer sequence",
            SnowcastProperties.Sequence.class,
            IntegerSequence.class,
            "sequence",
            List.of(Snowcast.class, SnowcastProperties.class, ReferredStores.class, StartRules.class));

    ConfiguredSequences(Environment environment, BeanFactory beanFactory) {
        super(environment, beanFactory, GROUP);
    }

    /** Creates the factory bean of an integer sequence; Spring calls this. */
    static IntegerSequenceFactoryBean sequence(
            String key, Snowcast snowcast, SnowcastProperties properties, ReferredStores stores, StartRules rules) {
        SnowcastProperties.Sequence settings = properties.sequences().get(key);
        if (settings == null) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCES, key),
                    "is missing; it was set at build time, when the beans were decided upon",
                    "Set one of " + Setting.keys(Setting.OF_SEQUENCE),
                    null);
        }
        GROUP.requireOwnName(key, properties.sequences(), SnowcastProperties.Sequence::nameOr);
        ReferredStores.Found store = stores.find(key, settings.storeRef(), snowcast);
        IntegerSequenceConfig config;
        try {
            config = settings.toConfig(key, store.store());
        } catch (InvalidSettingException e) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCES, key, e.setting()),
                    e.reason(),
                    "Set it to " + e.setting().allowed() + ", or leave it out",
                    e);
        }
        IntegerSequenceFactoryBean bean = new IntegerSequenceFactoryBean(
                config.name(),
                () -> {
                    stores.define(store, config);
                    return snowcast.createIntegerSequence(config);
                },
                failure -> explain(key, failure, stores.couldDefine(store)));
        bean.setRules(rules);
        return bean;
    }

    private static RuntimeException explain(String key, RuntimeException failure, boolean couldBeDefined) {
        boolean isOfStore = failure instanceof BlockStoreException || failure.getCause() instanceof BlockStoreException;
        boolean isOfSnowcast = isOfStore || failure instanceof SnowcastException;
        if (!isOfSnowcast) {
            return failure; // No property caused this failure.
        }
        return new InvalidPropertyException(
                PropertyNames.of(PropertyNames.SEQUENCES, key),
                "cannot be used: " + failure.getMessage(),
                action(failure, couldBeDefined),
                failure);
    }

    private static String action(RuntimeException failure, boolean couldBeDefined) {
        if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            return "Give it the first value, last value and store that it has, or another " + Setting.NAME.key();
        }
        if (failure instanceof NonTransientBlockStoreException
                || failure.getCause() instanceof NonTransientBlockStoreException) {
            return "Do what the reason says in the store, or lower " + Setting.FIRST_VALUE.key()
                    + " if it is above what the store has"
                    + (couldBeDefined
                            ? "; or set " + PropertyNames.CREATE_TABLES
                                    + "=true, which makes the tables and the sequences that are missing"
                            : "");
        }
        return failure instanceof SnowcastUnavailableException
                ? "Start the database, or correct spring.datasource.*. To wait for longer, set "
                        + PropertyNames.ATTACH_TIMEOUT
                : "The reason says what was allowed, and when to try again";
    }
}
