// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.jdbc;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.ScheduledWindowAgent;
import com.noctarius.snowcast.jdbc.WindowAgent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** An order table with 32-bit keys from three shards. The keys are unique, so the table may be sharded, too. */
public final class OrderTable {
    private static final int SHARDS = 3;
    private static final int PROCESSES = 3;
    private static final int ORDERS_OF_EACH = 2_000;

    private OrderTable() {}

    /**
     * Runs the example.
     *
     * @param arguments none
     * @throws Exception if something fails; the JVM then exits with a code other than 0
     */
    public static void main(String[] arguments) throws Exception {
        List<DataSource> databases = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            databases.add(JdbcConnectionPool.create("jdbc:h2:mem:shop" + i + ";DB_CLOSE_DELAY=-1", "sa", ""));
        }
        JdbcShards shards = JdbcShards.of(databases.toArray(DataSource[]::new));

        // An application does this once, at deployment. Doing it again does no harm.
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(10_000);
        schema.defineSequence("orders", 1, Integer.MAX_VALUE);

        // An agent must run regularly: in each process, as here, or as a cron job.
        WindowAgent agent = new WindowAgent(shards, 3);
        agent.topUp();
        ScheduledWindowAgent scheduled = agent.schedule(Duration.ofMinutes(1));
        try {
            for (DataSource database : databases) {
                execute(database, "CREATE TABLE orders (id INT PRIMARY KEY, item VARCHAR(100) NOT NULL)");
            }
            for (int process = 0; process < PROCESSES; process++) {
                insertOrders(shards, databases, process);
            }
        } finally {
            scheduled.close();
        }
        report(databases);
    }

    /** The work of one process: it takes keys from the shards, and inserts orders. */
    private static void insertOrders(JdbcShards shards, List<DataSource> databases, int process) throws Exception {
        try (IntegerSequence orders = SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("orders")
                .blockSize(500)
                .store(new JdbcBlockStore(shards))
                .build())) {
            for (int i = 0; i < ORDERS_OF_EACH; i++) {
                int id = orders.nextInt();
                // The order may go to any database, because its key is unique across all of them.
                insert(databases.get(i % databases.size()), id, "item " + i + " of process " + process);
            }
        }
    }

    private static void insert(DataSource database, int id, String item) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id, item) VALUES (?, ?)")) {
            insert.setInt(1, id);
            insert.setString(2, item);
            insert.executeUpdate();
        }
    }

    private static void report(List<DataSource> databases) throws SQLException {
        long rows = 0;
        List<Integer> ids = new ArrayList<>();
        for (DataSource database : databases) {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM orders")) {
                while (row.next()) {
                    rows++;
                    ids.add(row.getInt(1));
                }
            }
        }
        long distinct = ids.stream().distinct().count();
        System.out.println(rows + " orders in " + databases.size() + " databases, " + distinct
                + " different identifiers, from "
                + ids.stream().min(Integer::compare).orElseThrow() + " to "
                + ids.stream().max(Integer::compare).orElseThrow());
        if (rows != (long) PROCESSES * ORDERS_OF_EACH || distinct != rows) {
            throw new IllegalStateException("identifiers came twice");
        }
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
