// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.SplitBrainTestSupport;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a member or client that cannot reach the cluster for longer than its lease. */
@Tag("faults")
class CutOffClusterTest {
    /** Calls must fail, and later succeed again, within this time. Hazelcast's own time-out is two minutes. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @AutoClose
    private MockCluster cluster;

    private String name;

    @BeforeEach
    void start() {
        cluster = MockCluster.of(3, Map.of("snowcast.lease.millis", "1500"));
        name = cluster.nameOwnedBy(cluster.member(0));
    }

    @Test
    void aMemberAndAClientFailAndReturnByThemselves() throws Exception {
        HazelcastInstance member = withoutCopy();
        HazelcastInstance client = cluster.addClient();
        List<HazelcastInstance> others =
                cluster.members().stream().filter(each -> each != member).toList();
        List<SnowcastSequencer> sequencers =
                List.of(TestCluster.create(member, name), TestCluster.create(client, name));
        List<IdLog> ids = List.of(new IdLog(), new IdLog());
        for (int i = 0; i < 2; i++) {
            ids.get(i).add(sequencers.get(i).next(100));
        }

        others.forEach(other -> SplitBrainTestSupport.blockCommunicationBetween(member, other));
        ClientNetwork network = ClientNetwork.cut(client, cluster.members());
        Threads.run(2, index -> generateUntilItFails(sequencers.get(index), ids.get(index)));
        others.forEach(other -> SplitBrainTestSupport.unblockCommunicationBetween(member, other));
        network.restore();

        for (int i = 0; i < 2; i++) {
            requireReturn(sequencers.get(i), ids.get(i));
        }
        IdCheck.requireUnique(
                sequencers.get(0).layout(), ids.stream().map(IdLog::toArray).toList());
    }

    private HazelcastInstance withoutCopy() {
        return cluster.backup(name) == cluster.member(1) ? cluster.member(2) : cluster.member(1);
    }

    @Test
    void aLostAnswerHoldsUpNoRenewalForLong() throws Exception {
        HazelcastInstance owner = cluster.owner(name);
        HazelcastInstance member = withoutCopy();
        SnowcastSequencer sequencer = TestCluster.create(member, name);
        IdLog ids = new IdLog();
        ids.add(sequencer.next(100));

        Answers answers = Answers.lose(owner, member);
        Await.until("the lease runs out", () -> sequencer.tryNext().isEmpty());
        answers.loseNoMore();

        requireReturn(sequencer, ids);
    }

    private static void generateUntilItFails(SnowcastSequencer sequencer, IdLog ids) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                ids.add(sequencer.next());
            } catch (SnowcastStateException e) {
                assertThat(e)
                        .hasMessageContaining("lasts until 20")
                        .hasMessageContaining("was not renewed within PT10S")
                        .hasMessageContaining("since 20");
                break;
            }
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(10), LONGEST);
    }

    private static void requireReturn(SnowcastSequencer sequencer, IdLog ids) throws Exception {
        long start = System.nanoTime();
        CompletableFuture<Long> returned = new CompletableFuture<>();
        Threads thread = Threads.start(1, index -> {
            while (!returned.isDone()) {
                try {
                    ids.add(sequencer.next());
                    returned.complete(System.nanoTime());
                } catch (SnowcastStateException e) {
                    // The sequencer is not attached yet.
                }
            }
        });
        thread.join();
        assertThat(Duration.ofNanos(returned.get() - start)).isLessThan(LONGEST);
        ids.add(sequencer.next(100));
        IdCheck.requireOrdered(sequencer.layout(), ids.toArray());
    }
}
