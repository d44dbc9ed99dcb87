// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLeaseConfig;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties {@code snowcast.cluster}: settings of the member that Spring Boot or snowcast starts. Properties that
 * are not set are null.
 *
 * @param lease the default lease of sequencers and node leases, and the longest lease that they may have; 1 second to
 *     30 days
 * @param maxLease the longest {@code lease} of any member; set it while you change the lease of a running cluster
 * @param maxClockSkew how far the clock of a process may differ from cluster time when it attaches, up to a day
 * @param nodeIdRange the node IDs that this cluster may grant
 * @param splitBrainProtectionName the name of a split-brain protection in the member's configuration, which then
 *     applies to grants
 * @param fullRestartWait whether the first grants after a full restart wait for the longest lease plus the skew
 * @param highWaterMarkDir the directory of the high-water mark, a file with a time that no lease exceeds
 * @param highWaterMarkMembers how many members' high-water marks must be present before the first grants after a full
 *     restart
 * @param flakeIds whether the members answer clients' Flake ID generators with IDs from snowcast
 */
@ConfigurationProperties(ClusterProperties.PREFIX)
record ClusterProperties(
        @Nullable Duration lease,
        @Nullable Duration maxLease,
        @Nullable Duration maxClockSkew,
        @Nullable String nodeIdRange,
        @Nullable String splitBrainProtectionName,
        @Nullable Boolean fullRestartWait,
        @Nullable String highWaterMarkDir,
        @Nullable Integer highWaterMarkMembers,
        @Nullable Boolean flakeIds) {
    static final String PREFIX = SnowcastProperties.PREFIX + ".cluster";

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_LEASE = Duration.ofDays(30);
    private static final Duration MAX_SKEW = Duration.ofDays(1);
    private static final int MAX_MEMBERS = 10_000;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})\\s*-\\s*(\\d{1,5})");

    /** Returns the values that are set, in the form of Hazelcast properties. Throws if a value is invalid. */
    Map<ClusterSetting, String> checked() {
        Map<ClusterSetting, String> given = new EnumMap<>(ClusterSetting.class);
        put(given, ClusterSetting.LEASE, lease, MIN_LEASE, MAX_LEASE);
        put(given, ClusterSetting.MAX_LEASE, maxLease, lease == null ? MIN_LEASE : lease, MAX_LEASE);
        put(given, ClusterSetting.MAX_CLOCK_SKEW, maxClockSkew, Duration.ZERO, MAX_SKEW);
        put(given, ClusterSetting.NODE_ID_RANGE, nodeIdRange);
        put(given, ClusterSetting.SPLIT_BRAIN_PROTECTION_NAME, splitBrainProtectionName);
        put(given, ClusterSetting.FULL_RESTART_WAIT, fullRestartWait);
        put(given, ClusterSetting.HIGH_WATER_MARK_DIR, highWaterMarkDir);
        put(given, ClusterSetting.HIGH_WATER_MARK_MEMBERS, highWaterMarkMembers);
        put(given, ClusterSetting.FLAKE_IDS, flakeIds);
        require(nodeIdRange == null || isRange(nodeIdRange), ClusterSetting.NODE_ID_RANGE, nodeIdRange);
        require(
                highWaterMarkMembers == null
                        || (highWaterMarkMembers >= 1
                                && highWaterMarkMembers <= MAX_MEMBERS
                                && highWaterMarkDir != null),
                ClusterSetting.HIGH_WATER_MARK_MEMBERS,
                highWaterMarkMembers
                        + (highWaterMarkDir == null
                                ? ", and " + ClusterSetting.HIGH_WATER_MARK_DIR.property() + " is missing"
                                : ""));
        return given;
    }

    /** Repeats the member's check here, because the member's exception would name the Hazelcast property. */
    private static boolean isRange(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return false;
        }
        int highest = Integer.parseInt(range.group(2));
        return Integer.parseInt(range.group(1)) <= highest && highest < NodeLeaseConfig.MAX_NODE_COUNT;
    }

    private static void put(
            Map<ClusterSetting, String> given,
            ClusterSetting setting,
            @Nullable Duration value,
            Duration min,
            Duration max) {
        if (value != null) {
            require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0, setting, value);
            given.put(setting, Long.toString(value.toMillis()));
        }
    }

    private static void put(Map<ClusterSetting, String> given, ClusterSetting setting, @Nullable Object value) {
        if (value != null) {
            require(!value.toString().isBlank(), setting, "'" + value + "'");
            given.put(setting, value.toString());
        }
    }

    /** Rejects an invalid lease here, because the member's exception would name the Hazelcast property. */
    static void requireLease(String property, @Nullable Duration lease) {
        if (lease != null && (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0)) {
            throw new InvalidPropertyException(
                    property,
                    "must be " + Setting.LEASE.allowed() + ": " + lease,
                    "Set it to " + Setting.LEASE.allowed() + "; a number without a unit is milliseconds",
                    null);
        }
    }

    private static void require(boolean isAllowed, ClusterSetting setting, @Nullable Object value) {
        if (!isAllowed) {
            throw new InvalidPropertyException(
                    setting.property(),
                    "must be " + setting.allowed() + ": " + value,
                    "Set it to " + setting.allowed() + ", or leave it out",
                    null);
        }
    }
}
