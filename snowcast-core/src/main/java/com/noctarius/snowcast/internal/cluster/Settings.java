// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.table.TableRules;
import java.util.concurrent.TimeUnit;

/** The properties of snowcast, read once when a member starts. */
final class Settings {
    static final HazelcastProperty LEASE_MILLIS = new HazelcastProperty("snowcast.lease.millis", 300_000);
    static final HazelcastProperty MAX_CLOCK_SKEW_MILLIS =
            new HazelcastProperty("snowcast.max.clock.skew.millis", 60_000);

    private static final long MIN_LEASE_MILLIS = 1_000;
    private static final long MAX_LEASE_MILLIS = TimeUnit.DAYS.toMillis(30);
    private static final long MAX_SKEW_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final int BACKUP_TIMEOUTS_PER_LEASE = 4;

    private final TableRules rules;
    private final long backupTimeoutMillis;

    /**
     * Reads the properties.
     *
     * @throws IllegalArgumentException if a value is no number or out of range
     */
    Settings(HazelcastProperties properties) {
        long lease = read(properties, LEASE_MILLIS, MIN_LEASE_MILLIS, MAX_LEASE_MILLIS);
        long skew = read(properties, MAX_CLOCK_SKEW_MILLIS, 0, MAX_SKEW_MILLIS);
        long heartbeatTimeout =
                TimeUnit.SECONDS.toMillis(properties.getSeconds(ClusterProperty.MAX_NO_HEARTBEAT_SECONDS));
        this.rules = new TableRules(
                lease, skew, lease + 2 * skew + heartbeatTimeout, 0, SnowcastLayout.MAX_LOGICAL_NODE_COUNT - 1);
        this.backupTimeoutMillis = properties.getMillis(ClusterProperty.OPERATION_BACKUP_TIMEOUT_MILLIS);
    }

    private static long read(HazelcastProperties properties, HazelcastProperty property, long min, long max) {
        String text = properties.getString(property).trim();
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    property.getName() + " must be a number from " + min + " to " + max + ": " + text, e);
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    property.getName() + " must be from " + min + " to " + max + ": " + value);
        }
        return value;
    }

    TableRules rules() {
        return rules;
    }

    /** Whether one lost backup acknowledgement can make an extension come too late. */
    boolean isLeaseShort() {
        return rules.leaseMillis() < BACKUP_TIMEOUTS_PER_LEASE * backupTimeoutMillis;
    }
}
