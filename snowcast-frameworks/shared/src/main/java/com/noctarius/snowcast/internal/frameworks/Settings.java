// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.internal.base.PatientStart;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The checked properties of snowcast. Properties that also exist in the Spring Boot starter have the same names there.
 * Immutable.
 *
 * @param store the source of node IDs; empty if the application does not set it
 * @param attachTimeout how long the start waits for a database or cluster that cannot serve yet
 * @param lease the default lease of sequencers and node leases
 * @param dataSource the name of the data source; empty for the default one
 * @param createTables whether the start creates the tables
 * @param tablePrefix the beginning of the names of the tables
 * @param processName the name of this process in the tables
 * @param hazelcastConfig the configuration file of a Hazelcast client
 * @param ofSnowcast the properties that are set and that have no effect on an application's own {@code Snowcast}
 */
public record Settings(
        Optional<Store> store,
        Duration attachTimeout,
        Optional<Duration> lease,
        Optional<String> dataSource,
        boolean createTables,
        Optional<String> tablePrefix,
        Optional<String> processName,
        Optional<String> hazelcastConfig,
        Map<String, SequencerConfig> sequencers,
        Map<String, IntegerSequenceConfig> sequences,
        Map<String, NodeLeaseConfig> nodeLeases,
        List<String> ofSnowcast) {
    public static final String SEQUENCERS = "snowcast.sequencers";
    public static final String SEQUENCES = "snowcast.sequences";
    public static final String NODE_LEASES = "snowcast.node-leases";
    public static final String STORE = "snowcast.store";
    public static final String DATA_SOURCE = "snowcast.jdbc.data-source";
    public static final String HAZELCAST_CONFIG = "snowcast.hazelcast.config";
    static final String TABLE_PREFIX = "snowcast.jdbc.table-prefix";
    static final String PROCESS_NAME = "snowcast.jdbc.process-name";

    private static final System.Logger LOGGER = System.getLogger(Settings.class.getName());
    private static final Set<String> KNOWN =
            Set.of("store", "attach-timeout", "lease", "jdbc", "hazelcast", "sequencers", "sequences", "node-leases");

    private static final List<String> OF_SNOWCAST = List.of(
            STORE, DATA_SOURCE, "snowcast.jdbc.create-tables", TABLE_PREFIX, PROCESS_NAME, HAZELCAST_CONFIG);

    /** The source of node IDs. */
    public enum Store {
        JDBC,
        HAZELCAST
    }

    /**
     * Reads and checks all properties.
     *
     * @throws IllegalArgumentException if a value is missing or not allowed, or if a property in a group such as
     *     {@code snowcast.jdbc} is unknown; the message says what is allowed
     */
    public static Settings of(TextProperties properties) {
        Set<String> exact = properties.exactKeysBelow("snowcast");
        // Only a warning: for a Service "snowcast…", Kubernetes sets variables that look like properties of snowcast.
        properties.keysBelow("snowcast").stream()
                .filter(key -> !KNOWN.contains(key))
                // The key of an environment variable may be one word of several, such as "attach".
                .filter(key ->
                        exact.contains(key) || KNOWN.stream().noneMatch(known -> known.startsWith(key + "-")))
                .forEach(key -> LOGGER.log(
                        System.Logger.Level.WARNING,
                        "There is no property snowcast.{0}; there are {1}",
                        key,
                        KNOWN.stream().sorted().collect(Collectors.joining(", "))));
        Section root = new Section("snowcast", properties);
        Section jdbc = root.below("jdbc");
        jdbc.requireKnown(List.of("data-source", "create-tables", "table-prefix", "process-name"));
        Section hazelcast = root.below("hazelcast");
        hazelcast.requireKnown(List.of("config"));
        Optional<Duration> lease = root.get("lease", SourceConfigs.LEASE, Settings::lease);
        return new Settings(
                root.get("store", "jdbc or hazelcast", text -> Store.valueOf(Section.constant(text))),
                root.get("attach-timeout", "a duration from 0s, such as 2m", Settings::notNegative)
                        .orElse(Duration.ofMinutes(2)),
                lease,
                jdbc.text("data-source"),
                jdbc.flag("create-tables"),
                jdbc.text("table-prefix"),
                jdbc.text("process-name"),
                hazelcast.text("config"),
                each(SEQUENCERS, properties, (key, of) -> SourceConfigs.sequencer(key, of, lease), SequencerConfig::name),
                each(SEQUENCES, properties, SourceConfigs::sequence, IntegerSequenceConfig::name),
                each(
                        NODE_LEASES,
                        properties,
                        (key, of) -> SourceConfigs.nodeLease(key, of, lease),
                        NodeLeaseConfig::name),
                OF_SNOWCAST.stream()
                        .filter(name -> properties.get(name).stream().anyMatch(text -> !text.isBlank()))
                        .toList());
    }

    /** Returns the keys of the sources in {@link #SEQUENCERS}, {@link #SEQUENCES} or {@link #NODE_LEASES}. */
    public static Set<String> keys(String group, TextProperties properties) {
        return new Section(group, properties)
                .keysOfGroups(
                        switch (group) {
                            case SEQUENCERS -> SourceConfigs.OF_SEQUENCER;
                            case SEQUENCES -> SourceConfigs.OF_SEQUENCE;
                            default -> SourceConfigs.OF_NODE_LEASE;
                        });
    }

    private static Duration lease(String text) {
        Duration lease = Section.duration(text);
        NodeLeaseConfig.Builder unused = NodeLeaseConfig.builder("any").lease(lease);
        return lease;
    }

    private static Duration notNegative(String text) {
        Duration duration = Section.duration(text);
        if (duration.isNegative()) {
            throw new IllegalArgumentException("must not be negative");
        }
        return duration;
    }

    PatientStart start() {
        return new PatientStart(attachTimeout, line -> LOGGER.log(System.Logger.Level.WARNING, line));
    }

    private static <T> Map<String, T> each(
            String prefix,
            TextProperties properties,
            BiFunction<String, Section, T> config,
            Function<T, String> nameOf) {
        Section group = new Section(prefix, properties);
        Map<String, T> configs = new TreeMap<>();
        Map<String, String> keysByName = new HashMap<>();
        for (String key : keys(prefix, properties)) {
            T one = config.apply(properties.asWritten(prefix, key), group.below(key));
            String other = keysByName.putIfAbsent(nameOf.apply(one), key);
            if (other != null) {
                // The second source could silently have the settings of the first.
                throw new IllegalArgumentException(group.below(key).nameOf("name") + " must not be the name of "
                        + group.nameOf(other) + ", too: " + nameOf.apply(one));
            }
            configs.put(key, one);
        }
        return Collections.unmodifiableMap(configs);
    }
}
