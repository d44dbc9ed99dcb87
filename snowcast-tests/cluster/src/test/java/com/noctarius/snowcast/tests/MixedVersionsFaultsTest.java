// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.VersionCluster.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Crashes, splits and merges in a cluster of the baseline and today's version. */
@ParameterizedClass
@MethodSource("pairs")
@Tag("faults")
class MixedVersionsFaultsTest {
    /** Made on both sides of a split. */
    private static final String BOTH = "both";

    private final Version one;
    private final Version other;

    @TempDir
    private Path directory = Path.of("");

    MixedVersionsFaultsTest(Version one, Version other) {
        this.one = one;
        this.other = other;
    }

    static Stream<Arguments> pairs() {
        return MixedVersionsClusterTest.pairs();
    }

    private VersionCluster cluster(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("hazelcast.max.no.heartbeat.seconds", "10");
        all.put("hazelcast.heartbeat.interval.seconds", "1");
        return new VersionCluster(directory, SplitNetwork.properties(all));
    }

    /** What the other version has backed up is what it goes on with. */
    @Test
    void whenTheOwnerCrashesTheBackupOfTheOtherVersionTakesOver() throws IOException {
        try (VersionCluster cluster = cluster(Map.of("snowcast.lease.millis", "5000"))) {
            VersionProcess owner = cluster.addMember(one);
            cluster.addMember(other);
            cluster.addMember(other);
            cluster.addClient(one);
            cluster.useAll(NAMES);
            assertThat(NAMES).anyMatch(name -> owner.ask("owns", name).equals("true"));

            cluster.kill(owner);
            cluster.awaitMembers();
            cluster.useAll(NAMES);
            cluster.addMember(one);
            cluster.useAll(NAMES);
        }
    }

    /** Of two members Hazelcast has that of the greater address go over, compared as texts. */
    @Test
    void theOneMergesIntoTheOther() throws IOException {
        // The lease outlasts the split: nobody takes another node ID. There are so few that both sides use some.
        Map<String, String> properties = Map.of("snowcast.lease.millis", "600000", "snowcast.node.id.range", "0-3");
        try (Relay some = Relay.to(TcpCluster.freePort());
                Relay more = Relay.to(TcpCluster.freePort());
                VersionCluster cluster = cluster(properties)) {
            boolean isBelow = Integer.toString(some.port()).compareTo(Integer.toString(more.port())) < 0;
            Relay toWinner = isBelow ? some : more;
            Relay toLoser = isBelow ? more : some;
            VersionProcess winner = start(cluster, other, toWinner, toWinner);
            VersionProcess loser = start(cluster, one, toLoser, toWinner);
            cluster.awaitMembers();
            cluster.useAll(NAMES);

            toWinner.shut();
            toLoser.shut();
            awaitSize(cluster, 1);
            useBothSides(cluster);

            toWinner.open();
            toLoser.open();
            awaitSize(cluster, 2);
            cluster.awaitMembers();
            for (VersionProcess member : cluster.members()) {
                Await.until(
                        "the reports at " + member,
                        () -> List.of(member.ask("reported").split(", ")).contains(BOTH));
            }
            Await.until("the end of the merge", () -> loser.ask("merged").equals("true"));
            assertThat(winner.ask("merged")).isEqualTo("false");
            cluster.useAll(NAMES);
            requireUniqueFromNowOn(cluster);
        }
    }

    /** Starts a member behind a relay, which looks for others at another one. */
    private static VersionProcess start(VersionCluster cluster, Version version, Relay relay, Relay peer)
            throws IOException {
        return cluster.addMember(version, relay.memberPort(), relay.port(), List.of(peer.port()));
    }

    private static void awaitSize(VersionCluster cluster, int size) {
        cluster.members()
                .forEach(member -> Await.until(
                        member + " in a cluster of " + size,
                        () -> member.ask("members").equals(Integer.toString(size))));
    }

    /** Who has a node ID goes on with it, on either side. What is new may come twice. */
    private static void useBothSides(VersionCluster cluster) {
        for (VersionProcess member : cluster.members()) {
            NAMES.forEach(name -> cluster.takeIds(member, name));
            Await.until(member + " acts alone", () -> member.accepts("create", BOTH, VersionMain.NODES));
            for (int i = 0; i < 12; i++) {
                member.ask("ids", BOTH, 1);
                member.ask("detach", BOTH);
                member.ask("attach", BOTH);
            }
        }
        cluster.check();
    }

    private static void requireUniqueFromNowOn(VersionCluster cluster) {
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            for (VersionProcess member : cluster.members()) {
                assertThat(ids.add(member.numbers("ids", BOTH, 1)[0])).isTrue();
            }
        }
    }
}
