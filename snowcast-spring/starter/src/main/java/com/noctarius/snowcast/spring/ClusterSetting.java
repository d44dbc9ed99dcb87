// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import java.util.Locale;

/**
 * A setting of the cluster: a Hazelcast property of the members, and a Boot property below {@code snowcast.cluster}.
 */
enum ClusterSetting {
    LEASE(SnowcastProperty.LEASE, "a duration from 1s to 30d, such as 5m"),
    MAX_LEASE(SnowcastProperty.MAX_LEASE, "a duration from the lease to 30d, such as 10m"),
    MAX_CLOCK_SKEW(SnowcastProperty.MAX_CLOCK_SKEW, "a duration from 0s to 1d, such as 60s"),
    NODE_ID_RANGE(SnowcastProperty.NODE_ID_RANGE, "two numbers from 0 to 65535 in order, such as 0-4095"),
    SPLIT_BRAIN_PROTECTION_NAME(
            SnowcastProperty.SPLIT_BRAIN_PROTECTION_NAME,
            "the name of a split-brain protection of the member's configuration, on WRITE or READ_WRITE"),
    FULL_RESTART_WAIT(SnowcastProperty.FULL_RESTART_WAIT, "true or false"),
    HIGH_WATER_MARK_DIR(SnowcastProperty.HIGH_WATER_MARK_DIR, "a directory that outlives the member"),
    HIGH_WATER_MARK_MEMBERS(
            SnowcastProperty.HIGH_WATER_MARK_MEMBERS, "a number from 1 to 10000, together with high-water-mark-dir"),
    FLAKE_IDS(SnowcastProperty.FLAKE_IDS, "true or false");

    private final String hazelcastName;
    private final String allowed;

    ClusterSetting(SnowcastProperty hazelcast, String allowed) {
        this.hazelcastName = hazelcast.key();
        this.allowed = allowed;
    }

    String hazelcastName() {
        return hazelcastName;
    }

    /** Returns the full name of the Boot property. */
    String property() {
        return ClusterProperties.PREFIX + "." + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a description of the allowed values that completes "must be". */
    String allowed() {
        return allowed;
    }
}
