// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the final checks of random schedules find planted errors. */
@Tag("integration")
class FaultChecksClusterTest {
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 4, 5);
    private static final Map<String, String> SHORT_LEASE = Map.of("snowcast.lease.millis", "1000");

    private static final Map<String, String> ONE_NODE_ID =
            Map.of("snowcast.lease.millis", "50000", "snowcast.node.id.range", Restart.ONE_NODE);

    @Test
    void aCeilingAboveTheFloorOfAnotherHolderIsFound() {
        OffsetClock clock = new OffsetClock(0);
        MockCluster cluster = MockCluster.of(0, ONE_NODE_ID);
        HazelcastInstance owner = cluster.addMember(clock::install);
        String name = TestCluster.newName();
        SnowcastSequencer held = TestCluster.create(owner, name);
        Runnable forgetNext = Replicas.rememberTable(owner, name);
        ClusterTime.setOffset(owner, 55_000);
        ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH);
        assertThatCode(cluster.ledger()::check).doesNotThrowAnyException();
        forgetNext.run();
        clock.setOffset(40_000);
        Await.until("a renewal", () -> held.stats().renewalCount() > 0);

        assertThatThrownBy(cluster::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("1 times two holders had the same: node ID 5 of sequencer " + name);
    }

    @Test
    void aLeakIsFound() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, Map.of("snowcast.lease.millis", "60000"))) {
            SharedSequencer shared = new SharedSequencer(TestCluster.newName(), 1);
            // The member renews this lease as long as the member runs.
            SnowcastSequencer leak = SnowcastSystem.snowcast(cluster.member(0)).createSequencer(shared.config());
            assertThatThrownBy(() ->
                            NodeIdCheck.requireAllFree(cluster.member(0), shared.config(), Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("of 8 node IDs of sequencer " + shared.name() + ", 1 are not free");

            leak.detachLogicalNode();
            NodeIdCheck.requireAllFree(cluster.member(0), shared.config(), Duration.ofMinutes(3));
        }
    }

    @Test
    void aReplicaThatMissesAChangeIsFound() {
        try (MockCluster cluster = MockCluster.of(2, SHORT_LEASE)) {
            String name = TestCluster.newName();
            TestCluster.create(cluster.member(0), name).detachLogicalNode();
            Replicas.requireEqual(cluster.members());

            // The owner may send the copy everything again just now: then the next error is found.
            Await.until("an error that is found", () -> {
                Replicas.forget(cluster.backup(name), name);
                return messageOfCheck(cluster).contains("sequencer " + name);
            });
        }
    }

    private static String messageOfCheck(MockCluster cluster) {
        try {
            Replicas.requireEqual(cluster.members());
            return "";
        } catch (AssertionError found) {
            return found.getMessage();
        }
    }

    @Test
    void aDuplicateInFilesIsFoundAndATornEndIsNone(@TempDir Path directory) throws Exception {
        IdWriter.Task first = task(directory.resolve("first"));
        IdWriter.Task second = task(directory.resolve("second"));
        Files.write(first.file(), bytes(24, 1, 2, 3));
        Files.write(first.calls(), bytes(47, 100, 110, 2, 110, 120, 1));
        Files.write(second.file(), bytes(20, 2, 7, 9));
        Ledger ledger = new Ledger();
        IdLog one = WriterProcess.enter(first, ledger);
        IdLog other = WriterProcess.enter(second, ledger);

        assertThat(one.toArray()).containsExactly(1, 2, 3);
        assertThat(one.calls()).containsExactly(new IdLog.Call(100, 110, 0, 2));
        assertThat(other.toArray()).containsExactly(2, 7);
        assertThatThrownBy(ledger::checkIds)
                .hasMessageStartingWith("1 IDs twice: sequencer orders: ID 2 (")
                .hasMessageContaining("of CLIENT first and ");
    }

    private static IdWriter.Task task(Path file) {
        return new IdWriter.Task("test", IdWriter.Role.CLIENT, "localhost", 0, List.of(), "orders", LAYOUT, 0, file);
    }

    private static byte[] bytes(int count, long... ids) {
        ByteBuffer buffer = ByteBuffer.allocate(ids.length * Long.BYTES);
        buffer.asLongBuffer().put(ids);
        byte[] bytes = new byte[count];
        buffer.get(bytes);
        return bytes;
    }
}
