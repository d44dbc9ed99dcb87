// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.jdbc.MemoryShards.Window;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which windows agents insert, even if agents are killed, run concurrently, or have another list of shards. */
class WindowAgentTest {
    private static final String ORDERS = "orders";
    private static final long FIRST = 5_001;
    private static final long LAST = 6_000;
    private static final int WINDOW_SIZE = 100;

    private final MemoryShards memory = MemoryShards.of(4);

    private WindowAgent agent(Integer... indices) {
        return new WindowAgent(memory.list(indices).plain(), 1);
    }

    private JdbcSchema schema(Integer... indices) {
        return new JdbcSchema(memory.list(indices).plain());
    }

    private void create(Integer... indices) {
        schema(indices).create(WINDOW_SIZE);
        schema(indices).defineSequence(ORDERS, FIRST, LAST);
    }

    private static Window unused(long start, long end) {
        return new Window(start, end, start);
    }

    // --- one agent

    @Test
    void windowsBelongToShardsInTurn() throws Exception {
        create(0, 1, 2);
        WindowAgent agent = new WindowAgent(memory.list(0, 1, 2).plain(), 2);
        assertThat(agent.topUp()).isEqualTo(new WindowAgent.TopUp(1, 6));
        assertThat(memory.windows(0, ORDERS)).containsExactly(unused(5_001, 5_101), unused(5_301, 5_401));
        assertThat(memory.windows(1, ORDERS)).containsExactly(unused(5_101, 5_201), unused(5_401, 5_501));
        assertThat(memory.windows(2, ORDERS)).containsExactly(unused(5_201, 5_301), unused(5_501, 5_601));
        assertThat(agent.topUp()).as("enough are open").isEqualTo(new WindowAgent.TopUp(1, 0));
        memory.execute(1, "UPDATE id_sequences SET next_hi_value = 5201 WHERE window_start_value = 5101");
        assertThat(agent.topUp()).as("a round").isEqualTo(new WindowAgent.TopUp(1, 3));
    }

