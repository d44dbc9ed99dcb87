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
 * A post-processor for the {@code Config} of a member that the application starts. It sets Hazelcast's properties from
 * the properties {@code snowcast.cluster}, and disables Hazelcast's shutdown hook, so that only Spring shuts the member
 * down. It does not change Hazelcast properties that the user has set. Thread-safe.
 */
final class MemberSettings implements BeanPostProcessor {
    /** Set to false, because Hazelcast's hook would shut the member down while beans still use it. */
    static final String SHUTDOWN_HOOK = "hazelcast.shutdownhook.enabled";

    private static final Duration DEFAULT_LEASE = Duration.ofMinutes(5);
    private static final Duration DEFAULT_SKEW = Duration.ofMinutes(1);

    /** A provider, because Spring creates post-processors before it can create most other beans. */
    private final ObjectProvider<ClusterProperties> properties;

    MemberSettings(ObjectProvider<ClusterProperties> properties) {
        this.properties = properties;
    }

    /**
     * Applies the settings to a {@code Config} bean. For a {@code Config} that is not a bean, call {@link #applyTo}.
     */
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

    /** Throws if a property of {@code snowcast.cluster} is set, but this instance does not have the value. */
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
                        + " where the members are configured, to the same value on each",
                null);
    }

    /**
     * Like {@link #requireAppliedTo}, but only one of several instances must have the values. Without an instance,
     * throws if any property is set.
     */
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

    /** Returns how long the first grants wait after a full restart; zero if they do not wait, and for a client. */
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

    /** Returns whether an instance is a client, which has no member configuration. */
    static boolean isClient(HazelcastInstance hazelcast) {
        try {
            return hazelcast.getConfig().getProperties() == null;
        } catch (UnsupportedOperationException e) {
            return true;
        }
    }
}
