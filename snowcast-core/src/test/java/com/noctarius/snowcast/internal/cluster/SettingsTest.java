// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.hazelcast.config.Config;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.wire.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static Settings settings(String... namesAndValues) {
        Config config = new Config();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            config.setProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        return Settings.read(new HazelcastProperties(config), config);
    }

    @ParameterizedTest
    @CsvSource({
        "snowcast.lease.millis, 999",
        "snowcast.lease.millis, 2592000001",
        "snowcast.lease.millis, soon",
        "snowcast.lease.millis, ''",
        "snowcast.max.clock.skew.millis, -1",
        "snowcast.max.clock.skew.millis, 86400001",
        "snowcast.max.clock.skew.millis, 1s",
        "snowcast.node.id.range, ''",
        "snowcast.node.id.range, 5",
        "snowcast.node.id.range, -1-5",
        "snowcast.node.id.range, 5-4",
        "snowcast.node.id.range, 0-65536",
        "snowcast.node.id.range, 0-99999999999",
        "snowcast.node.id.range, '0-1, 4-5'",
        "snowcast.full.restart.wait, yes",
        "snowcast.full.restart.wait, TRUE",
        "snowcast.full.restart.wait, ''",
        "snowcast.high.water.mark.dir, 'a\0b'",
        "snowcast.high.water.mark.members, 0",
        "snowcast.high.water.mark.members, 10001",
        "snowcast.high.water.mark.members, all",
        "snowcast.metrics.max.named, 1001",
        "snowcast.metrics.max.named, -1",
        "snowcast.metrics.max.named, all",
    })
    void aPropertyOutOfRangeIsRefused(String property, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(property, value))
                .withMessageStartingWith(property + " must be ")
                .withMessageEndingWith(": " + value);
    }

    // --- warnings

    /** A property of the JVM has no effect in Hazelcast's configuration. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowcast.lease.milis",
                "snowcast.high.water.mark.directory",
                "snowcast.serialization.factory.id",
                "snowcast.cached.clock"
            })
    void anUnknownPropertyIsWarnedOf(String name) {
        assertThat(settings(name, "1").warnings())
                .containsExactly(name + " is not a Hazelcast property of snowcast and has no effect");
    }

    @Test
    void whatIsKnownAndWhatIsOfOthersIsNotWarnedOf() {
        assertThat(settings(
                                "snowcast.lease.millis", "60000",
                                "snowcast.max.lease.millis", "60000",
                                "snowcast.max.clock.skew.millis", "5",
                                "snowcast.node.id.range", "0-5",
                                "snowcast.full.restart.wait", "true",
                                "snowcast.high.water.mark.dir", "marks",
                                "snowcast.high.water.mark.members", "2",
                                "snowcast.hazelcast.version.check", "false",
                                "hazelcast.lease.milis", "5")
                        .warnings())
                .isEmpty();
    }

    /** System properties may also be those of Spring Boot, so only names that resemble a known name cause a warning. */
    @Test
    void ofSystemPropertiesOnlyThoseAreWarnedOfThatAreNearlyKnown() {
        System.setProperty("snowcast.high.water.mark.dri", "marks");
        System.setProperty("snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z");
        System.setProperty("snowcast.lease", "5m");
        try {
            assertThat(settings().warnings())
                    .singleElement()
                    .asString()
                    .startsWith("snowcast.high.water.mark.dri is not ");
        } finally {
            System.clearProperty("snowcast.high.water.mark.dri");
            System.clearProperty("snowcast.sequencers.orders.epoch");
            System.clearProperty("snowcast.lease");
        }
    }

    // --- incomplete, empty and contradictory settings

    @Test
    void membersOfAFloorThatIsNowhereAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("snowcast.high.water.mark.members", "3"))
                .withMessage(
                        "snowcast.high.water.mark.members must be set together with snowcast.high.water.mark.dir only, where their marks"
                                + " are: 3");
        assertThat(settings("snowcast.high.water.mark.members", "3", "snowcast.high.water.mark.dir", "marks")
                        .highWaterMarkMembers())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"snowcast.high.water.mark.dir", "snowcast.split.brain.protection.name"})
    void protectionThatIsSetToNothingIsRefused(String name) {
        for (String nothing : new String[] {"", "  "}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> settings(name, nothing))
                    .withMessage(name + " must be given a value, or be left out: \"" + nothing + '"');
        }
        assertThat(settings().highWaterMarkDirectory()).isNull();
        assertThat(settings().setup().protection()).isNull();
    }

    @Test
    void aMaximumBelowTheOwnLeaseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("snowcast.lease.millis", "60000", "snowcast.max.lease.millis", "59999"))
                .withMessage("snowcast.max.lease.millis must be a number from 60000 to 2592000000: 59999");
    }

    // --- members of one cluster

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0  | 100 | 60 | 60  | 5 |
            1  | 100 | 60 | 60  | 5 | range must be the same on all members of a cluster: it is 0-100 here and 1-100
            0  | 99  | 60 | 60  | 5 | range must be the same on all members of a cluster: it is 0-100 here and 0-99
            0  | 100 | 60 | 60  | 6 | skew.millis must be the same on all members of a cluster: it is 5000 here and 6000
            0  | 100 | 61 | 61  | 5 | it is 60000 here and 61000
            0  | 100 | 59 | 59  | 5 | it is 60000 here and 59000
            0  | 100 | 61 | 90  | 5 | it is 60000 here and 61000
            0  | 100 | 59 | 60  | 5 |
            """)
    void allMembersAreSetUpAlike(int first, int last, long lease, long maxLease, long skew, @Nullable String conflict) {
        Settings here = settings(
                "snowcast.node.id.range", "0-100",
                "snowcast.lease.millis", "60000",
                "snowcast.max.clock.skew.millis", "5000");
        String found = here.conflictWith(
                new Peer.Setup(first + "-" + last, lease * 1_000, maxLease * 1_000, skew * 1_000, null, 0, false, 0));
        if (conflict == null) {
            assertThat(found).isNull();
        } else {
            assertThat(found).endsWith(conflict).contains(" must be the same on all members of a cluster");
        }
    }

    private static final String[] NOTHING = {};
    private static final String[] WAIT = {"snowcast.full.restart.wait", "true"};
    private static final String[] MARKS = {"snowcast.high.water.mark.dir", "marks"};
    private static final String[] MORE_MARKS = {
        "snowcast.high.water.mark.dir", "others", "snowcast.high.water.mark.members", "3"
    };
    private static final String[] MARKS_AND_WAIT = {
        "snowcast.high.water.mark.dir", "marks", "snowcast.full.restart.wait", "true"
    };

    /**
     * If a member without the high-water mark or the wait were the first after a full restart, it could repeat former
     * grants. A member without split-brain protection would grant without a quorum.
     */
    @Test
    void memberThatSurvivesLessDoesNotJoin() {
        String since = " must be set on a member that joins others with it, since as the first of a full restart, it"
                + " would grant what may have been granted before: it is not set here and is ";
        assertThat(conflict(NOTHING, MARKS)).isEqualTo("snowcast.high.water.mark.dir" + since + "set");
        assertThat(conflict(WAIT, MARKS)).isEqualTo("snowcast.high.water.mark.dir" + since + "set");
        assertThat(conflict(WAIT, MARKS_AND_WAIT)).isEqualTo("snowcast.high.water.mark.dir" + since + "set");
        assertThat(conflict(NOTHING, WAIT)).isEqualTo("snowcast.full.restart.wait" + since + "true");
        assertThat(settings().weakerThan(protectedBy("quorum", 2)))
                .isEqualTo("snowcast.split.brain.protection.name must be set on a member that joins others with it,"
                        + " since it would grant without the quorum: it is not set here and is quorum");
    }

    /** While an operator adds a setting to one member after the other, the members join and log a warning. */
    @Test
    void memberThatSurvivesMoreJoinsAndBothWarn() {
        List<String[]> byStrength = List.of(NOTHING, WAIT, MARKS);
        for (int i = 0; i < byStrength.size(); i++) {
            for (int j = i; j < byStrength.size(); j++) {
                String[] weaker = byStrength.get(i);
                String[] stronger = byStrength.get(j);
                assertThat(conflict(stronger, weaker)).isNull();
                assertThat(difference(stronger, weaker) == null).isEqualTo(i == j);
                assertThat(difference(weaker, stronger) == null).isEqualTo(i == j);
            }
        }
        assertThat(difference(NOTHING, MARKS)).isEqualTo("snowcast.high.water.mark.dir is not set here and set there");
        assertThat(difference(WAIT, MARKS))
                .isEqualTo(
                        "snowcast.full.restart.wait is true here and false there; snowcast.high.water.mark.dir is not"
                                + " set here and set there");
        assertThat(settings().differenceFrom(protectedBy("quorum", 2)))
                .isEqualTo("snowcast.split.brain.protection.name is not set here and quorum of 2 members there");
    }

    /** To enlarge a cluster, an operator changes the quorum and the number of marks on one member after the other. */
    @Test
    void membersWhoseProtectionDiffersInItsSizeWarn() {
        for (List<String[]> pair : List.of(List.of(MARKS, MORE_MARKS), List.of(MORE_MARKS, MARKS))) {
            assertThat(conflict(pair.get(0), pair.get(1))).isNull();
        }
        assertThat(difference(MARKS, MORE_MARKS)).isEqualTo("snowcast.high.water.mark.members is 1 here and 3 there");
        assertThat(difference(MARKS, MARKS_AND_WAIT))
                .isEqualTo("snowcast.full.restart.wait is false here and true there");
        assertThat(conflict(MARKS, MARKS_AND_WAIT)).isNull();
    }

    private static Peer.Setup protectedBy(String name, int quorum) {
        Peer.Setup plain = settings().setup();
        return new Peer.Setup(
                plain.nodeIdRange(),
                plain.leaseMillis(),
                plain.maxLeaseMillis(),
                plain.maxSkewMillis(),
                name,
                quorum,
                false,
                0);
    }

    private static @Nullable String conflict(String[] joining, String[] present) {
        return settings(joining).weakerThan(settings(present).setup());
    }

    private static @Nullable String difference(String[] here, String[] there) {
        return settings(here).differenceFrom(settings(there).setup());
    }

    /**
     * After a loss, a member waits for its own maximum lease, so the lease of other members must not exceed that
     * maximum.
     */
    @Test
    void aLongerLeaseElsewhereIsWaitedFor() {
        Settings raising = settings("snowcast.lease.millis", "60000", "snowcast.max.lease.millis", "90000");
        assertThat(raising.conflictWith(
                        settings("snowcast.lease.millis", "90000").setup()))
                .isNull();
        assertThat(raising.conflictWith(
                        settings("snowcast.lease.millis", "60000").setup()))
                .isNull();
        assertThat(raising.conflictWith(
                        settings("snowcast.lease.millis", "90001").setup()))
                .startsWith(
                        "snowcast.lease.millis must be the same on all members of a cluster, unless no lease is above"
                                + " the other's snowcast.max.lease.millis: ");
        assertThat(raising.rules().leaseMillis()).isEqualTo(60_000);
        assertThat(raising.rules().lossWaitMillis())
                .isEqualTo(settings("snowcast.lease.millis", "90000").rules().lossWaitMillis());
        assertThat(settings(
                                "snowcast.lease.millis", "60000",
                                "snowcast.max.lease.millis", "90000",
                                "snowcast.full.restart.wait", "true")
                        .fullRestartWaitMillis())
                .isEqualTo(150_000);
    }

    // --- the reference page

    /** The page has a table whose third column is the default. */
    @Test
    void theReferenceHasEachDefault() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/configuration.md"));
        for (SnowcastProperty property : List.of(
                SnowcastProperty.LEASE,
                SnowcastProperty.MAX_CLOCK_SKEW,
                SnowcastProperty.NODE_ID_RANGE,
                SnowcastProperty.FULL_RESTART_WAIT,
                SnowcastProperty.HIGH_WATER_MARK_MEMBERS)) {
            assertThat(page)
                    .containsPattern(
                            "\\| `" + property.key() + "` \\|[^|]*\\| `?" + property.orDefault(null) + "`? \\|");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowcast.lease.millis",
                "snowcast.max.clock.skew.millis",
                "snowcast.high.water.mark.members",
                "snowcast.metrics.max.named"
            })
    void theReferenceHasEachRange(String name) throws IOException {
        Matcher row = Pattern.compile("\\| `" + name + "` \\|[^|]*?(\\d+) to (\\d+)")
                .matcher(Files.readString(Path.of("../docs/reference/configuration.md")));
        assertThat(row.find()).isTrue();
        for (String within : List.of(row.group(1), row.group(2))) {
            assertThat(settings(name, within, "snowcast.high.water.mark.dir", "marks"))
                    .isNotNull();
        }
        long below = Long.parseLong(row.group(1)) - 1;
        long above = Long.parseLong(row.group(2)) + 1;
        for (long outside : List.of(below, above)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> settings(name, Long.toString(outside), "snowcast.high.water.mark.dir", "marks"))
                    .withMessageContaining(name);
        }
    }
}