    @Test
    void theLastWindowEndsWithTheLastValue() throws Exception {
        create(0, 1, 2);
        WindowAgent agent = new WindowAgent(memory.list(0, 1, 2).plain(), 1_000);
        agent.topUp();
        List<Window> all = memory.allWindows(ORDERS);
        assertThat(all).hasSize(10);
        assertThat(all.get(0).start()).isEqualTo(FIRST);
        assertThat(all.get(9).end()).isEqualTo(LAST + 1);
        assertThat(agent.topUp().windows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 7, 1_000_000_000_000L, Long.MAX_VALUE / 2, Long.MAX_VALUE})
    void nothingOverflowsAtTheEnd(long windowSize) throws Exception {
        long first = Long.MAX_VALUE - 11;
        long last = Long.MAX_VALUE - 1;
        JdbcShards shards = memory.list(0, 1, 2).plain();
        TestShards.define(shards, windowSize, "high", first, last);
        new JdbcSchema(shards).defineSequence("all", 0, last);
        new WindowAgent(shards, 4).topUp();
        new WindowAgent(shards, 4).topUp();
        long next = first;
        for (Window window : memory.allWindows("high")) {
            assertThat(window.start()).isEqualTo(next);
            next = window.end();
        }
        assertThat(next).isEqualTo(Long.MAX_VALUE);
        assertThat(memory.allWindows("all").get(0).start()).isZero();
        JdbcBlockStore store = TestShards.store(shards);
        BlockLedger ledger = new BlockLedger(first, last);
        for (long i = first; i <= last; ) {
            var block = store.reserve("high", 2);
            ledger.add(block);
            i += block.count();
        }
        ledger.requireAll();
        assertThatThrownBy(() -> store.reserve("high", 1)).isInstanceOf(BlockStoreExhaustedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {5_750, 5_930, 5_999, 6_000})
    void theLastValueCanBeRaised(long last) throws Exception {
        JdbcShards shards = memory.list(0, 1, 2).plain();
        schema(0, 1, 2).create(WINDOW_SIZE);
        schema(0, 1, 2).defineSequence(ORDERS, FIRST, last);
        new WindowAgent(shards, 1_000).topUp();
        BlockLedger ledger = new BlockLedger(FIRST, 9_000);
        reserve(shards, ledger, Integer.MAX_VALUE);
        assertThat(ledger.count()).isEqualTo(last - FIRST + 1);
        schema(0, 1, 2).raiseLastValue(ORDERS, 9_000);
        schema(0, 1, 2).raiseLastValue(ORDERS, 9_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema(0, 1, 2).raiseLastValue(ORDERS, 8_999))
                .withMessageContaining("orders from 5001 to 9000");
        assertFails(
                IllegalArgumentException.class, () -> schema(0, 1, 2).raiseLastValue("unknown", 9_000), "not defined");
        for (int openWindows : new int[] {1, 2, 1_000}) {
            new WindowAgent(shards, openWindows).topUp();
            memory.allWindows(ORDERS);
            reserve(shards, ledger, 450);
        }
        reserve(shards, ledger, Integer.MAX_VALUE);
        assertThat(9_000 - FIRST + 1 - ledger.count())
                .as("the gap where the last window was cut")
                .isBetween(0L, WINDOW_SIZE - 1L);
    }

    /** The default of a last value; a definition stores the same integer for it. */
    @Test
    void aLastValueCanBeRaisedToTheHighest() throws Exception {
        JdbcSchema schema = schema(0);
        schema.create(WINDOW_SIZE);
        schema.defineSequence(ORDERS, FIRST, 9_000);
        schema.raiseLastValue(ORDERS, Long.MAX_VALUE);
        schema.raiseLastValue(ORDERS, Long.MAX_VALUE);
        schema.defineSequence(ORDERS, FIRST, Long.MAX_VALUE);
        assertThat(memory.number(0, "SELECT highest_value FROM id_sequences_names"))
                .isEqualTo(Long.MAX_VALUE - 1);
    }

    /**
     * If a window was not announced and the list changed, the remaining shards would have no bound above that window.
     */
    @Test
    @Tag("faults")
    void aLastValueThatIsRaisedAddsNoWindowBeforeItIsAnnounced() throws Exception {
        EachTransaction.interrupted(0, calls -> {
            MemoryShards shards = MemoryShards.of(3);
            JdbcShards plain = shards.list(0, 1, 2).plain();
            TestShards.layOut(plain, WINDOW_SIZE, 1_000, ORDERS, FIRST, 5_950);
            new JdbcSchema(plain).raiseLastValue(ORDERS, 9_000);
            Limit limit = new Limit(calls, WindowAgentTest::kill);
            killed(() -> new WindowAgent(limit.shards(shards.list(0, 1, 2)), 1).topUp());
            requireAllAnnounced(shards, 3);
            return limit.isReached();
        });
    }

    /** Asserts that every shard has a bound above all windows of all shards. */
    private static void requireAllAnnounced(MemoryShards shards, int count) throws SQLException {
        List<Window> windows = shards.allWindows(ORDERS);
        for (int i = 0; i < count && !windows.isEmpty(); i++) {
            assertThat(shards.number(i, "SELECT announced_value FROM id_sequences_names"))
                    .as("shard %s", i)
                    .isGreaterThanOrEqualTo(windows.get(windows.size() - 1).end());
        }
    }

    @Test
    void aWindowThatIsLargerThanTheSequenceStaysWhereItIsWhenTheLastValueIsRaised() throws Exception {
        JdbcShards shards = memory.list(0, 1).plain();
        schema(0, 1).create(1_000);
        schema(0, 1).defineSequence(ORDERS, 1, 700);
        agent(0, 1).topUp();
        for (int shard = 0; shard < 2; shard++) {
            memory.execute(shard, "UPDATE id_sequences_names SET highest_value = 9000 WHERE sequence_name = 'orders'");
        }
        new WindowAgent(shards, 2).topUp();
        assertThat(memory.windows(0, ORDERS)).containsExactly(unused(1, 701), unused(2_001, 3_001));
        assertThat(memory.windows(1, ORDERS)).containsExactly(unused(1_001, 2_001), unused(3_001, 4_001));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSequenceInsertedInAnyShardIsFoundAndPropagated(int index) throws Exception {
        schema(0, 1, 2).create(WINDOW_SIZE);
        agent(0, 1, 2).topUp();
        memory.execute(
                index,
                "INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value) VALUES ('new', 10, 1000)");
        agent(0, 1, 2).topUp();
        assertThat(memory.windows(0, "new")).containsExactly(unused(10, 110));
        assertThat(memory.windows(2, "new")).containsExactly(unused(210, 310));
    }

    /** The tables were created again by a script, and then the windows of a dump were loaded, but no other rows. */
    @Test
    void windowsOfADumpInTablesOfAScriptAreNotUsed() throws Exception {
        create(0);
        agent(0).topUp();
        memory.execute(0, "UPDATE id_sequences_database SET server_id = 'new'");
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> agent(0).topUp())
                .withMessageContaining("run JdbcSchema.recover");
    }

    @Test
    void definitionsThatContradictEachOtherAreRefusedAndOthersGoOn() throws Exception {
        create(0, 1);
        String insert =
                "INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value) VALUES ('new', 10, ";
        memory.execute(0, insert + "1000)");
        memory.execute(1, insert + "2000)");
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> agent(0, 1).topUp())
                .withMessageContaining("new is defined twice")
                .withMessageContaining("from 10 to 1000")
                .withMessageContaining("from 10 to 2000");
        assertThat(memory.allWindows("new")).isEmpty();
        assertThat(memory.allWindows(ORDERS)).hasSize(2);
    }

