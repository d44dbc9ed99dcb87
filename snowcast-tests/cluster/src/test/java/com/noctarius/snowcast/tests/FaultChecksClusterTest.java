// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.internal.cluster.Replicas;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What random schedules end with finds what it is to find, when it is planted. */
@Tag("integration")
class FaultChecksClusterTest {
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 4, 5);
    private static final Definition DEFINITION = new Definition(0, LAYOUT, 1, null);
    private static final Map<String, String> SHORT_LEASE = Map.of("snowcast.lease.millis", "1000");

    @Test
    void aDuplicateIsFoundWithBothOwners() {
        IdLedger ledger = new IdLedger();
        ledger.open("orders", "member 1", LAYOUT).add(1, 2, 3);
        ledger.open("orders", "client 2", LAYOUT).add(2, 9);
        assertThatThrownBy(ledger::check)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("sequencer orders: ID 2 (")
                .hasMessageContaining(" of member 1 and ID 2 (")
                .hasMessageEndingWith(" of client 2");
    }

    @Test
    void aDuplicateOfTwoLayoutsIsFound() {
        IdLedger ledger = new IdLedger();
        ledger.open("orders", "member 1", LAYOUT).add(1 << 20);
        ledger.open("orders", "member 1", new SnowcastLayout(41, 5, 4)).add(1 << 20);
        assertThatThrownBy(ledger::check).isInstanceOf(AssertionError.class);
    }

    @Test
    void whatTwoSequencersShareIsNoDuplicate() {
        IdLedger ledger = new IdLedger();
        ledger.open("orders", "member 1", LAYOUT).add(1, 2, 3);
        ledger.open("deliveries", "member 1", LAYOUT).add(1, 2, 3);
        assertThatCode(ledger::check).doesNotThrowAnyException();
    }

    @Test
    void aStepBackIsFoundWithItsOwner() {
        IdLedger ledger = new IdLedger();
        ledger.open("orders", "member 7", LAYOUT).add(3, 2);
        assertThatThrownBy(ledger::check).hasMessageStartingWith("member 7: ID 1 is not above its predecessor");
    }

    private static final Map<String, String> ONE_NODE_ID =
            Map.of("snowcast.lease.millis", "50000", "snowcast.node.id.range", Restart.ONE_NODE);

    @Test
    void aFloorBelowTheCeilingOfAnotherHolderIsFound() {
        MockCluster cluster = MockCluster.of(1, ONE_NODE_ID);
        HazelcastInstance owner = cluster.member(0);
        String name = TestCluster.newName();
        TestCluster.create(owner, name).detachLogicalNode();
        Runnable forgetNext = Replicas.rememberTable(owner, name);
        ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH);
        forgetNext.run();
        ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH);

        assertThatThrownBy(cluster::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("1 times two holders had the same: node ID 5 of sequencer " + name);
    }

    @Test
    void aCeilingAboveTheFloorOfAnotherHolderIsFound() {
        OffsetClock clock = new OffsetClock(0);
        MockCluster cluster = MockCluster.of(0, ONE_NODE_ID);
        HazelcastInstance owner =
                cluster.addMember(config -> config.getUserContext().put(SystemClock.REPLACEMENT_KEY, clock));
        String name = TestCluster.newName();
        SnowcastSequencer held = TestCluster.create(owner, name);
        Runnable forgetNext = Replicas.rememberTable(owner, name);
        ClusterTime.setOffset(owner, 55_000);
        ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH);
        assertThatCode(cluster.grants()::check).doesNotThrowAnyException();
        forgetNext.run();
        clock.setOffset(40_000);
        Await.until("an extension", () -> held.stats().extensionCount() > 0);

        assertThatThrownBy(cluster::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("1 times two holders had the same: node ID 5 of sequencer " + name);
    }

    @Test
    void grantsOfProcessesAreComparedAndATornEndIsNone(@TempDir Path directory) throws Exception {
        GrantLedger ledger = new GrantLedger();
        for (int i = 0; i < 3; i++) {
            Path path = directory.resolve("grants-" + i);
            GrantFile file = new GrantFile(path, History.none());
            UUID holder = UUID.randomUUID();
            Token token = new Token(7, i, holder);
            long floor = 100L * i;
            file.granted(
                    new AttachRequest("orders", DEFINITION, 1, holder, 1, 0, 0, -1),
                    new Grant(1, 3, token, floor, floor + 60, 60));
            ExtendRequest request = new ExtendRequest("orders", DEFINITION, 1, 3, token, 0, 0, 60);
            file.extended(request, floor + 150);
            if (i == 0) {
                file.ended(holder, new DetachRequest("orders", 3, token, 99));
            }
            Files.writeString(path, "ended orders " + holder + " 7 " + i, StandardOpenOption.APPEND);
            ledger.addAll(GrantFile.read(path));
        }

        assertThat(ledger.unreported())
                .hasSize(1)
                .allMatch(each -> each.contains("has [100, 250)") && each.contains("has [200, 350)"));
    }

    @Test
    void aLeakIsFound() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, Map.of("snowcast.lease.millis", "60000"))) {
            SharedSequencer shared = new SharedSequencer(TestCluster.newName(), 1);
            // Its lease is extended for as long as it is there.
            SnowcastSequencer leak = SnowcastSystem.snowcast(cluster.member(0)).createSequencer(shared.config());
            assertThatThrownBy(
                            () -> NodeIdCheck.requireAllFree(cluster.member(0), shared.config(), Duration.ofSeconds(3)))
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

            Replicas.forget(cluster.backup(name), name);

            assertThatThrownBy(() -> Replicas.requireEqual(cluster.members()))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("sequencer " + name);
        }
    }

    @Test
    void anOperationThatTakesTooLongIsFound() throws Exception {
        Durations durations = new Durations();
        durations.measure("wait", () -> {
            long start = System.nanoTime();
            while (System.nanoTime() == start) {
                Thread.onSpinWait();
            }
        });
        durations.requireAtMost(Duration.ofMinutes(1));
        assertThatThrownBy(() -> durations.requireAtMost(Duration.ZERO)).hasMessageStartingWith("wait took PT");
    }

    @Test
    void aDuplicateInFilesIsFoundAndATornEndIsNone(@TempDir Path directory) throws Exception {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        Files.write(first, bytes(24, 1, 2, 3));
        Files.write(second, bytes(20, 2, 7, 9));

        List<long[]> ids = List.of(WriterProcess.read(first), WriterProcess.read(second));

        assertThatThrownBy(() -> IdCheck.requireUnique(LAYOUT, ids))
                .hasMessageContaining("1 duplicates among 5 IDs, the first is 2 (");
    }

    private static byte[] bytes(int count, long... ids) {
        ByteBuffer buffer = ByteBuffer.allocate(ids.length * Long.BYTES);
        buffer.asLongBuffer().put(ids);
        byte[] bytes = new byte[count];
        buffer.get(bytes);
        return bytes;
    }
}
