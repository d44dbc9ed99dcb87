// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.jdbc.MemoryShards.Window;
import com.noctarius.snowcast.store.BlockStoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * During a call of an agent or a schema, connections to shard 0 lead to the tables of another installation, for example
 * because another schema comes first in the search path. The tables look alike: they have the same server, generation
 * and sequences.
 */
class OtherTablesTest {
    private static final String ORDERS = "orders";
    private static final int WINDOW_SIZE = 100;
    private static final String CHANGED_SERVER = "UPDATE id_sequences_database SET server_id = 'former'";

    private final MemoryShards own = MemoryShards.of(2);
    private final MemoryShards other = MemoryShards.of(2);
    private final AtomicBoolean isAway = new AtomicBoolean();

    /** A call, and the state of the tables before it. */
    private enum Scenario {
        ANNOUNCES,
        /** Shard 1 has a sequence that shard 0 and the other installation lack. */
        DEFINES {
            @Override
            void begin(OtherTablesTest test) throws SQLException {
                test.own.execute(
                        1,
                        "INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value)"
                                + " VALUES ('tickets', 1, 9000)");
            }
        },
        /** All shards have announced the open windows only. The other installation has announced more. */
        INSERTS_WITHOUT_A_SHARD {
            @Override
            void begin(OtherTablesTest test) throws SQLException {
                test.own.execute(0, announced(1_001));
                test.own.execute(1, announced(1_001));
                test.other.execute(0, announced(50_001));
                test.isAway.set(true);
            }
        },
        /** Both installations have changed their lists, and no agent has run since. */
        MOVES_TO_THE_NEXT_LIST {
            @Override
            void begin(OtherTablesTest test) {
                changeList(test.own.list(0, 1).plain());
                changeList(test.other.list(0, 1).plain());
            }
        },
        CHANGES_THE_LIST {
            @Override
            void run(JdbcShards shards) {
                changeList(shards);
            }
        },
        /** The servers of both installations have changed. */
        RECOVERS {
            @Override
            void begin(OtherTablesTest test) throws SQLException {
                test.own.execute(0, CHANGED_SERVER);
                test.other.execute(0, CHANGED_SERVER);
            }
        },
        /** Shard 1 has lost windows, and shard 0 has their upper bound. That of the other installation is lower. */
        GIVES_A_BOUND {
            @Override
            void begin(OtherTablesTest test) throws SQLException {
                test.own.execute(
                        1, CHANGED_SERVER, announced(501), "DELETE FROM id_sequences WHERE window_start_value > 500");
                test.other.execute(0, announced(501));
            }
        };

        void begin(OtherTablesTest test) throws SQLException {}

        void run(JdbcShards shards) {
            new WindowAgent(shards, 5).topUp();
        }

        private static void changeList(JdbcShards shards) {
            new JdbcSchema(shards).changeShards(2 * WINDOW_SIZE);
        }
    }

    private static String announced(long end) {
        return "UPDATE id_sequences_names SET announced_value = " + end + ", complete_value = " + end
                + " WHERE sequence_name = '" + ORDERS + "'";
    }

    /** For every n, either the n-th connection to shard 0 leads to the other tables, or that one and all later ones. */
    @ParameterizedTest
    @EnumSource
    @Tag("faults")
    void aCallChangesNothingInOtherTables(Scenario scenario) throws Exception {
        for (boolean isOne : new boolean[] {true, false}) {
            AtomicInteger left = new AtomicInteger();
            for (int before = 0; left.get() <= 0; before++) {
                String state = (isOne ? "one connection after " : "all connections after ") + before;
                layOut(own);
                layOut(other);
                own.execute(0, "UPDATE id_sequences SET next_hi_value = window_end_value");
                List<Window> windows = own.windows(1, ORDERS);
                scenario.begin(this);
                List<Window> lost = new ArrayList<>(windows);
                lost.removeAll(own.windows(1, ORDERS));
                List<String> others = rows();
                left.set(before + 1);
                try {
                    scenario.run(moving(left, isOne));
                } catch (BlockStoreException e) {
                    assertThat(e).as(state).hasMessageContaining("shard");
                }
                assertThat(rows()).as(state).isEqualTo(others);
                if (lost.isEmpty()) {
                    requireBounds(state, lost);
                }
                isAway.set(false);
                scenario.run(own.list(0, 1).plain());
                new WindowAgent(own.list(0, 1).plain(), 5).topUp();
                requireBounds(state + ", and then a run", lost);
            }
        }
    }

    private static void layOut(MemoryShards shards) throws SQLException {
        shards.execute(0, "DROP ALL OBJECTS");
        shards.execute(1, "DROP ALL OBJECTS");
        TestShards.layOut(shards.list(0, 1).plain(), WINDOW_SIZE, 5, ORDERS, 1, 100_000);
    }

    private JdbcShards moving(AtomicInteger left, boolean isOne) {
        DataSource first = Connections.choosing(() -> {
            int remaining = left.decrementAndGet();
            boolean isElsewhere = isOne ? remaining == 0 : remaining <= 0;
            return (isElsewhere ? other : own).connect(0);
        });
        TestShards list = own.list(0, 1);
        return list.of(List.of(first, Connections.away(list.connections(own.url(1)), isAway)));
    }

    /** Returns the rows of the tables to which the connections may lead. */
    private List<String> rows() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = other.connect(0);
                Statement statement = connection.createStatement();
                ResultSet script = statement.executeQuery("SCRIPT")) {
            while (script.next()) {
                rows.add(script.getString(1));
            }
        }
        return rows;
    }

    /** Asserts that both shards have bounds above all windows, and that no lost window was inserted again. */
    private void requireBounds(String state, List<Window> lost) throws SQLException {
        List<Window> windows = own.allWindows(ORDERS);
        assertThat(windows).as(state).noneMatch(lost::contains);
        for (int i = 0; i < 2; i++) {
            assertThat(own.number(i, "SELECT announced_value FROM id_sequences_names WHERE sequence_name = 'orders'"))
                    .as(state)
                    .isGreaterThanOrEqualTo(windows.get(windows.size() - 1).end());
        }
    }
}
