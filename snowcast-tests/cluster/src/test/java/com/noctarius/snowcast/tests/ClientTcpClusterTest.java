// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.connection.ClientConnection;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.internal.cluster.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests clients over TCP: broken connections, crashed members and killed clients. */
@Tag("integration")
class ClientTcpClusterTest {
    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);
    private static final long LEASE_MILLIS = 2_000;
    private static final Map<String, String> SHORT_LEASE = Map.of("snowcast.lease.millis", Long.toString(LEASE_MILLIS));
    private static final Duration INVOCATION_TIMEOUT = Duration.ofSeconds(3);

    private final String name = TestCluster.newName();

    enum Routing {
        ALL_MEMBERS,
        ONE_MEMBER,
        WITHOUT_BACKUP_ACKS;

        @SuppressWarnings({"deprecation", "removal"}) // Hazelcast 5.4 does not have the replacement.
        void configure(ClientConfig config) {
            config.getNetworkConfig().setSmartRouting(this != ONE_MEMBER);
            config.setBackupAckToClientEnabled(this != WITHOUT_BACKUP_ACKS);
        }
    }

    private SequencerConfig fourNodes() {
        return SequencerConfig.builder(name).epoch(EPOCH).layout(FOUR_NODES).build();
    }

    private SnowcastSequencer createWithFourNodes(HazelcastInstance instance) {
        return SnowcastSystem.snowcast(instance).createSequencer(fourNodes());
    }

    private static void awaitLeases(SnowcastSequencer sequencer, int count) throws InterruptedException {
        long timestamp = sequencer.timestampValue(sequencer.next()) + count * LEASE_MILLIS;
        Await.until(
                "IDs of a later lease",
                () -> sequencer.tryNext().stream().anyMatch(id -> sequencer.timestampValue(id) > timestamp));
    }

    @Test
    void howeverAClientReachesTheClusterItDoesAllThatMembersDo() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(3, SHORT_LEASE)) {
            List<HazelcastInstance> clients = Stream.of(Routing.values())
                    .map(routing -> cluster.addClient(routing::configure))
                    .toList();
            for (HazelcastInstance owner : List.copyOf(cluster.members())) {
                String owned = cluster.nameOwnedBy(owner);
                List<SnowcastSequencer> ofClients = clients.stream()
                        .map(client -> TestCluster.create(client, owned))
                        .toList();
                Load load = Load.tolerating(SnowcastStateException.class, EPOCH)
                        .on(cluster.createOnAll(owned), 1)
                        .on(ofClients, 1);
                Threads.run(ofClients.size(), index -> {
                    for (int cycle = 0; cycle < 20; cycle++) {
                        ofClients
                                .get(index)
                                .detachLogicalNode()
                                .attachLogicalNode()
                                .next();
                    }
                    awaitLeases(ofClients.get(index), 1);
                });
                load.awaitMore(1_000).stopAndCheck();
                // On a busy machine a lease may expire. The next renewal restores the lease.
                Await.until("six holders", () -> Tables.attached(owner, owned) == 6);

                SnowcastSystem.snowcast(owner).destroySequencer(TestCluster.create(owner, owned));
                ofClients.forEach(ofClient -> Await.until(
                        "destroyed", () -> ofClient.getSequencerState() == SnowcastSequenceState.Destroyed));
                for (HazelcastInstance client : clients) {
                    SnowcastSequencer next = TestCluster.create(client, owned);
                    SnowcastSystem.snowcast(client).destroySequencer(next);
                    assertThat(next.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("faults")
    @EnumSource
    void aClientGoesOnWhenTheMemberItIsConnectedToCrashes(Routing routing) throws Exception {
        try (TcpCluster cluster = TcpCluster.of(3, SHORT_LEASE)) {
            HazelcastInstance client = cluster.addClient(routing::configure);
            Load load = Load.toleratingTheEnd(EPOCH).on(cluster.createOnAll(name), 1);
            SnowcastSequencer own = TestCluster.create(client, name);
            load.on(own, 1);
            for (int round = 0; round < 2; round++) {
                load.awaitMore(5_000);
                cluster.crash(connectedTo(client, cluster));
                awaitLeases(own, 2);
                cluster.awaitSafe();
            }
            load.awaitMore(5_000).stopAndCheck();
            own.detachLogicalNode().attachLogicalNode();
        }
    }

    private static HazelcastInstance connectedTo(HazelcastInstance client, TestCluster cluster) {
        Set<UUID> connected = ((HazelcastClientProxy) client)
                .client.getConnectionManager().getActiveConnections().stream()
                        .map(ClientConnection::getRemoteUuid)
                        .collect(Collectors.toSet());
        return cluster.members().stream()
                .filter(member ->
                        connected.contains(member.getCluster().getLocalMember().getUuid()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("faults")
    void theNodeIdOfAKilledClientComesBackAfterItsLease(@TempDir Path directory) throws Exception {
        // The lease is so long that, even on a busy machine, the other three node IDs are taken before the killed
        // client's lease expires.
        try (TcpCluster cluster = TcpCluster.of(1, Map.of("snowcast.lease.millis", "15000"))) {
            HazelcastInstance member = cluster.member(0);
            IdLog ids = new IdLog();
            try (JavaProcess client = JavaProcess.start(
                    directory,
                    System.getProperty("java.class.path"),
                    ClientMain.class,
                    cluster.name(),
                    Integer.toString(TcpCluster.portOf(member)),
                    name)) {
                Matcher id = Pattern.compile("ID (-?\\d+)\\R").matcher("");
                Await.until("an ID", () -> id.reset(client.output()).find() || !client.isAlive());
                assertThat(client.isAlive()).as(client.output()).isTrue();
                ids.add(Long.parseLong(id.group(1)));
            }
            for (int i = 0; i < 3; i++) {
                SnowcastSequencer holder = ManyHolders.snowcast(member).createSequencer(fourNodes());
                holder.tryNext().ifPresent(ids::add);
            }
            HazelcastInstance late = cluster.addClient();
            assertThatThrownBy(() -> createWithFourNodes(late)).isInstanceOf(SnowcastNodeIdsExceededException.class);
            ids.add(TestCluster.whenANodeIdIsFree(
                    () -> createWithFourNodes(late).next(10)));
            IdCheck.requireUnique(FOUR_NODES, List.of(ids.toArray()));
        }
    }

    @Test
    void aRequestWhoseAnswerIsLostIsAskedAgainAndTakesOneNodeId() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(1, Map.of());
                Relay relay = Relay.to(TcpCluster.portOf(cluster.member(0)))) {
            HazelcastInstance client = cluster.addClientAt(relay.port(), Routing.ONE_MEMBER::configure);
            // The client makes its initial requests before the relay drops answers.
            TestCluster.create(client, TestCluster.newName());
            relay.dropAnswers();

            Threads creation = Threads.start(1, index -> createWithFourNodes(client));
            Await.until("granted", () -> Tables.attached(cluster.member(0), name) == 1);
            relay.breakConnections();
            relay.work();
            creation.join();

            assertThat(createWithFourNodes(client).getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
            assertThat(Tables.attached(cluster.member(0), name)).isEqualTo(1);
        }
    }

    /** Two clusters have the same name. When the first cluster crashes, the client connects to the second cluster. */
    @ParameterizedTest
    @EnumSource
    void aClientThatComesToAnotherClusterAttachesThere(Routing routing) throws Exception {
        String clusterName = TcpCluster.newClusterName();
        try (TcpCluster first = TcpCluster.of(clusterName, 1, Map.of());
                TcpCluster second = TcpCluster.of(clusterName, 1, Map.of())) {
            HazelcastInstance client = first.addClient(config -> {
                routing.configure(config);
                int port = TcpCluster.portOf(second.member(0));
                config.getNetworkConfig().addAddress(TcpCluster.LOOPBACK + ':' + port);
                config.setProperty("hazelcast.client.shuffle.member.list", "false");
            });
            SnowcastSequencer moving = createWithFourNodes(client);
            assertThat(Tables.attached(first.member(0), name)).isEqualTo(1);
            List<SnowcastSequencer> there = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                there.add(ManyHolders.snowcast(second.member(0)).createSequencer(fourNodes()));
            }

            first.crash(first.member(0));

            // The lease lasts for five minutes, so only the change of the cluster makes the client attach.
            Await.until("attached there", () -> Tables.attached(second.member(0), name) == 4);
            there.add(moving);
            Load.of(EPOCH).on(there, 1).awaitMore(5_000).stopAndCheck();
        }
    }

    @Test
    void aClientGoesOnWhileTheClusterIsAwayAndAttachesWhenItComesBackEmpty() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(1, Map.of())) {
            int port = TcpCluster.portOf(cluster.member(0));
            HazelcastInstance client = cluster.addClient(config -> config.setProperty(
                    "hazelcast.client.invocation.timeout.seconds", Long.toString(INVOCATION_TIMEOUT.toSeconds())));
            SnowcastSequencer sequencer = TestCluster.create(client, name);
            Load load = Load.of(EPOCH).on(sequencer, 1).awaitMore(1_000);

            cluster.crash(cluster.member(0));

            load.awaitMore(1_000);
            long start = System.nanoTime();
            assertThatThrownBy(() -> TestCluster.create(client, TestCluster.newName()))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class);
            // With Hazelcast's default invocation time-out this would take two minutes.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));

            HazelcastInstance member = cluster.addMemberAt(port);
            Await.until("attached again", () -> Tables.attached(member, name) == 1);
            load.on(TestCluster.create(member, name), 1).awaitMore(1_000).stopAndCheck();
        }
    }
}
