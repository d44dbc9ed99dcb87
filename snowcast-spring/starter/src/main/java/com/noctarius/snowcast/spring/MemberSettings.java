// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Gives the configuration of a member that the application starts what it needs of Spring: the properties of the
 * cluster, and a shutdown that is Spring's. What the user has set already wins. Thread-safe.
 */
final class MemberSettings implements BeanPostProcessor {
    /** Hazelcast's shutdown hook would run in parallel with Spring's, and end the member while beans still use it. */
    static final String SHUTDOWN_HOOK = "hazelcast.shutdownhook.enabled";

    private static final Duration DEFAULT_LEASE = Duration.ofMinutes(5);
    private static final Duration DEFAULT_SKEW = Duration.ofMinutes(1);

    /** Not before they are needed: post-processors are made before most others can be. */
    private final ObjectProvider<ClusterProperties> properties;

    MemberSettings(ObjectProvider<ClusterProperties> properties) {
        this.properties = properties;
    }

    /** Those that are beans; others are given to {@link #applyTo} by who loads them. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Config config) {
            applyTo(config);
        }
        return bean;
    }

    void applyTo(Config config) {
        setUnlessSet(config, SHUTDOWN_HOOK, "false");
        Map<ClusterSetting, String> given = properties.getObject().checked();
        given.forEach((setting, value) -> setUnlessSet(config, setting.hazelcastName(), value));
        String protection = given.get(ClusterSetting.SPLIT_BRAIN_PROTECTION_NAME);
        Map<String, SplitBrainProtectionConfig> present = config.getSplitBrainProtectionConfigs();
        if (protection != null && !present.containsKey(protection)) {
            ClusterSetting setting = ClusterSetting.SPLIT_BRAIN_PROTECTION_NAME;
            throw new InvalidPropertyException(
                    setting.property(),
                    "must be " + setting.allowed() + " ("
                            + (present.isEmpty() ? "there is none" : String.join(", ", present.keySet())) + "): "
                            + protection,
                    "Configure it with its minimum cluster size in hazelcast.yaml, or in the Config bean",
                    null);
        }
    }

    static void setUnlessSet(Config config, String property, String value) {
        if (config.getProperty(property) == null && System.getProperty(property) == null) {
            config.setProperty(property, value);
        }
    }

    /** Fails if a property of the cluster is set that this instance does not go by. */
    void requireAppliedTo(HazelcastInstance hazelcast) {
        Setting.adviseOnLease(
                ClusterSetting.LEASE.property(), properties.getObject().lease());
        properties.getObject().checked().forEach((setting, value) -> {
            String present = isClient(hazelcast) ? null : property(hazelcast, setting);
            if (!value.equals(present)) {
                throw misplaced(
                        setting,
                        "has no effect on " + describe(hazelcast)
                                + (present == null ? "" : ", where " + setting.hazelcastName() + " is " + present));
            }
        });
    }

    private static InvalidPropertyException misplaced(ClusterSetting setting, String reason) {
        return new InvalidPropertyException(
                setting.property(),
                reason + ": it is for the member that Boot or snowcast starts",
                "Remove it here, and set the Hazelcast property " + setting.hazelcastName()
                        + " where the members are configured, alike on each",
                null);
    }

    /** As {@link #requireAppliedTo}, where the application makes its {@code Snowcast}: of one of its instances. */
    void requireAppliedToOneOf(List<HazelcastInstance> hazelcasts) {
        InvalidPropertyException refusal = null;
        for (HazelcastInstance hazelcast : hazelcasts) {
            try {
                requireAppliedTo(hazelcast);
                return;
            } catch (InvalidPropertyException e) {
                refusal = e;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
        properties.getObject().checked().keySet().stream().findFirst().ifPresent(setting -> {
            throw misplaced(setting, "has no effect, since there is no HazelcastInstance bean");
        });
    }

    private static String describe(HazelcastInstance hazelcast) {
        return (isClient(hazelcast) ? "the client " : "the member ") + hazelcast.getName();
    }

    /** How long the first grants of a member's cluster wait after its start; zero for a client, which cannot tell. */
    static Duration fullRestartWait(HazelcastInstance hazelcast) {
        if (isClient(hazelcast) || !"true".equals(property(hazelcast, ClusterSetting.FULL_RESTART_WAIT))) {
            return Duration.ZERO;
        }
        return millis(hazelcast, ClusterSetting.MAX_LEASE, millis(hazelcast, ClusterSetting.LEASE, DEFAULT_LEASE))
                .plus(millis(hazelcast, ClusterSetting.MAX_CLOCK_SKEW, DEFAULT_SKEW));
    }

    private static Duration millis(HazelcastInstance member, ClusterSetting setting, Duration unlessSet) {
        String present = property(member, setting);
        return present == null ? unlessSet : Duration.ofMillis(Long.parseLong(present.trim()));
    }

    private static @Nullable String property(HazelcastInstance member, ClusterSetting setting) {
        String own = member.getConfig().getProperty(setting.hazelcastName());
        return own == null ? System.getProperty(setting.hazelcastName()) : own;
    }

    /** A client has the configuration of no member, and says so in this way. */
    static boolean isClient(HazelcastInstance hazelcast) {
        try {
            return hazelcast.getConfig().getProperties() == null;
        } catch (UnsupportedOperationException e) {
            return true;
        }
    }
}
