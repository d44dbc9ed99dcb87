// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the recovery of shards that have failed over to a server without their last windows and reservations. */
class ShardRecoveryTest {
    private static final String ORDERS = "orders";
    private static final String SEATS = "seats";
    private static final long LAST = 5_000;
    private static final int WINDOW_SIZE = 100;

    /** Two shards. The second one has failed over to a server without its last windows and reservations. */
    private static final class World {
        final ForgetfulShards databases = ForgetfulShards.of(3);
        final BlockLedger ledger = new BlockLedger(1, LAST);
        /** An earlier state of the first shard, before an agent announced further windows. */
        final TableCopy former;

        World() throws SQLException {
            JdbcShards shards = databases.list(0, 1);
            TestShards.layOut(shards, WINDOW_SIZE, 2, ORDERS, 1, LAST);
            former = databases.state(0);
            TableCopy state = databases.state(1);
            reserve(1, 180);
            new WindowAgent(shards, 3).topUp();
            reserve(1, 150);
            databases.failOver(1, state);
        }

        void reserve(int index, int count) throws SQLException {
            databases.reserve(index, ORDERS, count, ledger);
        }

        void reserveAll() throws SQLException {
            new WindowAgent(databases.list(0, 1), 100).topUp();
            ShardRecoveryTest.reserveAll(databases, ledger, 0, 1);
            databases.memory().allWindows(ORDERS);
        }
    }

    @Test
    void aShardThatFailedOverIsTakenBackByWhatOthersKnow() throws Exception {
        World world = new World();
        assertThat(world.databases.hasChanged(1)).isTrue();
        new WindowAgent(world.databases.list(0, 1), 2).topUp();
        assertThat(world.databases.hasChanged(1)).isFalse();
        assertThat(world.databases.memory().windows(1, ORDERS).stream().filter(MemoryShards.Window::isOpen))
                .hasSize(2)
                .allMatch(window -> window.start() >= 601);
        long before = world.ledger.count();
        world.reserve(1, 50);
        assertThat(world.ledger.count()).isEqualTo(before + 50);
        world.reserveAll();
    }

