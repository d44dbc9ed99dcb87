// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** The integer sequences in the properties, as beans. */
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

    /** Makes the bean of an integer sequence; the container calls it. */
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
        IntegerSequenceConfig config;
        try {
            config = settings.toConfig(key, stores.find(key, settings.storeRef()));
        } catch (InvalidSettingException e) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCES, key, e.setting()),
                    e.reason(),
                    "Set it to " + e.setting().allowed() + ", or leave it out",
                    e);
        }
        IntegerSequenceFactoryBean bean = new IntegerSequenceFactoryBean(
                config.name(),
                () -> settings.create(snowcast, config),
                settings.isResumed() ? null : () -> snowcast.prepareIntegerSequence(config),
                failure -> explain(key, failure));
        bean.setRules(rules);
        return bean;
    }

    private static RuntimeException explain(String key, RuntimeException failure) {
        boolean isOfSnowcast = failure instanceof SnowcastException || failure instanceof BlockStoreException;
        if (!isOfSnowcast || failure instanceof SnowcastUnavailableException) {
            return failure; // No property is wrong.
        }
        String action = "The reason says what was allowed, and when to try again";
        if (failure instanceof NonTransientBlockStoreException
                || failure.getCause() instanceof NonTransientBlockStoreException) {
            action = "Do what the reason says in the store, or lower " + Setting.FIRST_VALUE.key()
                    + " if it is above what the store has";
        } else if (failure instanceof IntegerSequenceAlreadyRegisteredException) {
            action = "Give it the first value, last value, backup count and store that it has, or another "
                    + Setting.NAME.key();
        } else if (failure instanceof IntegerSequenceUnknownException) {
            action = "Remove " + Setting.FIRST_VALUE_AFTER_LOSS.key() + " and " + Setting.LOST_BEFORE.key()
                    + "; if integers of the sequence are in use, set " + Setting.FIRST_VALUE.key()
                    + " above all of them, on all members and clients";
        } else if (failure instanceof SnowcastIllegalStateException) {
            action = "If the pool was lost, find the highest integer in use and set "
                    + Setting.FIRST_VALUE_AFTER_LOSS.key() + " and " + Setting.LOST_BEFORE.key()
                    + "; else raise " + Setting.LAST_VALUE.key() + " or use another "
                    + Setting.NAME.key();
        }
        return new InvalidPropertyException(
                PropertyNames.of(PropertyNames.SEQUENCES, key),
                "cannot be used: " + failure.getMessage(),
                action,
                failure);
    }
}
