// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.Isolation;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that node IDs become free when far more holders are lost than there are node IDs. */
@Tag("faults")
class LossesClusterTest {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(8);
    /** The time limit of a call: its time-out, plus the delays of a busy machine. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final int NODE_IDS = 128;
    /** Among this many losses, one is the crash of a member, and one is the loss of a client. */
    private static final int LOSSES_PER_MEMBER = 25;

    private static final Map<String, String> PROPERTIES = Map.of(
            "snowcast.lease.millis",
            "1500",
            "snowcast.max.clock.skew.millis",
            "500",
            "hazelcast.max.no.heartbeat.seconds",
            "12",
            "hazelcast.operation.call.timeout.millis",
            Long.toString(CALL_TIMEOUT.toMillis()));

    private static final SequencerConfig CONFIG = SequencerConfig.builder("orders")
            .epoch(EPOCH)
            .layout(new SnowcastLayout(41, 7, 5))
            .build();

    /**
     * The lost holders, whose node IDs nobody releases. A lost holder may issue IDs until its lease expires, as a
     * process may after a pause. Only a holder whose client was terminated cannot.
     */
    private final Deque<SnowcastSequencer> lost = new ArrayDeque<>();

    private final IdLog ids = new IdLog();
    private final Durations durations = new Durations();

    @Test
    void nodeIdsComeBackHoweverOftenTheirHoldersAreLost() throws Exception {
        try (MockCluster cluster = MockCluster.of(3, PROPERTIES)) {
            loseAndCheck(cluster, 300);
        }
    }

    @Test
    @Tag("soak")
    void nodeIdsComeBackForLong() throws Exception {
        Soak soak = Soak.ofPercent(20);
        while (soak.goesOn()) {
            try (MockCluster cluster = MockCluster.of(3, PROPERTIES)) {
                loseAndCheck(cluster, 500);
            }
        }
    }

    private void loseAndCheck(MockCluster cluster, int losses) throws InterruptedException {
        Load load = Load.toleratingTheEnd(EPOCH);
        cluster.members().forEach(member -> load.on(createWhenANodeIdIsFree(SnowcastSystem.snowcast(member)), 1));
        for (int i = 1; i <= losses; i++) {
            switch (i % LOSSES_PER_MEMBER) {
                case 0 -> {
                    cluster.awaitSafe();
                    cluster.crash(cluster.member(0));
                    HazelcastInstance joined = cluster.addMember();
                    load.on(createWhenANodeIdIsFree(SnowcastSystem.snowcast(joined)), 1)
                            .awaitMore(200);
                }
                case 1 -> loseClient(cluster);
                default -> {
                    Snowcast holder = ManyHolders.snowcast(
                            cluster.member(i % cluster.members().size()));
                    lost.add(createWhenANodeIdIsFree(holder));
                }
            }
            idOf(lost.getLast());
            idOf(lost.getFirst());
            while (lost.size() > NODE_IDS) {
                lost.removeFirst();
            }
        }
        List<long[]> all = new ArrayList<>(load.stopAndCheck());
        all.add(ids.toArray());
        IdCheck.requireUnique(CONFIG.layout(), all);
        durations.requireAtMost(LONGEST);
        cluster.members()
                .forEach(member ->
                        SnowcastSystem.snowcast(member).createSequencer(CONFIG).detachLogicalNode());
        NodeIdCheck.requireAllFree(cluster.member(0), CONFIG, Duration.ofMinutes(3));
    }

    private void loseClient(MockCluster cluster) {
        // Limits how long the client tries to release its node ID.
        HazelcastInstance client =
                cluster.addClient(config -> config.setProperty("hazelcast.client.invocation.timeout.seconds", "1"));
        lost.add(createWhenANodeIdIsFree(SnowcastSystem.snowcast(client)));
        ClientNetwork network = ClientNetwork.cut(client, cluster.members());
        idOf(lost.getLast());
        client.getLifecycleService().terminate();
        network.restore();
    }

    private SnowcastSequencer createWhenANodeIdIsFree(Snowcast snowcast) {
        return TestCluster.whenANodeIdIsFree(() -> {
            SnowcastSequencer[] created = new SnowcastSequencer[1];
            durations.measure("create", () -> created[0] = snowcast.createSequencer(CONFIG));
            return created[0];
        });
    }

    private void idOf(SnowcastSequencer holder) {
        try {
            OptionalLong id = holder.tryNext();
            id.ifPresent(ids::add);
        } catch (SnowcastStateException e) {
            // The client was shut down.
        }
    }

    @Test
    void aTableThatIsLostWithItsBackupRecovers() throws Exception {
        OffsetClock clock = new OffsetClock(0);
        try (MockCluster cluster = MockCluster.of(0, TimeStep.PROPERTIES)) {
            for (int i = 0; i < 4; i++) {
                cluster.addMember(clock::install);
            }
            cluster.awaitSafe();
            HazelcastInstance owner = cluster.owner(CONFIG.name());
            HazelcastInstance backup = cluster.backup(CONFIG.name());
            Snowcast late = SnowcastSystem.snowcast(cluster.addClient(clock::install));
            Load load = Load.toleratingTheEnd(EPOCH).aheadBy(Duration.ofHours(1));
            cluster.members().forEach(member -> load.on(createWhenANodeIdIsFree(SnowcastSystem.snowcast(member)), 1));
            load.awaitMore(500);

            Threads.run(2, index -> cluster.crash(index == 0 ? owner : backup));
            cluster.awaitSize();
            Isolation.awaitEnd(cluster.members());

            assertThatThrownBy(() -> late.createSequencer(CONFIG))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before 20");
            load.awaitMore(500);
            passTime(cluster, clock, TimeStep.MILLIS);
            passTime(cluster, clock, 2 * TimeStep.MILLIS);
            load.awaitMore(500);
            // The wait after the loss is longer than a lease.
            assertThatThrownBy(() -> late.createSequencer(CONFIG))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before 20");
            passTime(cluster, clock, 3 * TimeStep.MILLIS);
            passTime(cluster, clock, 4 * TimeStep.MILLIS);
            passTime(cluster, clock, 5 * TimeStep.MILLIS);
            SnowcastSequencer young = TestCluster.when(
                    "the end of the wait", SnowcastIllegalStateException.class, () -> late.createSequencer(CONFIG));
            load.on(young, 1).awaitMore(500);
            assertThat(load.stopAndCheck()).hasSize(5);
        }
    }

    private static void passTime(MockCluster cluster, OffsetClock clock, long offsetMillis) {
        List<SnowcastSequencer> holders = cluster.members().stream()
                .map(member -> SnowcastSystem.snowcast(member).createSequencer(CONFIG))
                .toList();
        TimeStep.to(offsetMillis, clock, cluster.members(), holders);
    }
}