    @Test
    void badArgumentsAreRefused() {
        JdbcShards shards = memory.list(0).plain();
        assertFails(IllegalArgumentException.class, () -> new WindowAgent(shards, 0), "1 to 1000: 0");
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowAgent(shards, 1_001));
        WindowAgent agent = new WindowAgent(shards, 1);
        assertFails(IllegalArgumentException.class, () -> agent.schedule(Duration.ofMillis(999)), "PT0.999S");
    }

    @Test
    @Tag("integration")
    void aScheduledAgentGoesOnAfterAFailure() throws Exception {
        schema(0).create(WINDOW_SIZE);
        schema(0).defineSequence(ORDERS, FIRST, LAST);
        AtomicInteger failures = new AtomicInteger(2);
        TestShards list = memory.list(0);
        DataSource failing = Connections.before(list.connections(memory.url(0)), () -> {
            switch (failures.getAndDecrement()) {
                case 2 -> throw new SQLException("not now");
                case 1 -> throw new OutOfMemoryError("no thread can be made");
                default -> {}
            }
        });
        try (ScheduledWindowAgent scheduled =
                new WindowAgent(list.of(List.of(failing)), 1).schedule(Duration.ofSeconds(1))) {
            Await.until("a failure", () -> scheduled.problem().contains("not now"));
            Await.until("an error", () -> scheduled.problem().contains("no thread can be made"));
            Await.until("a run without one", () -> scheduled.problem().isEmpty());
            assertThat(memory.windows(0, ORDERS)).hasSize(1);
        }
    }

    // --- killed agents

    /** Runs an action before one of the transactions. The first {@code calls} transactions run before the action. */
    private static final class Limit {
        private final AtomicInteger left;
        private final Runnable then;

        Limit(int calls, Runnable then) {
            this.left = new AtomicInteger(calls);
            this.then = then;
        }

        JdbcShards shards(TestShards list) {
            return list.of(url -> Connections.before(list.connections(url), this::count));
        }

        private void count() throws SQLException {
            if (left.getAndDecrement() == 0) {
                then.run();
            }
        }

        boolean isReached() {
            return left.get() < 0;
        }
    }

    private static void kill() {
        throw new EachTransaction.Killed();
    }

    private static void killed(Runnable work) {
        try {
            work.run();
        } catch (EachTransaction.Killed e) {
            // The limit has killed the agent or the change.
        }
    }

    /** For every n, kills a run before its n-th transaction. */
    @Test
    @Tag("faults")
    void anAgentKilledAtAnyPointLeavesNothingBehind() throws Exception {
        EachTransaction.interrupted(20, calls -> {
            MemoryShards shards = MemoryShards.of(3);
            JdbcShards plain = shards.list(0, 1, 2).plain();
            TestShards.define(plain, WINDOW_SIZE, ORDERS, FIRST, LAST);
            Limit limit = new Limit(calls, WindowAgentTest::kill);
            killed(() -> new WindowAgent(limit.shards(shards.list(0, 1, 2)), 2).topUp());
            new WindowAgent(plain, 2).topUp();
            requireNoGaps(shards.allWindows(ORDERS), FIRST);
            return limit.isReached();
        });
    }

    private static void requireNoGaps(List<Window> windows, long first) {
        long next = first;
        for (Window window : windows) {
            assertThat(window.start()).as("no gap in %s", windows).isEqualTo(next);
            next = window.end();
        }
        assertThat(next).isGreaterThan(first);
    }

    /** For every n, pauses a run before its n-th transaction. Meanwhile another agent runs, and stores reserve. */
    @Test
    @Tag("faults")
    void anAgentPausedAtAnyPointDoesNoHarm() throws Exception {
        EachTransaction.interrupted(0, calls -> {
            MemoryShards shards = MemoryShards.of(3);
            JdbcShards plain = shards.list(0, 1, 2).plain();
            TestShards.define(plain, WINDOW_SIZE, ORDERS, FIRST, LAST);
            BlockLedger ledger = new BlockLedger(FIRST, LAST);
            Limit limit = new Limit(calls, () -> {
                for (int i = 0; i < 2; i++) {
                    new WindowAgent(plain, 1).topUp();
                    reserve(plain, ledger, 150);
                }
            });
            new WindowAgent(limit.shards(shards.list(0, 1, 2)), 2).topUp();
            requireNoGaps(shards.allWindows(ORDERS), FIRST);
            new WindowAgent(plain, 100).topUp();
            reserve(plain, ledger, Integer.MAX_VALUE);
            ledger.requireAll();
            return limit.isReached();
        });
    }

    /** Reserves up to {@code count} integers, in blocks of up to 50. */
    private static void reserve(JdbcShards shards, BlockLedger ledger, int count) {
        JdbcBlockStore store = TestShards.store(shards, 0);
        try {
            for (int reserved = 0; reserved < count; reserved += 50) {
                ledger.add(store.reserve(ORDERS, 50));
            }
        } catch (BlockStoreException e) {
            assertThat(e).hasMessageMatching(".*(no window is open|the last integer is|not defined).*");
        }
    }

    // --- changes of the list of shards

    @Test
    void growingLaysOutWindowsForTheNewShardsAboveAllFormerOnes() throws Exception {
        create(0, 1);
        agent(0, 1).topUp();
        schema(0, 1, 2).changeShards(50);
        assertRefused(
                () -> agent(0, 1).topUp(), "shard 0 of 2", "is shard 0 of 3 with windows of 50 since generation 2");
        assertThat(new WindowAgent(memory.list(0, 1, 2).plain(), 2).topUp()).isEqualTo(new WindowAgent.TopUp(1, 6));
        assertThat(memory.windows(0, ORDERS))
                .containsExactly(unused(5_001, 5_101), unused(5_201, 5_251), unused(5_351, 5_401));
        assertThat(memory.windows(2, ORDERS)).containsExactly(unused(5_301, 5_351), unused(5_451, 5_501));
    }

    @Test
    void aShardThatIsGoneCanBeTakenOutWithoutIt() throws Exception {
        create(0, 1, 2);
        new WindowAgent(memory.list(0, 1, 2).plain(), 2).topUp();
        schema(2, 0).changeShards(WINDOW_SIZE);
        agent(2, 0).topUp();
        JdbcBlockStore store = TestShards.store(memory.list(2, 0).plain(), 0);
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        for (int i = 0; i < 4; i++) {
            ledger.add(store.reserve(ORDERS, 100));
        }
        new WindowAgent(memory.list(2, 0).plain(), 100).topUp();
        reserve(memory.list(2, 0).plain(), ledger, Integer.MAX_VALUE);
        assertThat(ledger.count())
                .as("all but the windows of the one that is gone")
                .isEqualTo(800);
        memory.allWindows(ORDERS);
    }

    /** For every n, pauses an agent with the old list before its n-th transaction. Meanwhile the list is changed. */
    @Test
    @Tag("faults")
    void anAgentWithTheOldListPausedAtAnyPointDoesNoHarm() throws Exception {
        for (Integer[] list : new Integer[][] {{0, 1, 2}, {0, 1, 2, 3}, {0}, {1}, {3, 1}}) {
            EachTransaction.interrupted(10, calls -> changeWhileAnAgentStandsStill(calls, list));
        }
    }

    private static boolean changeWhileAnAgentStandsStill(int calls, Integer... list) throws Exception {
        MemoryShards shards = MemoryShards.of(4);
        JdbcShards former = shards.list(0, 1).plain();
        JdbcShards present = shards.list(list).plain();
        TestShards.layOut(former, WINDOW_SIZE, 1, ORDERS, FIRST, LAST);
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        reserve(former, ledger, 150);
        Set<String> others = new HashSet<>(shards.ids(0, 1));
        others.removeAll(shards.ids(Stream.of(list).filter(index -> index < 2).toArray(Integer[]::new)));
        Limit limit = new Limit(calls, () -> {
            new JdbcSchema(present).changeShards(WINDOW_SIZE / 2, others);
            new WindowAgent(present, 2).topUp();
            reserve(present, ledger, 150);
            new WindowAgent(present, 2).topUp();
        });
        try {
            new WindowAgent(limit.shards(shards.list(0, 1)), 3).topUp();
        } catch (ShardMismatchException e) {
            assertThat(e.getMessage()).containsAnyOf("the shards were changed", "generation 2", "not the present one");
        }
        shards.allWindows(ORDERS);
        reserve(former, ledger, Integer.MAX_VALUE);
        if (limit.isReached()) {
            reserve(present, ledger, Integer.MAX_VALUE);
            shards.allWindows(ORDERS);
        }
        return limit.isReached();
    }

    /**
     * For every n, runs a change of the list and then an agent, and kills them before the n-th of all their
     * transactions. Then an agent with the former list runs, and the change is repeated.
     */
    @Test
    @Tag("faults")
    void aChangeKilledAtAnyPointIsCompletedByTheNext() throws Exception {
        EachTransaction.interrupted(20, calls -> {
            MemoryShards shards = MemoryShards.of(3);
            JdbcShards former = shards.list(0, 1).plain();
            JdbcShards present = shards.list(0, 1, 2).plain();
            TestShards.layOut(former, WINDOW_SIZE, 2, ORDERS, FIRST, LAST);
            Limit limit = new Limit(calls, WindowAgentTest::kill);
            JdbcShards limited = limit.shards(shards.list(0, 1, 2));
            killed(() -> {
                new JdbcSchema(limited).changeShards(WINDOW_SIZE);
                new WindowAgent(limited, 2).topUp();
            });
            try {
                new WindowAgent(former, 3).topUp();
            } catch (ShardMismatchException e) {
                assertThat(e).hasMessageContaining("generation 2");
            }
            new JdbcSchema(present).changeShards(WINDOW_SIZE);
            new WindowAgent(present, 3).topUp();
            requireNoGaps(shards.allWindows(ORDERS), FIRST);
            assertThat(shards.windows(2, ORDERS)).isNotEmpty();
            return limit.isReached();
        });
    }

    /** For every n, pauses an agent before its n-th transaction while the list changes twice. */
    @Test
    @Tag("faults")
    void anAgentThatStandsStillThroughTwoChangesDoesNoHarm() throws Exception {
        EachTransaction.interrupted(10, calls -> {
            MemoryShards shards = MemoryShards.of(4);
            JdbcShards first = shards.list(0, 1).plain();
            JdbcShards second = shards.list(1, 2).plain();
            JdbcShards third = shards.list(2, 3).plain();
            new JdbcSchema(first).create(WINDOW_SIZE);
            new WindowAgent(first, 1).topUp();
            new JdbcSchema(first).defineSequence(ORDERS, FIRST, LAST);
            Set<String> ofFirst = shards.ids(0);
            Set<String> ofSecond = shards.ids(1);
            AtomicInteger changed = new AtomicInteger();
            Limit limit = new Limit(calls, () -> {
                new JdbcSchema(second).changeShards(WINDOW_SIZE, ofFirst);
                new WindowAgent(second, 1).topUp();
                new JdbcSchema(third).changeShards(WINDOW_SIZE, ofSecond);
                new WindowAgent(third, 1).topUp();
                new JdbcSchema(third).defineSequence(ORDERS, FIRST, LAST);
                new WindowAgent(third, 1).topUp();
                changed.set(1);
            });
            try {
                new WindowAgent(limit.shards(shards.list(0, 1)), 1).topUp();
            } catch (ShardMismatchException e) {
                assertThat(changed).as("%s", e).hasValue(1);
            }
            shards.allWindows(ORDERS);
            return limit.isReached();
        });
    }

    /** The lists differ only in the IDs of their databases, not in the number of shards or the window size. */
    @Test
    @Tag("integration")
    void aShardCanBeReplacedAndTheReplacementTakenBack() throws Exception {
        create(0, 1, 2);
        agent(0, 1, 2).topUp();
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        Integer[][] lists = {{0, 1, 2}, {0, 1, 3}, {0, 1, 2}, {0, 1, 3}};
        for (int i = 1; i < lists.length; i++) {
            JdbcShards present = memory.list(lists[i]).plain();
            WindowAgent former = new WindowAgent(memory.list(lists[i - 1]).plain(), 3);
            new JdbcSchema(present).changeShards(WINDOW_SIZE);
            assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(former::topUp);
            new WindowAgent(present, 1).topUp();
            assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(former::topUp);
            reserve(present, ledger, 150);
            memory.allWindows(ORDERS);
        }
    }

    /** A wrong address may lead to an empty database, in which an application creates the tables when it starts. */
    @Test
    void anEmptyDatabaseDoesNotBecomeAShardOfAListThatIsInUse() {
        create(0, 1, 2);
        agent(0, 1, 2).topUp();
        assertRefused(() -> schema(0, 1, 3).create(WINDOW_SIZE), "shard 2 of 3 is new");
        assertRefused(() -> agent(0, 1, 3).topUp());
        schema(0, 1, 2).create(WINDOW_SIZE);
        assertThat(agent(0, 1, 2).topUp().sequences()).isEqualTo(1);
    }

    @Test
    void aChangeToAListWithADatabaseTwiceChangesNothing() {
        create(0, 1);
        agent(0, 1).topUp();
        for (JdbcSchema twice : List.of(schema(0, 0), schema(0, 1, 0), schema(0, 1, 2, 2))) {
            assertRefused(() -> twice.changeShards(WINDOW_SIZE), "twice");
            assertThat(agent(0, 1).topUp().sequences()).isEqualTo(1);
        }
        schema(0, 1, 3).changeShards(WINDOW_SIZE);
        assertThat(agent(0, 1, 3).topUp().windows()).isEqualTo(3);
    }

    @Test
    void aChangeNeedsTheFormerOneToBeComplete() throws Exception {
        create(0, 1);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> schema(0, 1, 2).changeShards(WINDOW_SIZE))
                .withMessageContaining("no window agent has run since generation 1 on shard 0 of 3");
        agent(0, 1).topUp();
        schema(1, 2).changeShards(WINDOW_SIZE, memory.ids(0));
        assertRefused(() -> schema(2, 3).changeShards(WINDOW_SIZE), "no window agent has run since generation 2");
        assertRefused(() -> schema(3).changeShards(WINDOW_SIZE), "call create instead");
    }

    /**
     * Because a change must keep more than half of the list, two changes of one list share a database, which accepts
     * only the first change.
     */
    @Test
    void aChangeKeepsMoreThanHalfOfTheListButForWhatIsGivenUp() throws Exception {
        create(0, 1);
        agent(0, 1).topUp();
        for (JdbcSchema half : List.of(schema(0), schema(1), schema(1, 2), schema(2, 0))) {
            assertThatExceptionOfType(ShardMismatchException.class)
                    .isThrownBy(() -> half.changeShards(WINDOW_SIZE))
                    .withMessageContaining("keeps 1 of 2 databases of the present one")
                    .withMessageContaining("must keep more than half");
        }
        schema(0).changeShards(WINDOW_SIZE, memory.ids(1));
        assertThat(agent(0).topUp().sequences()).isEqualTo(1);
    }

    @Test
    void creatingIsNoChange() {
        create(0, 1);
        schema(0, 1).create(WINDOW_SIZE);
        for (JdbcSchema other : List.of(schema(1, 0), schema(0, 1, 2), schema(0))) {
            assertRefused(() -> other.create(WINDOW_SIZE), "is shard");
        }
        assertRefused(() -> schema(0, 1).create(WINDOW_SIZE + 1), "windows of 101");
        agent(0, 1).topUp();
        schema(0, 1, 2).changeShards(WINDOW_SIZE);
        schema(0, 1, 2).create(WINDOW_SIZE);
        assertRefused(() -> schema(3, 1).create(WINDOW_SIZE), "generation 2");
    }

    // --- losses

    @Test
    void aShardThatLostItsRowsGetsNewWindowsOnly() throws Exception {
        create(0, 1, 2);
        JdbcShards plain = memory.list(0, 1, 2).plain();
        new WindowAgent(plain, 2).topUp();
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        reserve(plain, ledger, 600);
        assertThat(ledger.count()).isEqualTo(600);
        memory.execute(1, "DELETE FROM id_sequences");
        memory.execute(1, "DELETE FROM id_sequences_names");
        for (int i = 0; i < 3; i++) {
            new WindowAgent(plain, 1).topUp();
        }
        assertThat(memory.windows(1, ORDERS).stream().filter(Window::isOpen)).hasSize(1);
        new WindowAgent(plain, 100).topUp();
        reserve(plain, ledger, Integer.MAX_VALUE);
        ledger.requireAll();
    }

    @Test
    void aSequenceThatWasDeletedAndDefinedAnewBeginsAboveTheWindowsThatAreLeft() throws Exception {
        create(0, 1);
        JdbcShards plain = memory.list(0, 1).plain();
        new WindowAgent(plain, 2).topUp();
        BlockLedger ledger = new BlockLedger(FIRST - 50, LAST);
        reserve(plain, ledger, 400);
        for (int shard = 0; shard < 2; shard++) {
            memory.execute(shard, "DELETE FROM id_sequences_names");
        }
        schema(0, 1).defineSequence(ORDERS, FIRST - 50, LAST);
        new WindowAgent(plain, 2).topUp();
        memory.allWindows(ORDERS);
        reserve(plain, ledger, 400);
        assertThat(ledger.count()).isEqualTo(800);
    }

    /** The restore takes back the shard's announced ends of windows, too, and the server stays the same. */
    @Test
    void aShardThatWasRestoredFromABackupIsNoticedAndClosed() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(3);
        JdbcShards plain = databases.list(0, 1, 2);
        TestShards.layOut(plain, WINDOW_SIZE, 1, ORDERS, FIRST, LAST);
        TableCopy backup = databases.state(1);
        new WindowAgent(plain, 3).topUp();
        databases.restore(1, backup);
        List<Window> before = databases.memory().allWindows(ORDERS);
        assertRefused(() -> new WindowAgent(plain, 3).topUp(), "sequence orders on shard 1 of 3", "backup");
        assertThat(databases.memory().allWindows(ORDERS)).hasSameSizeAs(before);
        assertThat(databases.memory().windows(1, ORDERS)).noneMatch(Window::isOpen);
        assertThat(new WindowAgent(plain, 1).topUp().windows()).isPositive();
        assertThat(databases.memory().windows(1, ORDERS).stream().filter(Window::isOpen))
                .allMatch(window -> window.start() >= 5_901);
    }

    // --- unreachable shards, and shards with a high demand

    private static final long FAR = 10_000_000;

    @Test
    void whileAShardIsLockedTheOthersGetTheWindowsThatWereAnnounced() throws Exception {
        JdbcShards shards = memory.list(0, 1).of(url -> UrlDataSource.of(url + ";LOCK_TIMEOUT=50", null, null));
        TestShards.layOut(shards, WINDOW_SIZE, 3, ORDERS, 1, FAR);
        try (Connection connection = memory.connect(0);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM id_sequences_names FOR UPDATE");
            // 15 windows of each shard are announced already: the three of the layout, and four more for each of them.
            // An agent announces more if fewer than three times the wanted open windows are announced. For five wanted
            // windows, 15 are enough; for eight, it needs 24. Both runs fail at the locked shard 0, but insert all
            // wanted windows into shard 1.
            for (int open : List.of(5, 8)) {
                assertFails(BlockStoreException.class, () -> new WindowAgent(shards, open).topUp(), "shard 0 of 2");
                assertThat(memory.windows(0, ORDERS)).hasSize(3);
                assertThat(memory.windows(1, ORDERS)).hasSize(open);
            }
            connection.rollback();
        }
        new WindowAgent(shards, 8).topUp();
        assertThat(memory.windows(0, ORDERS)).hasSize(8);
        requireAllAnnounced(memory, 2);
        memory.allWindows(ORDERS);
    }

    @Test
    void whileAShardIsAwayTheOthersGetTheWindowsThatWereAnnounced() throws Exception {
        AtomicBoolean isAway = new AtomicBoolean();
        JdbcShards shards = memory.list(0, 1, 2).without(1, isAway);
        TestShards.layOut(shards, WINDOW_SIZE, 3, ORDERS, 1, FAR);
        BlockLedger ledger = new BlockLedger(1, FAR);
        isAway.set(true);
        // Three rounds of windows are inserted, and twelve more rounds are announced in advance.
        int used = 0;
        for (int i = 0; i < 10; i++) {
            used += reserveAll(0, ledger) + reserveAll(2, ledger);
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> new WindowAgent(shards, 3).topUp())
                    .withMessageContaining("shard 1 of 3")
                    .withMessageContaining("cannot be reached or refuses: it is away");
        }
        assertThat(used).isEqualTo(2 * 15);
        requireAllAnnounced(memory, 3);
        isAway.set(false);
        new WindowAgent(shards, 3).topUp();
        used = reserveAll(0, ledger) + reserveAll(1, ledger) + reserveAll(2, ledger);
        assertThat(used).as("the windows of the shard that was away, too").isEqualTo(18 + 2 * 3);
        memory.allWindows(ORDERS);
    }

    /** Each statement lets the agent refuse shard 1; the message contains the reason. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE losing SET loss = 'a setting by which it loses commits' | has a setting by which it loses commits
            DELETE FROM id_sequences_shard                                 | has no record of which shard it is
            DROP TABLE id_sequences_shard                                  | has no table id_sequences_shard
            DELETE FROM id_sequences_database                              | has no row in id_sequences_database
            UPDATE id_sequences_database SET database_id = 'another'       | has the ID another
            UPDATE id_sequences_shard SET shard_index = 0                  | are addresses in another order
            DROP TABLE id_sequences_names CASCADE                          | ID_SEQUENCES_NAMES
            """)
    void whileAShardIsRefusedTheOthersGetTheWindowsThatWereAnnounced(String statement, String reason) throws Exception {
        for (int i = 0; i < 3; i++) {
            memory.execute(i, "CREATE TABLE losing (loss VARCHAR(50))", "INSERT INTO losing VALUES (NULL)");
        }
        JdbcShards shards = losing();
        TestShards.layOut(shards, WINDOW_SIZE, 3, ORDERS, 1, FAR);
        new JdbcSchema(shards).defineSequence("tickets", 1, FAR);
        new WindowAgent(shards, 3).topUp();
        memory.execute(1, statement);
        BlockLedger ledger = new BlockLedger(1, FAR);
        for (int i = 0; i < 3; i++) {
            reserveAll(0, ledger);
            reserveAll(2, ledger);
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> new WindowAgent(shards, 3).topUp())
                    .withMessageContaining("shard 1 of 3")
                    .withMessageContaining(reason)
                    .withMessageContaining("the other shards have the windows that all shards had announced");
            for (int shard : new int[] {0, 2}) {
                for (String sequence : List.of(ORDERS, "tickets")) {
                    assertThat(memory.windows(shard, sequence))
                            .filteredOn(Window::isOpen)
                            .hasSizeGreaterThanOrEqualTo(3);
                }
            }
            memory.allWindows(ORDERS);
        }
    }

    private JdbcShards losing() {
        JdbcShards.Builder builder = JdbcShards.builder()
                .dialect(Dialect.builder("H2 that may lose commits")
                        .script(Dialect.resource("postgresql.sql"))
                        .lock("SELECT window_start_value, window_end_value, next_hi_value, give_backs, {state}"
                                + " FROM id_sequences WHERE sequence_name = :sequence"
                                + " AND next_hi_value < window_end_value AND window_start_value >= :from"
                                + " ORDER BY window_start_value LIMIT 1 FOR UPDATE{skip locked}")
                        .server("'H2'")
                        .lossQuery("SELECT loss FROM losing WHERE loss IS NOT NULL")
                        .build());
        for (int i = 0; i < 3; i++) {
            builder.shard(UrlDataSource.of(memory.url(i), null, null));
        }
        return builder.build();
    }

    /** Two of three shards fail over. The third alone is too few to have a bound for them. */
    @Test
    void aShardThatNobodyCanRecoverKeepsNoOtherFromItsWindows() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(3);
        JdbcShards shards = databases.list(0, 1, 2);
        TestShards.layOut(shards, WINDOW_SIZE, 3, ORDERS, 1, FAR);
        databases.failOver(1);
        databases.failOver(2);
        databases.memory().execute(0, "UPDATE id_sequences SET next_hi_value = window_end_value");
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> new WindowAgent(shards, 3).topUp())
                .satisfies(e -> assertThat(Stream.concat(Stream.of(e), Stream.of(e.getSuppressed())))
                        .extracting(Throwable::getMessage)
                        .anyMatch(message -> message.contains("shard 1 of 3 ran on server"))
                        .anyMatch(message -> message.contains("shard 2 of 3 ran on server")));
        assertThat(databases.memory().windows(0, ORDERS))
                .filteredOn(Window::isOpen)
                .hasSize(3);
        databases.memory().allWindows(ORDERS);
    }

    /** Shard 1 has lost windows of one sequence, and too few shards are left to recover it. */
    @Test
    void aSequenceWithLostWindowsGetsWindowsInTheOtherShards() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(3);
        JdbcShards shards = databases.list(0, 1, 2);
        TestShards.layOut(shards, WINDOW_SIZE, 3, ORDERS, 1, FAR);
        databases.memory().execute(1, "UPDATE id_sequences_names SET announced_value = 201, complete_value = 201");
        databases.memory().execute(1, "DELETE FROM id_sequences WHERE window_start_value > 200");
        databases.failOver(2);
        databases.memory().execute(0, "UPDATE id_sequences SET next_hi_value = window_end_value");
        assertFails(BlockStoreException.class, () -> new WindowAgent(shards, 3).topUp(), "shard 1 of 3");
        assertThat(databases.memory().windows(0, ORDERS))
                .filteredOn(Window::isOpen)
                .hasSizeGreaterThanOrEqualTo(3);
        databases.memory().allWindows(ORDERS);
    }

    /** Reserves all integers of a shard's open windows. Returns the number of these windows. */
    private int reserveAll(int index, BlockLedger ledger) throws SQLException {
        int used = 0;
        for (Window window : memory.windows(index, ORDERS)) {
            if (window.isOpen()) {
                ledger.add(Block.of(window.next(), window.end() - 1));
                used++;
            }
        }
        memory.execute(index, "UPDATE id_sequences SET next_hi_value = window_end_value");
        return used;
    }

    /** The killed agent may have announced windows in some shards only. */
    @Test
    @Tag("integration")
    void withoutAShardNothingIsLaidOutThatItMayNotKnow() throws Exception {
        for (int calls = 0; ; calls++) {
            MemoryShards shards = MemoryShards.of(3);
            AtomicBoolean isAway = new AtomicBoolean();
            JdbcShards reached = shards.list(0, 1, 2).without(1, isAway);
            TestShards.define(reached, WINDOW_SIZE, ORDERS, 1, FAR);
            Limit limit = new Limit(calls, WindowAgentTest::kill);
            killed(() -> new WindowAgent(limit.shards(shards.list(0, 1, 2)), 2).topUp());
            isAway.set(true);
            assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> new WindowAgent(reached, 20).topUp());
            requireAllAnnounced(shards, 3);
            if (!limit.isReached()) {
                assertThat(shards.windows(0, ORDERS)).hasSizeGreaterThan(2);
                return;
            }
        }
    }

    @Test
    void moreWindowsAreLaidOutWhereTheyAreUsedFast() throws Exception {
        JdbcShards shards = memory.list(0, 1).plain();
        schema(0, 1).create(WINDOW_SIZE);
        schema(0, 1).defineSequence(ORDERS, 1, FAR);
        WindowAgent agent = new WindowAgent(shards, 2);
        BlockLedger ledger = new BlockLedger(1, FAR);
        agent.topUp();
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reserveAll(1, ledger);
            agent.topUp();
            open.add(reserveAll(1, ledger));
            agent.topUp();
        }
        assertThat(open).as("twice as many with each run").containsExactly(4, 16, 64, 256);
        for (int i = 0; i < 12; i++) {
            agent.topUp();
        }
        reserveAll(1, ledger);
        assertThat(agent.topUp().windows()).as("when none was used for a while").isEqualTo(2 * 4);
    }

    // --- two lists

    @Test
    void twoListsThatShareADatabaseAreRefused() {
        create(0, 1, 2);
        String list = "is shard 0 of 3 with windows of 100 since generation 1, of the list [";
        assertRefused(() -> schema(0, 1, 3).create(WINDOW_SIZE), list, "and not of this list, [");
        assertRefused(() -> agent(0, 1, 3).topUp());
        agent(0, 1, 2).topUp();
        schema(1, 2, 3).changeShards(WINDOW_SIZE);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> schema(0, 1, 2, 3).changeShards(WINDOW_SIZE))
                .withMessageContaining("no window agent has run since generation 2")
                .withMessageContaining("run one with the list of that generation first, [")
                .withMessageContaining("the new list is [");
        agent(1, 2, 3).topUp();
        schema(0, 1, 2, 3).changeShards(WINDOW_SIZE);
        assertThat(agent(0, 1, 2, 3).topUp().sequences()).isEqualTo(1);
    }

    /**
     * For every n, pauses the change or creation of a list before its n-th transaction. Meanwhile another list is made.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("faults")
    void ofTwoListsAtATimeOneIsTakenAtMost(boolean isChange) throws Exception {
        EachTransaction.interrupted(10, calls -> {
            MemoryShards shards = MemoryShards.of(4);
            if (isChange) {
                JdbcShards former = shards.list(0, 1).plain();
                TestShards.layOut(former, WINDOW_SIZE, 1, ORDERS, FIRST, LAST);
            }
            JdbcShards other = shards.list(0, 1, 3).plain();
            Limit limit = new Limit(calls, () -> attempt(() -> makeList(other, isChange)));
            attempt(() -> makeList(limit.shards(shards.list(0, 1, 2)), isChange));
            List<JdbcShards> working = new ArrayList<>();
            for (JdbcShards list : List.of(shards.list(0, 1, 2).plain(), other)) {
                attempt(() -> {
                    new JdbcSchema(list).defineSequence(ORDERS, FIRST, LAST);
                    new WindowAgent(list, 2).topUp();
                    working.add(list);
                });
            }
            assertThat(working)
                    .as("lists with windows after %s statements", calls)
                    .hasSize(1);
            shards.allWindows(ORDERS);
            return limit.isReached();
        });
    }

    private static void makeList(JdbcShards list, boolean isChange) {
        if (isChange) {
            new JdbcSchema(list).changeShards(WINDOW_SIZE);
        } else {
            new JdbcSchema(list).create(WINDOW_SIZE);
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (NonTransientBlockStoreException e) {
            // Expected for one of the two lists: the databases have accepted the other one.
        }
    }
}
