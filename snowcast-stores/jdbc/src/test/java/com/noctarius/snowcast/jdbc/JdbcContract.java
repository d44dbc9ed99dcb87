// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Runs the contract tests on three shards of one kind of database. In tests of block stores, two agents run meanwhile.
 */
@Tag("integration")
abstract class JdbcContract extends BlockStoreContract implements DialectContract, JdbcSnowcastContract {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final int WINDOW_SIZE = 1_500;
    /** The pools that all tests share, by URL: those of agents and of stores. Opening connections takes long. */
    private static final Map<String, HikariDataSource> SHARED = new ConcurrentHashMap<>();

    private static final Map<String, HikariDataSource> OF_STORES = new ConcurrentHashMap<>();

    private final List<AgentThread> agents = new ArrayList<>();
    private final String table = tablePrefix() + TABLES.incrementAndGet();
    private final List<String> urls;
    private final String shortLockTimeout;
    private final String longLockTimeout;
    private boolean prepared;

    JdbcContract(List<String> urls, String shortLockTimeout, String longLockTimeout) {
        this.urls = urls;
        this.shortLockTimeout = shortLockTimeout;
        this.longLockTimeout = longLockTimeout;
    }

    @Override
    public List<String> urls() {
        return urls;
    }

    @Override
    public String shortLockTimeout() {
        return shortLockTimeout;
    }

    @Override
    public String longLockTimeout() {
        return longLockTimeout;
    }

    @AfterAll
    static void closeShared() {
        for (Map<String, HikariDataSource> pools : List.of(SHARED, OF_STORES)) {
            pools.values().forEach(HikariDataSource::close);
            pools.clear();
        }
    }

    String tablePrefix() {
        return "ids";
    }

    @Override
    public String table() {
        return table;
    }

    @Override
    public JdbcShards shared(TestShards list) {
        return list.of(this::sharedPool);
    }

    @Override
    public HikariDataSource sharedPool(String url) {
        return SHARED.computeIfAbsent(url, JdbcContract::pool);
    }

    private static HikariDataSource poolOfStores(String url) {
        return OF_STORES.computeIfAbsent(url, JdbcContract::pool);
    }

    private static HikariDataSource pool(String url) {
        return TestShards.pool(url, 8, Duration.ofMinutes(2));
    }

    private TestShards shards() {
        return TestShards.patient(table, urls());
    }

    @Override
    protected BlockStore open(long first, long last, String... sequences) {
        prepare(first, last, sequences);
        return new JdbcBlockStore(shards().of(JdbcContract::poolOfStores));
    }

    /** Creates the tables of a test. Each test has its own tables, so that agents have few windows to insert. */
    private void prepare(long first, long last, String... sequences) {
        if (prepared) {
            return;
        }
        JdbcShards shared = shared(shards());
        JdbcSchema schema = new JdbcSchema(shared);
        schema.create(WINDOW_SIZE);
        for (String sequence : sequences) {
            schema.defineSequence(sequence, first, last);
        }
        for (int openWindows = 2; openWindows <= 3; openWindows++) {
            agents.add(AgentThread.start(new WindowAgent(shared, openWindows)));
        }
        prepared = true;
    }

    @AfterEach
    void closeAll() {
        agents.forEach(AgentThread::close);
    }

    @Override
    protected Optional<BlockStore> openLosingAnswers(
            BooleanSupplier losesAnswer, long first, long last, String... sequences) {
        prepare(first, last, sequences);
        Connections.Event loss = () -> {
            if (losesAnswer.getAsBoolean()) {
                throw new SQLException("the connection broke after the commit", "08007");
            }
        };
        List<DataSource> losing = new ArrayList<>();
        for (String url : urls()) {
            losing.add(Connections.around(poolOfStores(url), (connection, method, call) -> {
                Object result = call.proceed();
                if (method.equals("commit")) {
                    loss.happens();
                }
                // In auto-commit mode, each statement commits, so its answer may be lost, too.
                return method.equals("prepareStatement") && connection.getAutoCommit()
                        ? Connections.after((PreparedStatement) Objects.requireNonNull(result), loss)
                        : result;
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

    /** Runs the body while a transaction is open on a connection from each of the stores' pools. */
    @Override
    protected boolean runAndRollBack(Body body) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try {
            for (String url : urls) {
                Connection connection = poolOfStores(url).getConnection();
                connections.add(connection);
                try (Statement statement = connection.createStatement()) {
                    // Make the transaction take its snapshot before the reservations.
                    statement.executeUpdate("INSERT INTO " + table
                            + "_names (sequence_name, lowest_value, highest_value) VALUES ('rolled back', 1, 1)");
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
