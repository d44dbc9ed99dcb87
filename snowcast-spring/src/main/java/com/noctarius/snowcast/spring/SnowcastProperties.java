// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of snowcast in Spring Boot. Immutable and thread-safe.
 *
 * @param enabled whether anything is configured at all
 * @param lease for sequencers without an own one; null for the cluster's
 * @param backupCount for sequencers without an own one, 0 to 6; null for 1
 * @param hazelcastInstanceRef the name of the {@code HazelcastInstance} bean to use; null for the only or primary one
 * @param sequencers the sequencers by the names of their beans
 */
@ConfigurationProperties(SnowcastProperties.PREFIX)
public record SnowcastProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Duration lease,
        @Nullable Integer backupCount,
        @Nullable String hazelcastInstanceRef,
        @DefaultValue Map<String, Sequencer> sequencers) {
    static final String PREFIX = "snowcast";

    /**
     * Takes the values as they are. They are checked when they are used.
     *
     * @param enabled whether anything is configured at all
     * @param lease for sequencers without an own one; null for the cluster's
     * @param backupCount for sequencers without an own one, 0 to 6; null for 1
     * @param hazelcastInstanceRef the name of the {@code HazelcastInstance} bean to use; null for the only or primary one
     * @param sequencers the sequencers by the names of their beans
     * @throws NullPointerException if {@code sequencers} is null
     */
    public SnowcastProperties {
        sequencers = Collections.unmodifiableMap(new LinkedHashMap<>(sequencers));
    }

    /**
     * The properties of a sequencer; a value that is not given is null.
     *
     * @param name the name in the cluster; by default that of the bean
     * @param epoch when the time of the IDs begins; required
     * @param layout {@code default}, {@code positive}, {@code javascript}, or the bits of time, logical node and counter,
     *     such as {@code 41/13/10}
     * @param maxLogicalNodes another way to give the layout, 128 to 8,192
     * @param counterStart where the counter starts in a new millisecond
     * @param ordering in which order IDs come
     * @param lease how long this instance can go on without the cluster, 1 second to 30 days
     * @param backupCount the number of synchronous backups, 0 to 6
     */
    public record Sequencer(
            @Nullable String name,
            @Nullable Instant epoch,
            @Nullable String layout,
            @Nullable Integer maxLogicalNodes,
            @Nullable CounterStart counterStart,
            @Nullable Ordering ordering,
            @Nullable Duration lease,
            @Nullable Integer backupCount) {
        private static final Pattern BITS = Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})");

        /** The name in the cluster. */
        String nameOr(String beanName) {
            return name == null ? beanName : name;
        }

        /**
         * Checks the values.
         *
         * @param defaultLease if there is no own one; null for the cluster's
         * @throws InvalidSettingException for the first one that cannot be
         */
        SequencerConfig toConfig(String beanName, @Nullable Duration defaultLease) {
            String clusterName = nameOr(beanName);
            if (clusterName.isBlank()) {
                throw new InvalidSettingException(Setting.NAME, "'" + clusterName + "'");
            }
            SequencerConfig.Builder config =
                    SequencerConfig.builder(clusterName).epoch(snowcastEpoch()).layout(snowcastLayout());
            if (counterStart != null) {
                config.counterStart(counterStart);
            }
            if (ordering != null) {
                config.ordering(ordering);
            }
            Duration ownOrDefaultLease = lease == null ? defaultLease : lease;
            if (ownOrDefaultLease != null) {
                checked(Setting.LEASE, ownOrDefaultLease, () -> config.lease(ownOrDefaultLease));
            }
            if (backupCount != null) {
                checked(Setting.BACKUP_COUNT, backupCount, () -> config.backupCount(backupCount));
            }
            return config.build();
        }

        private SnowcastEpoch snowcastEpoch() {
            if (epoch == null) {
                throw new InvalidSettingException(
                        Setting.EPOCH, "is missing; must be " + Setting.EPOCH.allowed(), null);
            }
            return checked(Setting.EPOCH, epoch, () -> SnowcastEpoch.byInstant(epoch));
        }

        private SnowcastLayout snowcastLayout() {
            if (layout != null && maxLogicalNodes != null) {
                throw new InvalidSettingException(
                        Setting.MAX_LOGICAL_NODES,
                        "must not be set together with " + Setting.LAYOUT.key() + " (" + layout + "): "
                                + maxLogicalNodes,
                        null);
            }
            if (maxLogicalNodes != null) {
                return checked(
                        Setting.MAX_LOGICAL_NODES,
                        maxLogicalNodes,
                        () -> SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodes));
            }
            return layout == null ? SnowcastLayout.DEFAULT : layoutOf(layout.trim());
        }

        private static SnowcastLayout layoutOf(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "default" -> SnowcastLayout.DEFAULT;
                case "positive" -> SnowcastLayout.POSITIVE;
                case "javascript" -> SnowcastLayout.JAVASCRIPT;
                default -> layoutOfBits(text);
            };
        }

        private static SnowcastLayout layoutOfBits(String text) {
            Matcher bits = BITS.matcher(text);
            if (!bits.matches()) {
                throw new InvalidSettingException(Setting.LAYOUT, text);
            }
            return checked(
                    Setting.LAYOUT,
                    text,
                    () -> new SnowcastLayout(
                            Integer.parseInt(bits.group(1)),
                            Integer.parseInt(bits.group(2)),
                            Integer.parseInt(bits.group(3))));
        }

        /** A value that the API refuses: its message says which part of the value is wrong. */
        private static <T> T checked(Setting setting, Object value, Supplier<T> use) {
            try {
                return use.get();
            } catch (IllegalArgumentException | SnowcastException e) {
                throw new InvalidSettingException(
                        setting, "must be " + setting.allowed() + ": " + value + " (" + e.getMessage() + ")", e);
            }
        }
    }
}