    /** For every n, kills an agent before its n-th transaction. Another agent completes the recovery. */
    @Test
    @Tag("faults")
    void aRecoveryKilledAtAnyPointIsCompletedByTheNext() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            World world = new World();
            boolean isReached = interrupted(world, calls, () -> {
                throw new EachTransaction.Killed();
            });
            world.reserve(1, 50);
            world.reserveAll();
            return isReached;
        });
    }

    /** For every n, pauses an agent before its n-th transaction while another agent recovers the shard. */
    @Test
    @Tag("faults")
    void aRecoveryPausedAtAnyPointDoesNoHarm() throws Exception {
        for (boolean failsAgain : List.of(false, true)) {
            EachTransaction.interrupted(10, calls -> {
                World world = new World();
                boolean isReached = interrupted(world, calls, () -> {
                    new WindowAgent(world.databases.list(0, 1), 2).topUp();
                    TableCopy state = world.databases.state(1);
                    world.reserve(1, 150);
                    if (failsAgain) {
                        world.databases.failOver(1, state);
                    }
                });
                world.reserve(1, 50);
                world.reserveAll();
                return isReached;
            });
        }
    }

    /**
     * For every n, pauses an agent before its n-th transaction. Meanwhile the second shard gets the windows that the
     * agent would insert next, issues their integers, loses the windows, and is recovered.
     */
    @Test
    @Tag("faults")
    void anAgentPausedAtAnyPointThroughAFailOverDoesNoHarm() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            World world = new World();
            new WindowAgent(world.databases.list(0, 1), 2).topUp();
            world.reserve(1, 1_000);
            boolean isReached = interrupted(world, calls, () -> {
                TableCopy state = world.databases.state(1);
                new WindowAgent(world.databases.list(0, 1), 3).topUp();
                world.reserve(1, 1_000);
                world.databases.failOver(1, state);
                new WindowAgent(world.databases.list(0, 1), 2).topUp();
            });
            world.reserveAll();
            return isReached;
        });
    }

    /** For every n, lets the other shard, whose data the recovery uses, fail over before the n-th transaction. */
    @Test
    @Tag("faults")
    void aShardThatForgetsWhileItIsAskedGivesNoBound() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            World world = new World();
            boolean isReached = interrupted(world, calls, () -> {
                world.databases.failOver(0, world.former);
            });
            if (world.databases.hasChanged(0) && world.databases.hasChanged(1)) {
                JdbcSchema schema = new JdbcSchema(world.databases.list(0, 1));
                schema.recover(0, Map.of(ORDERS, 731L));
                schema.recover(1, Map.of(ORDERS, 731L));
            }
            world.reserveAll();
            return isReached;
        });
    }

    /**
     * For every n, restarts the server before the n-th transaction of a recovery. If the recovery fails, it is run once
     * more, and must then succeed. A store that has detected a loss accepts the shard only if the number of recoveries
     * has risen.
     */
    @Test
    @Tag("integration")
    void aRecoveryThroughARestartSucceedsOrThrows() throws Exception {
        int thrown = 0;
        for (int calls = 0; ; calls++) {
            ForgetfulShards databases = ForgetfulShards.of(1);
            laidOut(databases, 0);
            AtomicInteger left = new AtomicInteger(calls);
            JdbcSchema schema = new JdbcSchema(databases.list(List.of(0), index -> {
                if (left.getAndDecrement() == 0) {
                    databases.restart(0);
                }
            }));
            try {
                schema.recover(0, Map.of(ORDERS, 731L));
            } catch (ShardMismatchException e) {
                assertThat(e).hasMessageContaining("the server of shard 0 of 1 was restarted during the recovery");
                thrown++;
                schema.recover(0, Map.of(ORDERS, 731L));
            }
            assertThat(databases.memory().number(0, "SELECT recoveries FROM id_sequences_database"))
                    .as("restarted before the transaction %s", calls)
                    .isPositive();
            if (left.get() >= 0) {
                assertThat(thrown).isPositive();
                return;
            }
        }
    }

    private interface Meanwhile {
        void happen() throws SQLException;
    }

    private static boolean interrupted(World world, int calls, Meanwhile then) {
        return pausedAt(calls, world.databases, List.of(0, 1), 2, then);
    }

    @Test
    void whereNoShardKnowsSomebodyHasToSay() throws Exception {
        World world = new World();
        world.databases.failOver(0);
        JdbcShards shards = world.databases.list(0, 1);
        WindowAgent agent = new WindowAgent(shards, 2);
        JdbcSchema schema = new JdbcSchema(shards);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(agent::topUp)
                .withMessageContaining(
                        "the database of shard 0 of 2 ran on server server 0 and now runs on server 1: it failed over")
                .withMessageContaining("JdbcSchema.recover");
        assertRefused(() -> schema.recover(1), "recover with the highest integer in use of every sequence");
        assertFails(IllegalArgumentException.class, () -> schema.recover(1, Map.of()), "[orders]");
        assertFails(IllegalArgumentException.class, () -> schema.recover(1, Map.of(ORDERS, -1L)), "orders");
        schema.recover(1, Map.of(ORDERS, 731L));
        assertThat(world.databases.memory().windows(1, ORDERS)).noneMatch(MemoryShards.Window::isOpen);
        // Now the recovered shard has bounds with which the agent can recover the other shard.
        agent.topUp();
        assertThat(world.databases.hasChanged(0)).isFalse();
        world.reserveAll();
    }

    /**
     * If the shard were recovered without the sequence, the sequence could be defined again from its first value, and
     * issue integers twice.
     */
    @Test
    void aSequenceThatAShardForgotIsNotRecoveredBeforeItIsDefined() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(2);
        JdbcShards shards = databases.list(0, 1);
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(WINDOW_SIZE);
        TableCopy state = databases.state(1);
        schema.defineSequence(ORDERS, 1, LAST);
        new WindowAgent(shards, 2).topUp();
        TableCopy defined = databases.state(0);
        databases.failOver(1, state);
        databases.failOver(0, databases.state(0).without("id_sequences").without("id_sequences_names"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema.recover(1, Map.of(ORDERS, 731L)))
                .withMessageContaining("sequence orders is not defined on shard 1 of 2");
        JdbcShards withoutShard0 = databases.list(List.of(0, 1), index -> {
            if (index == 0) {
                throw new SQLException("no route to host");
            }
        });
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> new JdbcSchema(withoutShard0).recover(1, Map.of(ORDERS, 731L)))
                .withMessageContaining("sequence orders is not defined on shard 1 of 2")
                .withMessageContaining("other shards may have it: shard 0 of 2")
                .withMessageEndingWith("no route to host");
        assertThat(databases.hasChanged(1)).isTrue();
        databases.restore(0, defined);
        schema.recover(1, Map.of(ORDERS, 731L));
        assertThat(databases.hasChanged(1)).isFalse();
        new WindowAgent(shards, 2).topUp();
        assertThat(databases.memory().windows(1, ORDERS).stream().filter(MemoryShards.Window::isOpen))
                .hasSize(2)
                .allMatch(window -> window.start() >= 731);
        databases.memory().allWindows(ORDERS);
    }

    /** Two shards. Only the second one has sequence seats, which was defined after a backup of the first one. */
    private static final class TwoBackups {
        final ForgetfulShards databases = ForgetfulShards.of(2);
        final JdbcShards shards = databases.list(0, 1);
        final JdbcSchema schema = new JdbcSchema(shards);
        final TableCopy withoutSeats;
        final TableCopy withSeats;

        TwoBackups() throws SQLException {
            TestShards.layOut(shards, WINDOW_SIZE, 2, ORDERS, 1, LAST);
            withoutSeats = databases.state(0);
            schema.defineSequence(SEATS, 1, LAST);
            new WindowAgent(shards, 2).topUp();
            withSeats = databases.state(1);
            new WindowAgent(shards, 20).topUp();
        }
    }

    /** Otherwise the shard would count as one that knows how far seats have been used. */
    @Test
    void aRecoveryByHandNamesTheSequencesThatOnlyOtherShardsHave() throws Exception {
        TwoBackups world = new TwoBackups();
        world.databases.failOver(0, world.withoutSeats);
        world.databases.failOver(1, world.withSeats);
        assertFails(
                IllegalArgumentException.class, () -> world.schema.recover(0, Map.of(ORDERS, 731L)), "[orders, seats]");
        world.schema.recover(0, Map.of(ORDERS, 731L, SEATS, 4_000L));
        new WindowAgent(world.shards, 2).topUp();
        assertThat(world.databases.memory().allWindows(SEATS).stream().filter(MemoryShards.Window::isOpen))
                .hasSize(4)
                .allMatch(window -> window.start() > 4_000);
    }

    @Test
    void aShardIsNotRecoveredByOneThatLacksASequence() throws Exception {
        TwoBackups world = new TwoBackups();
        world.databases.restore(0, world.withoutSeats);
        world.databases.failOver(1, world.withSeats);
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> new WindowAgent(world.shards, 2).topUp(), "sequence seats");
        }
        assertRefused(() -> world.schema.recover(1), "sequence seats");
        assertThat(world.databases.hasChanged(1)).isTrue();
        world.schema.recover(1, Map.of(ORDERS, 2_500L, SEATS, 4_000L));
        new WindowAgent(world.shards, 2).topUp();
        assertThat(world.databases.memory().allWindows(SEATS).stream().filter(MemoryShards.Window::isOpen))
                .hasSize(4)
                .allMatch(window -> window.start() > 4_000);
    }

    /** No agent has run since the definition, so no window can be lost. */
    @Test
    void aSequenceThatHasNoWindowsYetDoesNotPreventARecovery() throws Exception {
        World world = new World();
        world.databases
                .memory()
                .execute(
                        1,
                        "INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value)"
                                + " VALUES ('seats', 1, 5000)");
        new WindowAgent(world.databases.list(0, 1), 2).topUp();
        assertThat(world.databases.hasChanged(1)).isFalse();
        assertThat(world.databases.memory().allWindows(SEATS)).hasSize(4);
    }

    /** An agent that has read the floor before the recovery may still insert a window below the floor. */
    @Test
    void agentsRecoverNoShardWhoseDialectLocksNoRows() throws Exception {
        World world = new World();
        JdbcShards shards = world.databases.withoutLocks(0, 1);
        assertRefused(
                () -> new WindowAgent(shards, 2).topUp(), "stop all agents and stores, and run JdbcSchema.recover");
        assertThat(world.databases.hasChanged(1)).isTrue();
        new JdbcSchema(shards).recover(1);
        assertThat(world.databases.hasChanged(1)).isFalse();
        TableCopy state = world.databases.state(0);
        new WindowAgent(shards, 40).topUp();
        world.databases.restore(0, state);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> new WindowAgent(shards, 2).topUp())
                .withMessageContaining("has lost announced windows")
                .withMessageContaining("stop all agents and stores, and run JdbcSchema.recover");
        List<MemoryShards.Window> windows = world.databases.memory().windows(0, ORDERS);
        assertRefused(() -> TestShards.store(shards, 0).reserve(ORDERS, 10), "may have lost reservations");
        assertThat(world.databases.memory().windows(0, ORDERS)).isEqualTo(windows);
        new JdbcSchema(shards).recover(0);
        assertThat(world.databases.hasChanged(0)).isFalse();
    }

    /**
     * For every n, pauses an agent that announces windows before its n-th transaction. Meanwhile the first shard loses
     * the announcement, and is recovered with the bounds of the second shard, which may not have the announcement yet.
     */
    @Test
    @Tag("faults")
    void anEndThatAShardLostIsNotTakenForAnnouncedByAll() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            World world = new World();
            ForgetfulShards databases = world.databases;
            new WindowAgent(databases.list(0, 1), 2).topUp();
            TableCopy state = databases.state(0);
            boolean isReached = pausedAt(calls, databases, List.of(0, 1), 20, () -> {
                databases.failOver(0, state);
                new JdbcSchema(databases.list(0, 1)).recover(0);
            });
            long complete = Math.max(
                    databases.memory().number(0, "SELECT complete_value FROM id_sequences_names"),
                    databases.memory().number(1, "SELECT complete_value FROM id_sequences_names"));
            for (int i = 0; i < 2; i++) {
                assertThat(databases.memory().number(i, "SELECT announced_value FROM id_sequences_names"))
                        .as("announced in shard %s, paused before %s", i, calls)
                        .isGreaterThanOrEqualTo(complete);
            }
            world.reserveAll();
            return isReached;
        });
    }

    /**
     * For every n, another agent has begun the layout in the first shard, with an older bound, before the n-th
     * transaction of an agent.
     */
    @Test
    @Tag("faults")
    void twoAgentsGiveALayoutOneBase() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            ForgetfulShards databases = ForgetfulShards.of(2);
            JdbcShards shards = databases.list(0, 1);
            TestShards.define(shards, WINDOW_SIZE, ORDERS, 1, LAST);
            new JdbcSchema(shards).recover(0, Map.of(ORDERS, 730L));
            boolean isReached = pausedAt(
                    calls,
                    databases,
                    List.of(0, 1),
                    2,
                    () -> databases
                            .memory()
                            .execute(
                                    0,
                                    "UPDATE id_sequences_names SET base_value = 701 WHERE generation = 1 AND base_value = -1"));
            new WindowAgent(shards, 2).topUp();
            assertThat(databases.memory().number(1, "SELECT base_value FROM id_sequences_names"))
                    .isEqualTo(databases.memory().number(0, "SELECT base_value FROM id_sequences_names"));
            return isReached;
        });
    }

    @Test
    void whereNothingWasLostWindowsStayAsTheyAre() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(1);
        JdbcShards shards = databases.list(0);
        TestShards.layOut(shards, WINDOW_SIZE, 2, ORDERS, 1, LAST);
        List<MemoryShards.Window> before = databases.memory().allWindows(ORDERS);
        databases.failOver(0);
        assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(() -> new WindowAgent(shards, 2).topUp());
        new JdbcSchema(shards).recoverWithoutLoss(0);
        new WindowAgent(shards, 2).topUp();
        assertThat(databases.memory().allWindows(ORDERS)).isEqualTo(before);
        assertThat(databases.memory().number(0, "SELECT recoveries FROM id_sequences_database"))
                .isEqualTo(1);
    }

    /**
     * Shard 1 goes back to its state before a change of the list, although its server stays the same. The agent refuses
     * until the change is repeated. Then an agent recovers the shard.
     */
    @Test
    void aShardThatForgotAChangeIsTakenBackWithTheNext() throws Exception {
        World world = new World();
        ForgetfulShards databases = world.databases;
        new WindowAgent(databases.list(0, 1), 2).topUp();
        TableCopy state = databases.state(1);
        new JdbcSchema(databases.list(0, 1, 2)).changeShards(WINDOW_SIZE);
        new WindowAgent(databases.list(0, 1, 2), 2).topUp();
        world.reserve(1, 400);
        databases.restore(1, state);
        assertRefused(() -> new WindowAgent(databases.list(0, 1, 2), 2).topUp(), "shard 1 of 3");
        new JdbcSchema(databases.list(0, 1, 2)).changeShards(WINDOW_SIZE);
        assertThat(databases.hasChanged(1)).isTrue();
        new WindowAgent(databases.list(0, 1, 2), 2).topUp();
        assertThat(databases.hasChanged(1)).isFalse();
        world.reserve(1, 1_000);
        databases.memory().allWindows(ORDERS);
    }

    /**
     * The agent with the former list cannot see the change: two shards have lost it, and the third one is not in the
     * new list.
     */
    @Test
    void shardsThatForgotAChangeAreNotTakenBackByOneThatWasLeftOut() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(4);
        JdbcShards former = databases.list(0, 1, 2);
        JdbcShards present = databases.list(0, 1, 3);
        TestShards.layOut(former, WINDOW_SIZE, 2, ORDERS, 1, LAST);
        List<TableCopy> before = List.of(databases.state(0), databases.state(1));
        new JdbcSchema(present).changeShards(WINDOW_SIZE);
        new WindowAgent(present, 2).topUp();
        for (int i = 0; i < 2; i++) {
            databases.failOver(i, before.get(i));
        }
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> new WindowAgent(former, 9).topUp())
                .withMessageContaining(
                        "no shard that can be reached has upper bounds of the windows that it may have lost");
        databases.memory().allWindows(ORDERS);
    }

    /**
     * A change has added a shard to the list. For every n, pauses the first agent of the new list before its n-th
     * transaction. Meanwhile all other shards lose windows, and the new shard continues to serve. The agent must not
     * insert windows with lost integers into the new shard.
     */
    @Test
    @Tag("faults")
    void anAgentThatBeginsANewListPausedThroughAFailOverOfAllOthersDoesNoHarm() throws Exception {
        EachTransaction.interrupted(20, calls -> {
            ForgetfulShards databases = ForgetfulShards.of(3);
            BlockLedger ledger = new BlockLedger(1, LAST);
            JdbcShards former = laidOut(databases, 0, 1);
            List<TableCopy> before = List.of(databases.state(0), databases.state(1));
            new WindowAgent(former, 20).topUp();
            reserveAll(databases, ledger, 0, 1);
            new JdbcSchema(databases.list(0, 1, 2)).changeShards(WINDOW_SIZE);

            boolean isReached = pausedAt(calls, databases, List.of(0, 1, 2), 2, () -> {
                databases.failOver(0, before.get(0));
                databases.failOver(1, before.get(1));
            });

            reserveAll(databases, ledger, 2);
            JdbcShards present = databases.list(0, 1, 2);
            for (int i = 0; i < 2 && isReached; i++) {
                new JdbcSchema(present).changeShards(WINDOW_SIZE);
                new JdbcSchema(present).recover(i, Map.of(ORDERS, ledger.count() + 1));
            }
            new WindowAgent(present, 2).topUp();
            reserveAll(databases, ledger, 0, 1, 2);
            return isReached;
        });
    }

    /**
     * For every n, pauses an agent with the former list before its n-th transaction. Meanwhile the list changes, and
     * the shards that are in both lists lose this change. All other shards continue to serve.
     */
    @Test
    @Tag("faults")
    void anAgentWithTheOldListPausedThroughAFailOverOfAllThatStayedDoesNoHarm() throws Exception {
        EachTransaction.interrupted(20, calls -> {
            ForgetfulShards databases = ForgetfulShards.of(5);
            BlockLedger ledger = new BlockLedger(1, LAST);
            laidOut(databases, 0, 1, 2);
            new SchemaTables(databases.list(3, 4)).create();
            List<TableCopy> before = List.of(databases.state(1), databases.state(2));

            boolean isReached = pausedAt(calls, databases, List.of(0, 1, 2), 30, () -> {
                JdbcShards present = databases.list(1, 2, 3, 4);
                new JdbcSchema(present).changeShards(WINDOW_SIZE);
                new WindowAgent(present, 2).topUp();
                databases.failOver(1, before.get(0));
                databases.failOver(2, before.get(1));
            });

            reserveAll(databases, ledger, 0, 3, 4);
            return isReached;
        });
    }

    private static JdbcShards laidOut(ForgetfulShards databases, Integer... indices) {
        JdbcShards shards = databases.list(indices);
        TestShards.layOut(shards, WINDOW_SIZE, 1, ORDERS, 1, LAST);
        return shards;
    }

    private static void reserveAll(ForgetfulShards databases, BlockLedger ledger, int... indices) throws SQLException {
        for (int index : indices) {
            databases.reserve(index, ORDERS, Integer.MAX_VALUE, ledger);
        }
    }

    /**
     * Runs an agent, and {@code then} before one of its transactions. Returns whether the agent reached that
     * transaction.
     */
    private static boolean pausedAt(
            int calls, ForgetfulShards databases, List<Integer> list, int openWindows, Meanwhile then) {
        AtomicInteger left = new AtomicInteger(calls);
        JdbcShards limited = databases.list(list, index -> {
            if (left.getAndDecrement() == 0) {
                try {
                    then.happen();
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            }
        });
        try {
            new WindowAgent(limited, openWindows).topUp();
        } catch (EachTransaction.Killed | ShardMismatchException e) {
            // The test has killed the agent, or the agent has detected that the shards have changed.
        }
        return left.get() < 0;
    }
}
