// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.FULL_RESTART_WAIT;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.HIGH_WATER_MARK_DIR;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.HIGH_WATER_MARK_MEMBERS;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.LEASE;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.MAX_CLOCK_SKEW;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.MAX_LEASE;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.MAX_NAMED_METRICS;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.NODE_ID_RANGE;
import static com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.SPLIT_BRAIN_PROTECTION_NAME;
import static java.util.Objects.requireNonNullElse;

import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.hazelcast.HazelcastMetrics;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.Place;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.wire.Peer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a member, read from Hazelcast's properties once, when the member starts.
 *
 * @param setup the settings that other members compare with their own
 * @param warnings the warnings about unknown properties, to be logged when the member starts
 * @param fullRestartWaitMillis how long the first grants wait after a start of the whole cluster; 0 for no wait
 * @param highWaterMarkDirectory the directory of the high-water mark; null if there is none
 * @param maxGapMillis the longest time between two checks of the clocks that does not count as a pause of this member
 * @param searchMillis the time in which Hazelcast completes at least one search for other clusters
 * @param maxNamedMetrics see {@link HazelcastMetrics}
 */
record Settings(
        Peer.Setup setup,
        TableRules rules,
        List<String> warnings,
        long fullRestartWaitMillis,
        @Nullable Path highWaterMarkDirectory,
        long maxGapMillis,
        long searchMillis,
        int maxNamedMetrics) {
    private static final List<String> OF_CONFIGURATIONS =
            SnowcastProperty.keys(Place.MEMBERS, Place.MEMBERS_AND_CLIENTS);
    private static final List<String> KNOWN = SnowcastProperty.keys(Place.values());

    private static final long MIN_LEASE_MILLIS = 1_000;
    private static final long LONGEST_LEASE_MILLIS = TimeUnit.DAYS.toMillis(30);
    private static final long MAX_SKEW_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final int MAX_MEMBERS = 10_000;
    /** A name is similar to a known name if at least this many of their first characters are the same. */
    private static final int SIMILAR_CHARACTERS = "snowcast.lease.".length() + 1;

    private static final int GAPS_PER_HEARTBEAT_TIMEOUT = 4;
    private static final long MAX_GAP_MILLIS = 5_000;
    /** The time for a search, in which Hazelcast waits up to 15 seconds for each address that does not answer. */
    private static final long SEARCH_MILLIS = TimeUnit.MINUTES.toMillis(1);
    /** The delay that Hazelcast uses if the configured delay is not positive. */
    private static final long DEFAULT_MERGE_DELAY_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\s*-\\s*(\\d{1,9})");

    /** Reads the settings; throws an {@code IllegalArgumentException} if a value is invalid. */
    static Settings read(HazelcastProperties properties, Config config) {
        long lease = read(properties, LEASE, MIN_LEASE_MILLIS, LONGEST_LEASE_MILLIS);
        String maxLeaseText = requireNonNullElse(text(properties, MAX_LEASE), Long.toString(lease));
        long maxLease = MAX_LEASE.number(maxLeaseText, lease, LONGEST_LEASE_MILLIS);
        long skew = read(properties, MAX_CLOCK_SKEW, 0, MAX_SKEW_MILLIS);
        Matcher range = readRange(properties);
        // An owner that was cut off from the other members stops granting after the heartbeat time-out or the maximum
        // age of a confirmation, whichever is longer.
        long heartbeatTimeout =
                TimeUnit.SECONDS.toMillis(properties.getSeconds(ClusterProperty.MAX_NO_HEARTBEAT_SECONDS));
        long ownerStops = Math.max(heartbeatTimeout, Electorate.MAX_AGE_MILLIS);
        int lowest = Integer.parseInt(range.group(1));
        int highest = Integer.parseInt(range.group(2));
        TableRules rules = new TableRules(lease, skew, maxLease + 2 * skew + ownerStops, lowest, highest);
        Path highWaterMarkDirectory = readPath(properties);
        int highWaterMarkMembers = (int) read(properties, HIGH_WATER_MARK_MEMBERS, 1, MAX_MEMBERS);
        if (highWaterMarkMembers > 1 && highWaterMarkDirectory == null) {
            throw new IllegalArgumentException(HIGH_WATER_MARK_MEMBERS.key() + " must be set together with "
                    + HIGH_WATER_MARK_DIR.key() + " only, where their marks are: " + highWaterMarkMembers);
        }
        boolean waits = FULL_RESTART_WAIT.isTrue(text(properties, FULL_RESTART_WAIT));
        SplitBrainProtectionConfig protection = readProtection(properties, config);
        Peer.Setup setup = new Peer.Setup(
                rules.firstNodeId() + "-" + rules.lastNodeId(),
                lease,
                maxLease,
                skew,
                protection == null ? null : protection.getName(),
                protection == null ? 0 : protection.getMinimumClusterSize(),
                waits,
                highWaterMarkDirectory == null ? 0 : highWaterMarkMembers);
        return new Settings(
                setup,
                rules,
                warnings(config.getProperties()),
                waits ? maxLease + skew : 0,
                highWaterMarkDirectory,
                Math.min(MAX_GAP_MILLIS, heartbeatTimeout / GAPS_PER_HEARTBEAT_TIMEOUT),
                mergeDelay(properties, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS)
                        + mergeDelay(properties, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS)
                        + SEARCH_MILLIS,
                HazelcastMetrics.maxNamed(text(properties, MAX_NAMED_METRICS)));
    }

    /**
     * Returns warnings about unknown properties: a safety setting with a typo has no effect. Among the system
     * properties, only names similar to known ones count, because Spring's begin with {@code snowcast.}, too.
     */
    private static List<String> warnings(Properties properties) {
        Predicate<String> isSimilar =
                name -> KNOWN.stream().anyMatch(known -> name.regionMatches(0, known, 0, SIMILAR_CHARACTERS));
        Stream<String> ofConfiguration =
                properties.stringPropertyNames().stream().filter(name -> !OF_CONFIGURATIONS.contains(name));
        Stream<String> ofTheJvm = System.getProperties().stringPropertyNames().stream()
                .filter(name -> !KNOWN.contains(name) && isSimilar.test(name));
        return Stream.concat(ofConfiguration, ofTheJvm)
                .filter(name -> name.startsWith("snowcast."))
                .map(name -> name + " is not a Hazelcast property of snowcast and has no effect")
                .toList();
    }

    /** Returns how many data members split-brain protection requires; 0 without it. */
    int quorum() {
        return setup.quorum();
    }

    String protectionName() {
        return requireNonNullElse(setup.protection(), "");
    }

    /** Returns how many members' high-water marks must be known before the first grants. */
    int highWaterMarkMembers() {
        return Math.max(setup.marks(), 1);
    }

    /** Returns why this member cannot be in a cluster with a member that has these settings; null if it can. */
    @Nullable
    String conflictWith(Peer.Setup other) {
        if (!setup.nodeIdRange().equals(other.nodeIdRange())) {
            return conflict(NODE_ID_RANGE, "", setup.nodeIdRange(), other.nodeIdRange());
        }
        if (setup.maxSkewMillis() != other.maxSkewMillis()) {
            return conflict(MAX_CLOCK_SKEW, "", setup.maxSkewMillis(), other.maxSkewMillis());
        }
        boolean fits = setup.leaseMillis() <= other.maxLeaseMillis() && other.leaseMillis() <= setup.maxLeaseMillis();
        String unless = ", unless no lease is above the other's " + MAX_LEASE.key();
        return fits ? null : conflict(LEASE, unless, setup.leaseMillis(), other.leaseMillis());
    }

    /**
     * Returns the protection that only the other data member has, as the reason why this one must not join it; null if
     * it may. Without the protection this member could make grants that it prevents, for example as the first member
     * after a full restart. A high-water mark replaces the wait after a full restart.
     */
    @Nullable
    String weakerThan(Peer.Setup other) {
        if (setup.protection() == null && other.protection() != null) {
            return missing(SPLIT_BRAIN_PROTECTION_NAME, "it would grant without the quorum", other.protection());
        }
        String grantsAtOnce = "as the first of a full restart, it would grant what may have been granted before";
        if (setup.marks() == 0 && other.marks() > 0) {
            return missing(HIGH_WATER_MARK_DIR, grantsAtOnce, "set");
        }
        return setup.marks() == 0 && !setup.waits() && other.waits()
                ? missing(FULL_RESTART_WAIT, grantsAtOnce, "true")
                : null;
    }

    private static String missing(SnowcastProperty property, String why, String there) {
        return property.key() + " must be set on a member that joins others with it, since " + why
                + ": it is not set here and is " + there;
    }

    /** Returns how the safety settings of this member differ from another member's; null if they do not. */
    @Nullable
    String differenceFrom(Peer.Setup there) {
        List<String> differences = new ArrayList<>();
        addIfDifferent(differences, SPLIT_BRAIN_PROTECTION_NAME, quorum(setup), quorum(there));
        addIfDifferent(differences, FULL_RESTART_WAIT, setup.waits(), there.waits());
        if (setup.marks() == 0 || there.marks() == 0) {
            addIfDifferent(differences, HIGH_WATER_MARK_DIR, isSet(setup.marks()), isSet(there.marks()));
        } else {
            addIfDifferent(differences, HIGH_WATER_MARK_MEMBERS, setup.marks(), there.marks());
        }
        return differences.isEmpty() ? null : String.join("; ", differences);
    }

    private static String quorum(Peer.Setup setup) {
        return setup.protection() == null ? "not set" : setup.protection() + " of " + setup.quorum() + " members";
    }

    private static String isSet(int marks) {
        return marks == 0 ? "not set" : "set";
    }

    private static void addIfDifferent(List<String> differences, SnowcastProperty property, Object here, Object there) {
        if (!here.equals(there)) {
            differences.add(property.key() + " is " + here + " here and " + there + " there");
        }
    }

    private static String conflict(SnowcastProperty property, String unless, Object here, Object there) {
        return property.key() + " must be the same on all members of a cluster" + unless + ": it is " + here
                + " here and " + there;
    }

    private static long mergeDelay(HazelcastProperties properties, HazelcastProperty property) {
        return properties.getPositiveMillisOrDefault(property, DEFAULT_MERGE_DELAY_MILLIS);
    }

    static @Nullable String text(HazelcastProperties properties, SnowcastProperty property) {
        return properties.getString(new HazelcastProperty(property.key()));
    }

    /** Returns a text; null if it is not set. Throws if it is blank: the operator wanted to set a protection. */
    private static @Nullable String textIfSet(HazelcastProperties properties, SnowcastProperty property) {
        String text = text(properties, property);
        if (text != null && text.isBlank()) {
            throw new IllegalArgumentException(
                    property.key() + " must be given a value, or be left out: \"" + text + '"');
        }
        return text == null ? null : text.trim();
    }

    private static long read(HazelcastProperties properties, SnowcastProperty property, long min, long max) {
        return property.number(text(properties, property), min, max);
    }

    private static Matcher readRange(HazelcastProperties properties) {
        String text = NODE_ID_RANGE.orDefault(text(properties, NODE_ID_RANGE));
        Matcher range = RANGE.matcher(text);
        int max = NodeLeaseConfig.MAX_NODE_COUNT - 1;
        if (!range.matches()
                || Integer.parseInt(range.group(1)) > Integer.parseInt(range.group(2))
                || Integer.parseInt(range.group(2)) > max) {
            throw new IllegalArgumentException(NODE_ID_RANGE.key() + " must be two numbers from 0 to " + max
                    + " in order, such as 0-4095: " + text);
        }
        return range;
    }

    private static @Nullable Path readPath(HazelcastProperties properties) {
        String text = textIfSet(properties, HIGH_WATER_MARK_DIR);
        try {
            return text == null ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(HIGH_WATER_MARK_DIR.key() + " must be a directory: " + text, e);
        }
    }

    private static @Nullable SplitBrainProtectionConfig readProtection(HazelcastProperties properties, Config config) {
        String name = textIfSet(properties, SPLIT_BRAIN_PROTECTION_NAME);
        if (name == null) {
            return null;
        }
        SplitBrainProtectionConfig named =
                config.getSplitBrainProtectionConfigs().get(name);
        if (named == null || !named.isEnabled()) {
            throw new IllegalArgumentException(SPLIT_BRAIN_PROTECTION_NAME.key()
                    + " must name a split-brain protection that is configured and enabled: " + name);
        }
        if (!named.getProtectOn().name().contains("WRITE")) {
            throw new IllegalArgumentException(SPLIT_BRAIN_PROTECTION_NAME.key()
                    + " must name a split-brain protection on WRITE or READ_WRITE: " + name + " is on "
                    + named.getProtectOn());
        }
        return named;
    }
}
