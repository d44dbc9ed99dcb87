// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.membership.Electorate;
import com.noctarius.snowcast.internal.table.TableRules;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The properties of snowcast, read once when a member starts.
 *
 * @param isLeaseShort whether one lost backup acknowledgement can make an extension come too late
 * @param coldStartWaitMillis how long the first grants wait after a start of the whole cluster
 * @param floorDirectory where the durable floor is kept; null for nowhere
 * @param floorMembers how many members' durable floors are to be known before the first grants
 * @param protection what has to be met before anything changes; null for nothing
 * @param maxGapMillis how long this member may stand still before it takes itself for removed
 * @param searchMillis within which time Hazelcast has searched for other clusters at least once, and that search has ended
 */
record Settings(
        TableRules rules,
        boolean isLeaseShort,
        long coldStartWaitMillis,
        @Nullable Path floorDirectory,
        int floorMembers,
        @Nullable SplitBrainProtectionConfig protection,
        long maxGapMillis,
        long searchMillis) {
    static final HazelcastProperty LEASE_MILLIS = new HazelcastProperty("snowcast.lease.millis", 300_000);
    static final HazelcastProperty MAX_CLOCK_SKEW_MILLIS =
            new HazelcastProperty("snowcast.max.clock.skew.millis", 60_000);
    static final HazelcastProperty NODE_ID_RANGE =
            new HazelcastProperty("snowcast.node.id.range", "0-" + (SnowcastLayout.MAX_LOGICAL_NODE_COUNT - 1));
    static final HazelcastProperty COLD_START_WAIT = new HazelcastProperty("snowcast.cold.start.wait", false);
    static final HazelcastProperty FLOOR_DIR = new HazelcastProperty("snowcast.floor.dir", "");
    static final HazelcastProperty FLOOR_MEMBERS = new HazelcastProperty("snowcast.floor.members", 1);
    static final HazelcastProperty SPLIT_BRAIN_PROTECTION_NAME =
            new HazelcastProperty("snowcast.split.brain.protection.name", "");

    private static final long MIN_LEASE_MILLIS = 1_000;
    private static final long MAX_LEASE_MILLIS = TimeUnit.DAYS.toMillis(30);
    private static final long MAX_SKEW_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final int MAX_MEMBERS = 10_000;
    private static final int BACKUP_TIMEOUTS_PER_LEASE = 4;
    private static final int GAPS_PER_HEARTBEAT_TIMEOUT = 4;
    private static final long MAX_GAP_MILLIS = 5_000;
    /** Hazelcast waits up to 15 seconds for each address at which nobody answers. */
    private static final long SEARCH_MILLIS = TimeUnit.MINUTES.toMillis(1);
    /** As Hazelcast: what it takes for a delay that is not positive. */
    private static final long DEFAULT_MERGE_DELAY_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\s*-\\s*(\\d{1,9})");

    /** Fails with an {@code IllegalArgumentException} if a value is wrong. */
    static Settings read(HazelcastProperties properties, Config config) {
        long lease = read(properties, LEASE_MILLIS, MIN_LEASE_MILLIS, MAX_LEASE_MILLIS);
        long skew = read(properties, MAX_CLOCK_SKEW_MILLIS, 0, MAX_SKEW_MILLIS);
        Matcher range = readRange(properties);
        // An owner that was cut off from the others goes on until it notices.
        long heartbeatTimeout =
                TimeUnit.SECONDS.toMillis(properties.getSeconds(ClusterProperty.MAX_NO_HEARTBEAT_SECONDS));
        long ownerStops = Math.max(heartbeatTimeout, Electorate.MAX_AGE_MILLIS);
        int lowest = Integer.parseInt(range.group(1));
        int highest = Integer.parseInt(range.group(2));
        TableRules rules = new TableRules(lease, skew, lease + 2 * skew + ownerStops, lowest, highest);
        long backupTimeout = properties.getMillis(ClusterProperty.OPERATION_BACKUP_TIMEOUT_MILLIS);
        return new Settings(
                rules,
                lease < BACKUP_TIMEOUTS_PER_LEASE * backupTimeout,
                readBoolean(properties, COLD_START_WAIT) ? lease + skew : 0,
                readPath(properties),
                (int) read(properties, FLOOR_MEMBERS, 1, MAX_MEMBERS),
                readProtection(properties, config),
                Math.min(MAX_GAP_MILLIS, heartbeatTimeout / GAPS_PER_HEARTBEAT_TIMEOUT),
                mergeDelay(properties, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS)
                        + mergeDelay(properties, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS)
                        + SEARCH_MILLIS);
    }

    private static long mergeDelay(HazelcastProperties properties, HazelcastProperty property) {
        return properties.getPositiveMillisOrDefault(property, DEFAULT_MERGE_DELAY_MILLIS);
    }

    private static String text(HazelcastProperties properties, HazelcastProperty property) {
        return properties.getString(property).trim();
    }

    private static long read(HazelcastProperties properties, HazelcastProperty property, long min, long max) {
        String text = text(properties, property);
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

    private static Matcher readRange(HazelcastProperties properties) {
        String text = text(properties, NODE_ID_RANGE);
        Matcher range = RANGE.matcher(text);
        int max = SnowcastLayout.MAX_LOGICAL_NODE_COUNT - 1;
        if (!range.matches()
                || Integer.parseInt(range.group(1)) > Integer.parseInt(range.group(2))
                || Integer.parseInt(range.group(2)) > max) {
            throw new IllegalArgumentException(NODE_ID_RANGE.getName() + " must be two numbers from 0 to " + max
                    + " in order, such as 0-4095: " + text);
        }
        return range;
    }

    private static boolean readBoolean(HazelcastProperties properties, HazelcastProperty property) {
        String text = text(properties, property);
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(property.getName() + " must be true or false: " + text);
        }
        return text.equals("true");
    }

    private static @Nullable Path readPath(HazelcastProperties properties) {
        String text = text(properties, FLOOR_DIR);
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(FLOOR_DIR.getName() + " must be a directory: " + text, e);
        }
    }

    private static @Nullable SplitBrainProtectionConfig readProtection(HazelcastProperties properties, Config config) {
        String name = text(properties, SPLIT_BRAIN_PROTECTION_NAME);
        if (name.isEmpty()) {
            return null;
        }
        SplitBrainProtectionConfig named =
                config.getSplitBrainProtectionConfigs().get(name);
        if (named == null || !named.isEnabled()) {
            throw new IllegalArgumentException(SPLIT_BRAIN_PROTECTION_NAME.getName()
                    + " must name a split-brain protection that is configured and enabled: " + name);
        }
        if (!named.getProtectOn().name().contains("WRITE")) {
            throw new IllegalArgumentException(SPLIT_BRAIN_PROTECTION_NAME.getName()
                    + " must name a split-brain protection on WRITE or READ_WRITE: " + name + " is on "
                    + named.getProtectOn());
        }
        return named;
    }
}
