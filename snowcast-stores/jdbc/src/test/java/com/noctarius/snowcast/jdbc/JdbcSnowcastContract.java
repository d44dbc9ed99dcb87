// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.tests.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a {@link JdbcSnowcast} promises, on each kind of database. */
@Tag("integration")
interface JdbcSnowcastContract {
    SequencerConfig ORDER_IDS = SequencerConfig.builder("order-ids")
            .epoch(SnowcastEpoch.byTimestamp(1_700_000_000_000L))
            .build();

    /** The URLs of databases. */
    List<String> urls();

    /** The table of this test alone. */
    String table();

    /** A pool that all tests of the class share. */
    DataSource sharedPool(String url);

    private JdbcSnowcast.Builder process(String name) {
        JdbcSnowcast.Builder builder = JdbcSnowcast.builder(sharedPool(urls().get(0)))
                .tablePrefix(table() + "_l")
                .processName(name)
                .timeouts(Duration.ofMinutes(2), Duration.ofMinutes(3));
        if (table().startsWith(UserDialect.TABLE_PREFIX)) {
            builder.dialect(UserDialect.create());
        }
        return builder;
    }

    private JdbcSnowcast created(String name) {
        JdbcSnowcast snowcast = process(name).build();
        snowcast.createTables();
        return snowcast;
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = sharedPool(urls().get(0)).getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(sql.replace("snowcast_", table() + "_l_"));
        }
    }

    @Test
    default void twoProcessesHaveNodeIdsOfTheirOwn() throws Exception {
        try (JdbcSnowcast one = created("pod-1");
                JdbcSnowcast two = process("pod-2").build()) {
            SnowcastSequencer first = one.createSequencer(ORDER_IDS);
            SnowcastSequencer second = two.createSequencer(ORDER_IDS);
            assertThat(one.createSequencer(ORDER_IDS)).isSameAs(first);
            Set<Long> ids = new HashSet<>();
            for (int i = 0; i < 5_000; i++) {
                ids.add(first.next());
                ids.add(second.next());
            }
            assertThat(ids).hasSize(10_000);
            ClusterStatus.Sequencer status = one.status().sequencers().get(0);
            assertThat(status.name()).isEqualTo("order-ids");
            assertThat(status.nodes())
                    .extracting(ClusterStatus.Node::holder)
                    .containsExactlyInAnyOrder("pod-1", "pod-2");
            assertThat(status.attachedCount()).isEqualTo(2);
        }
    }

    @Test
    default void whatAProcessGivesBackAnotherOneGetsAbove() throws Exception {
        SequencerConfig two = SequencerConfig.builder("two")
                .epoch(ORDER_IDS.epoch())
                .layout(new SnowcastLayout(41, 1, 10))
                .build();
        try (JdbcSnowcast stays = created("stays");
                JdbcSnowcast next = process("next").build()) {
            stays.createSequencer(two);
            JdbcSnowcast leaves = process("leaves").build();
            SnowcastSequencer leaving = leaves.createSequencer(two);
            long last = leaving.next();
            assertThatThrownBy(() -> next.createSequencer(two))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class)
                    .hasMessageContaining("all 2 node IDs are in use: 2 attached");
            leaves.close();
            assertThatThrownBy(leaving::next)
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("the JdbcSnowcast was closed");
            SnowcastSequencer follows = next.createSequencer(two);
            assertThat(two.layout().logicalNodeId(follows.next()))
                    .isEqualTo(two.layout().logicalNodeId(last));
            assertThat(follows.next()).isGreaterThan(last);
        }
    }

    @Test
    default void leasesAreExtended() throws Exception {
        created("creator").close();
        try (JdbcSnowcast short1 = process("short").lease(Duration.ofSeconds(4)).build()) {
            SnowcastSequencer sequencer = short1.createSequencer(ORDER_IDS);
            NodeLease lease = short1.leaseNode(
                    NodeLeaseConfig.builder("workers").maxNodeCount(5).build());
            Await.until(
                    "both leases are extended twice",
                    () -> sequencer.stats().extensionCount() >= 2
                            && lease.stats().extensionCount() >= 2);
            assertThat(sequencer.stats().leaseLossCount() + lease.stats().leaseLossCount())
                    .isZero();
            assertThat(lease.nodeId()).isBetween(0, 4);
        }
    }

    @Test
    default void manyProcessesAttachAtATime() throws Exception {
        created("creator").close();
        SequencerConfig sixteen = SequencerConfig.builder("sixteen")
                .epoch(ORDER_IDS.epoch())
                .layout(new SnowcastLayout(41, 4, 10))
                .build();
        List<JdbcSnowcast> processes = new ArrayList<>();
        try {
            List<CompletableFuture<Integer>> nodes = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                JdbcSnowcast process = process("pod-" + i).build();
                processes.add(process);
                nodes.add(CompletableFuture.supplyAsync(
                        () -> process.createSequencer(sixteen)
                                .stats()
                                .logicalNodeId()
                                .getAsInt(),
                        task -> new Thread(task).start()));
            }
            Set<Integer> different = new HashSet<>();
            for (CompletableFuture<Integer> node : nodes) {
                different.add(node.get(5, TimeUnit.MINUTES));
            }
            assertThat(different).hasSize(16);
        } finally {
            processes.forEach(JdbcSnowcast::close);
        }
    }

    @Test
    default void whatIsDestroyedBeginsAboveItself() throws Exception {
        try (JdbcSnowcast one = created("one");
                JdbcSnowcast two = process("two").lease(Duration.ofSeconds(2)).build()) {
            SnowcastSequencer destroyed = one.createSequencer(ORDER_IDS);
            SnowcastSequencer other = two.createSequencer(ORDER_IDS);
            long last = Math.max(destroyed.next(), other.next());
            one.destroySequencer(destroyed);
            assertThat(destroyed.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
            // The other process learns of it when it extends its lease, and gives its node ID back.
            Await.until(
                    "the other process has noticed",
                    () -> other.getSequencerState() == SnowcastSequenceState.Destroyed);
            Await.until("it is created again", () -> isCreated(one));
            assertThat(one.createSequencer(ORDER_IDS).next()).isGreaterThan(last);
        }
    }

    private boolean isCreated(JdbcSnowcast snowcast) {
        try {
            snowcast.createSequencer(ORDER_IDS);
            return true;
        } catch (SnowcastUnavailableException e) {
            return false;
        }
    }

    @Test
    default void aFailOverLetsHoldersGoOnAndGrantsNoNodeId() throws Exception {
        created("creator").close();
        try (JdbcSnowcast holder = process("holder")
                        .lease(Duration.ofSeconds(8))
                        .maxClockSkew(Duration.ofSeconds(1))
                        .build();
                JdbcSnowcast late = process("late").build()) {
            SnowcastSequencer sequencer = holder.createSequencer(ORDER_IDS);
            long before = sequencer.next();
            sql("UPDATE snowcast_database SET server_id = 'another server'");
            assertThatThrownBy(() -> late.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
            assertThatThrownBy(() -> late.createSequencer("created-after", ORDER_IDS.epoch()))
                    .isInstanceOf(SnowcastUnavailableException.class);
            long extensions = sequencer.stats().extensionCount();
            Await.until("the holder is taken over", () -> sequencer.stats().extensionCount() > extensions);
            assertThat(sequencer.next()).isGreaterThan(before);
            assertThat(sequencer.stats().leaseLossCount()).isZero();
            // As if the wait was over.
            sql("UPDATE snowcast_database SET lost_until = 1");
            sql("UPDATE snowcast_names SET lost_until = 1");
            assertThat(late.createSequencer(ORDER_IDS).next()).isNotEqualTo(before);
        }
    }

    @Test
    default void aProcessNoticesThatItsOwnRowsWereForgotten() throws Exception {
        try (JdbcSnowcast holder = created("holder");
                JdbcSnowcast other = process("other").build()) {
            holder.createSequencer(ORDER_IDS).next();
            sql("DELETE FROM snowcast_nodes");
            sql("DELETE FROM snowcast_names");
            assertThatThrownBy(() -> {
                        holder.destroySequencer(holder.createSequencer(ORDER_IDS));
                    })
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("may have forgotten");
            assertThatThrownBy(() -> other.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
    }

    @Test
    default void integersComeFromTheSameDatabase() throws Exception {
        IntegerSequenceConfig tickets = IntegerSequenceConfig.builder(table() + "-tickets")
                .firstValue(1_000)
                .build();
        try (JdbcSnowcast snowcast = created("one")) {
            IntegerSequence sequence = snowcast.createIntegerSequence(tickets);
            assertThat(Set.of(sequence.next(), sequence.next(), sequence.next()))
                    .hasSize(3)
                    .allSatisfy(integer -> assertThat(integer).isGreaterThanOrEqualTo(1_000));
            assertThatThrownBy(() -> snowcast.resumeIntegerSequence(tickets, 1, Instant.EPOCH))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("JdbcSchema.recover");
        }
    }

    @Test
    default void aDefinitionIsTheSameForAll() {
        try (JdbcSnowcast one = created("one");
                JdbcSnowcast two = process("two").build()) {
            one.createSequencer(ORDER_IDS);
            assertThatThrownBy(() -> two.createSequencer("order-ids", SnowcastEpoch.byTimestamp(0)))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                    .hasMessageContaining("is registered with another definition: epoch");
        }
    }

    @Test
    default void missingTablesAreNamedWithTheWayOut() {
        try (JdbcSnowcast snowcast = process("one").build()) {
            assertThatThrownBy(() -> snowcast.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("run JdbcSnowcast.createTables");
        }
    }
}
