// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** The contract on three shards of one kind of database, with two agents that are always at work. */
abstract class JdbcContract extends BlockStoreContract {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final int WINDOW_SIZE = 1_500;

    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final String table = "ids" + TABLES.incrementAndGet();
    private boolean prepared;

    /** The URLs of three databases. */
    abstract List<String> urls();

    private TestShards shards() {
        return TestShards.of(table, urls());
    }

    @Override
    protected BlockStore open(long first, long last, String... sequences) {
        prepare(first, last, sequences);
        return new JdbcBlockStore(shards().of(this::pool));
    }

    private DataSource pool(String url) {
        HikariDataSource pool = TestShards.pool(url, 4);
        pools.add(pool);
        return pool;
    }

    /** Tables of its own for each test, so that agents have little to do. */
    private void prepare(long first, long last, String... sequences) {
        if (prepared) {
            return;
        }
        JdbcSchema schema = new JdbcSchema(shards().plain());
        schema.create(WINDOW_SIZE);
        for (String sequence : sequences) {
            schema.defineSequence(sequence, first, last);
        }
        WindowAgent agent = new WindowAgent(shards().plain(), 3);
        agent.topUp();
        resources.add(AgentThread.start(agent));
        resources.add(AgentThread.start(new WindowAgent(shards().plain(), 2)));
        prepared = true;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        pools.forEach(HikariDataSource::close);
    }

    @Override
    protected Optional<BlockStore> openLosingAnswers(
            BooleanSupplier losesAnswer, long first, long last, String... sequences) {
        prepare(first, last, sequences);
        List<DataSource> losing = new ArrayList<>();
        for (String url : urls()) {
            losing.add(Connections.around(pool(url), (connection, method, call) -> {
                Object result = call.proceed();
                if (method.equals("commit") && losesAnswer.getAsBoolean()) {
                    throw new SQLException("the connection broke after the commit", "08007");
                }
                return result;
            }));
        }
        return Optional.of(new JdbcBlockStore(shards().of(losing)));
    }

    @Override
    protected Optional<OtherProcess> otherProcess() {
        List<String> arguments = new ArrayList<>(List.of(table));
        arguments.addAll(urls());
        return Optional.of(new OtherProcess(JdbcOpener.class, arguments));
    }

    /** In the pools of the store itself, one in each shard. */
    @Override
    protected boolean runAndRollBack(Body body) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try {
            for (HikariDataSource pool : pools) {
                Connection connection = pool.getConnection();
                connections.add(connection);
                try (Statement statement = connection.createStatement()) {
                    // Sees a state of the database from before the reservations, and has changed something.
                    statement.executeUpdate("INSERT INTO " + table
                            + "_names (sequence_name, first_value, last_value) VALUES ('rolled back', 1, 1)");
                }
            }
            body.run();
            for (Connection connection : connections) {
                connection.rollback();
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        return true;
    }
}
