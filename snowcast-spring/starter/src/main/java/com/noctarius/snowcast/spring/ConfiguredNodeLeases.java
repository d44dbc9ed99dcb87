// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** The registrar that defines a bean for each node lease in the properties. */
final class ConfiguredNodeLeases extends ConfiguredBeans {
    private static final Group GROUP = new Group(
            PropertyNames.NODE_LEASES,
            "node lease",
            SnowcastProperties.Node.class,
            NodeLease.class,
            "lease",
            List.of(Snowcast.class, SnowcastProperties.class, StartRules.class));

    ConfiguredNodeLeases(Environment environment, BeanFactory beanFactory) {
        super(environment, beanFactory, GROUP);
    }

    /** Creates the factory bean of a node lease; Spring calls this. */
    static NodeLeaseFactoryBean lease(String key, Snowcast snowcast, SnowcastProperties properties, StartRules rules) {
        SnowcastProperties.Node settings = properties.nodeLeases().get(key);
        if (settings == null) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.NODE_LEASES, key),
                    "is missing; it was set at build time, when the beans were decided upon",
                    "Set " + Setting.MAX_NODES.key() + ", and the others of " + Setting.keys(Setting.OF_NODE_LEASE)
                            + " as needed",
                    null);
        }
        GROUP.requireOwnName(key, properties.nodeLeases(), SnowcastProperties.Node::nameOr);
        NodeLeaseConfig config;
        try {
            config = settings.toConfig(key, properties.lease());
        } catch (InvalidSettingException e) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.NODE_LEASES, key, e.setting()),
                    e.reason(),
                    "Set it to " + e.setting().allowed()
                            + (e.setting() == Setting.MAX_NODES ? "" : ", or leave it out"),
                    e);
        }
        Setting.adviseOnLease(nameOfLease(key, settings), config.lease());
        NodeIdStore.adviseOnBackups(
                PropertyNames.of(PropertyNames.NODE_LEASES, key, Setting.BACKUP_COUNT),
                settings.backupCount(),
                snowcast);
        NodeLeaseFactoryBean bean =
                new NodeLeaseFactoryBean(snowcast, config, failure -> explain(key, settings, snowcast, failure));
        bean.setRules(rules);
        return bean;
    }

    private static RuntimeException explain(
            String key, SnowcastProperties.Node settings, Snowcast snowcast, RuntimeException failure) {
        boolean isOfProperties = failure instanceof SnowcastException || failure instanceof IllegalArgumentException;
        if (!isOfProperties
                || failure instanceof SnowcastUnavailableException
                || failure instanceof SnowcastNodeIdsExceededException) {
            return failure; // No property caused this failure.
        }
        String property = PropertyNames.of(PropertyNames.NODE_LEASES, key);
        String action;
        if (failure instanceof IllegalArgumentException) {
            property = nameOfLease(key, settings);
            action = NodeIdStore.shortenLease(snowcast);
        } else if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            action = "Give it the " + Setting.MAX_NODES.key()
                    + (NodeIdStore.isDatabase(snowcast) ? "" : " and backup count") + " that it has in "
                    + NodeIdStore.place(snowcast) + ", or another " + Setting.NAME.key();
        } else {
            action = NodeIdStore.followReason(snowcast);
        }
        return new InvalidPropertyException(property, "cannot be used: " + failure.getMessage(), action, failure);
    }

    private static String nameOfLease(String key, SnowcastProperties.Node settings) {
        return settings.lease() == null
                ? PropertyNames.LEASE
                : PropertyNames.of(PropertyNames.NODE_LEASES, key, Setting.LEASE);
    }
}
