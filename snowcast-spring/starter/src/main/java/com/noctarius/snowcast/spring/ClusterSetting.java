// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Locale;

/** A property of a cluster: of Hazelcast on each member, and in Boot of {@code snowcast.cluster}. */
enum ClusterSetting {
    LEASE("snowcast.lease.millis", "a duration from 1s to 30d, such as 5m"),
    MAX_LEASE("snowcast.max.lease.millis", "a duration from the lease to 30d, such as 10m"),
    MAX_CLOCK_SKEW("snowcast.max.clock.skew.millis", "a duration from 0s to 1d, such as 60s"),
    NODE_ID_RANGE("snowcast.node.id.range", "two numbers from 0 to 8191 in order, such as 0-4095"),
    SPLIT_BRAIN_PROTECTION_NAME(
            "snowcast.split.brain.protection.name",
            "the name of a split-brain protection of the member's configuration, on WRITE or READ_WRITE"),
    COLD_START_WAIT("snowcast.cold.start.wait", "true or false"),
    FLOOR_DIR("snowcast.floor.dir", "a directory that outlives the member"),
    FLOOR_MEMBERS("snowcast.floor.members", "a number from 1 to 10000, together with floor-dir"),
    FLAKE_IDS("snowcast.flake.ids", "true or false");

    private final String hazelcastName;
    private final String allowed;

    ClusterSetting(String hazelcastName, String allowed) {
        this.hazelcastName = hazelcastName;
        this.allowed = allowed;
    }

    /** Returns the name as a property of Hazelcast. */
    String hazelcastName() {
        return hazelcastName;
    }

    /** Returns the whole name as a property of Boot. */
    String property() {
        return ClusterProperties.PREFIX + "." + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the allowed values, in words that complete "must be". */
    String allowed() {
        return allowed;
    }
}
