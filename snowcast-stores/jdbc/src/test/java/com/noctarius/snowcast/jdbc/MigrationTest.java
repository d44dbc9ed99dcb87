// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.tests.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the statements in docs/migration/databases.md on real servers, with tables that have rows. The document's
 * statements set a fence: a value that separates the keys of the old version from those of the new one. Two writers of
 * the old version insert rows until the inserts fail, because the keys reach a limit. Meanwhile two writers of the new
 * version insert rows.
 */
@Tag("integration")
class MigrationTest {
    private static final Path DOCUMENT = Path.of("../../docs/migration/databases.md");
    private static final int LAST = Integer.MAX_VALUE;
    private static final long HEADROOM = 200;
    private static final int ROWS_BEFORE = 500;
    private static final int MORE = 60;

    @TempDir
    private static Path files;

    private static @Nullable PostgresServer postgres;
    private static @Nullable MariaServer maria;
    private static @Nullable MySqlServer mySql;
    private static @Nullable H2Server h2;
    private static int databases;

    private final List<Writer> writers = new ArrayList<>();

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable server : Arrays.asList(postgres, maria, mySql, h2)) {
            if (server != null) {
                server.close();
            }
        }
    }

    @AfterEach
    void stopWriters() throws Exception {
        for (Writer writer : writers) {
            writer.stop();
        }
    }

    private static String onPostgres() throws Exception {
        postgres = postgres == null ? PostgresServer.start() : postgres;
        return postgres.createDatabase("shop" + databases++);
    }

    private static String onMaria() throws Exception {
        maria = maria == null ? MariaServer.start() : maria;
        return maria.createDatabase("shop" + databases++);
    }

    private static String onMySql() throws Exception {
        mySql = mySql == null ? MySqlServer.start() : mySql;
        return mySql.createDatabase("shop" + databases++);
    }

    private static String onH2() throws Exception {
        h2 = h2 == null ? H2Server.start(files) : h2;
        return h2.url("shop" + databases++);
    }

    // --- the statements of the document

    /**
     * Returns the statements of a section, with the given fence: the statements that set the fence, or, if
     * {@code isAfter} is true, the statements to run after the last old process has ended.
     */
    private static List<String> statements(String section, boolean isAfter, long fence) throws Exception {
        String text = Files.readString(DOCUMENT);
        int start = text.indexOf("\n## " + section + "\n");
        assertThat(start).as(section).isNotNegative();
        int end = text.indexOf("\n## ", start + 1);
        Matcher block = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
                .matcher(text.substring(start, end < 0 ? text.length() : end));
        assertThat(block.find()).isTrue();
        if (isAfter) {
            assertThat(block.find()).isTrue();
        }
        return Arrays.stream(
                        block.group(1).replace(":fence", Long.toString(fence)).split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static Connection connect(String url) throws SQLException {
        return UrlDataSource.of(url, null, null).getConnection();
    }

    /** Runs the statements for the time before the deployment. Returns the value that the document's query reads. */
    private static long setFence(String url, String section, long fence) throws Exception {
        long read = -1;
        for (String sql : statements(section, false, fence)) {
            if (sql.startsWith("SELECT")) {
                read = Sql.number(url, sql);
            } else {
                Sql.execute(url, sql);
            }
        }
        assertThat(read).isPositive();
        return read;
    }

    /**
     * Sets a fence that is {@code headroom} above the value that the document's first statement reads. If the database
     * rejects the fence, because more values were used meanwhile, retries with a higher fence.
     */
    private static long setFenceAbove(String url, String section, long headroom) throws Exception {
        for (long more = headroom; ; more *= 2) {
            long fence = Sql.number(url, statements(section, false, 0).get(0)) + more;
            try {
                setFence(url, section, fence);
                return fence;
            } catch (SQLException e) {
                assertThat(more).as("not refused for another reason: " + e).isLessThan(1_000_000);
            }
        }
    }

    // --- the writers

    /** Inserts a row, as the old or the new version does. Returns the key. */
    interface Insert {
        long into(Connection connection) throws Exception;
    }

    /** A thread that inserts rows on its own connection, until an insert fails or the test stops it. */
    private static final class Writer {
        private final Thread thread;
        private final List<Long> keys = new ArrayList<>();
        private volatile int count;
        private volatile boolean stopped;
        private volatile @Nullable Exception failure;

        Writer(String url, Insert insert) {
            this.thread = new Thread(() -> run(url, insert), "writer");
            thread.setDaemon(true);
            thread.start();
        }

        private void run(String url, Insert insert) {
            try (Connection connection = connect(url)) {
                while (!stopped) {
                    keys.add(insert.into(connection));
                    count = keys.size();
                }
            } catch (Exception e) {
                failure = e;
            }
        }

        void awaitMore(int more) {
            int goal = count + more;
            Await.until("more rows", () -> {
                if (failure != null) {
                    throw new AssertionError("it must go on", failure);
                }
                return count >= goal;
            });
        }

        void awaitFailure() {
            Await.until("it fails at the fence", () -> failure != null);
        }

        List<Long> stop() throws InterruptedException {
            stopped = true;
            thread.join();
            return keys;
        }
    }

    private Writer start(String url, Insert insert) {
        Writer writer = new Writer(url, insert);
        writers.add(writer);
        return writer;
    }

    private static long insert(Connection connection, long key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id, item) VALUES (?, 'x')")) {
            insert.setLong(1, key);
            insert.executeUpdate();
            return key;
        }
    }

    private static long insertAndAsk(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO orders (item) VALUES ('x')", Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            try (ResultSet row = insert.getGeneratedKeys()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static long nextOf(Connection connection, String sequence) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT nextval('" + sequence + "')")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Inserts blocks of {@code size} keys, as Hibernate does. */
    private static final class Blocks implements Insert {
        private final int size;
        private final Insert firstKey;
        private long next;
        private int left;

        Blocks(int size, Insert firstKey) {
            this.size = size;
            this.firstKey = firstKey;
        }

        @Override
        public long into(Connection connection) throws Exception {
            if (left == 0) {
                next = firstKey.into(connection);
                left = size;
            }
            left--;
            return insert(connection, next++);
        }
    }

    // --- the migration

    /** The value of the fence, and the first and last value of the new sequence. */
    private record Fence(String section, long value, long first, long last) {}

    private interface FenceSetting {
        Fence set() throws Exception;
    }

    /**
     * Runs the whole migration.
     *
     * @param old how each writer of the old version inserts rows. An object that keeps a block of keys, such as
     *     {@link Blocks}, may serve only one writer
     */
    private void move(String url, List<Insert> old, FenceSetting setting) throws Exception {
        List<Writer> before = new ArrayList<>();
        for (Insert insert : old) {
            before.add(start(url, insert));
        }
        for (Writer writer : before) {
            writer.awaitMore(20);
        }
        Fence fence = setting.set();
        JdbcShards shards = JdbcShards.builder()
                .shard(UrlDataSource.of(url, null, null))
                .statementTimeout(Duration.ofSeconds(30))
                .callTimeout(Duration.ofMinutes(1))
                .build();
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(10_000);
        schema.defineSequence("orders", fence.first(), fence.last());
        new WindowAgent(shards, 3).topUp();
        List<Writer> after = new ArrayList<>();
        List<Long> newKeys = new ArrayList<>();
        List<Long> oldKeys = new ArrayList<>();
        try (IntegerSequence orders = sequence(shards, fence);
                IntegerSequence others = sequence(shards, fence)) {
            for (IntegerSequence own : List.of(orders, others)) {
                after.add(start(url, connection -> insert(connection, own.next())));
            }
            for (Writer writer : after) {
                writer.awaitMore(MORE);
            }
            for (Writer writer : before) {
                writer.awaitFailure();
                oldKeys.addAll(writer.stop());
            }
            Sql.execute(url, statements(fence.section(), true, fence.value()).toArray(String[]::new));
            for (Writer writer : after) {
                writer.awaitMore(MORE);
            }
            for (Writer writer : after) {
                newKeys.addAll(writer.stop());
            }
        }
        assertThat(newKeys).allMatch(key -> key >= fence.first() && key <= fence.last());
        assertThat(oldKeys).noneMatch(key -> key >= fence.first() && key <= fence.last());
        assertThat(Sql.number(url, "SELECT COUNT(*) FROM orders"))
                .isEqualTo(ROWS_BEFORE + oldKeys.size() + newKeys.size());
    }

    private static IntegerSequence sequence(JdbcShards shards, Fence fence) {
        return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("orders")
                .firstValue(fence.first())
                .lastValue(fence.last())
                .blockSize(50)
                .store(new JdbcBlockStore(shards))
                .build());
    }

    private static void createTable(String url, String idType, Insert old) throws Exception {
        Sql.execute(url, "CREATE TABLE orders (id " + idType + " PRIMARY KEY, item VARCHAR(10) NOT NULL)");
        try (Connection connection = connect(url)) {
            connection.setAutoCommit(false);
            for (int i = 0; i < ROWS_BEFORE; i++) {
                old.into(connection);
            }
            connection.commit();
        }
    }

    // --- sequences

    private void moveFromSequence(int increment, int cache, Insert first, Insert second) throws Exception {
        String section = "A sequence of PostgreSQL";
        String url = onPostgres();
        Sql.execute(url, "CREATE SEQUENCE orders_seq START 7001 INCREMENT BY " + increment + " CACHE " + cache);
        createTable(url, "INT", connection -> insert(connection, nextOf(connection, "orders_seq")));
        move(url, List.of(first, second), () -> {
            long fence = setFenceAbove(url, section, HEADROOM);
            return new Fence(section, fence, fence + increment, LAST);
        });
    }

    /** Each session caches 20 values, some of which are not used yet when the fence is set. */
    @Test
    void fromASequenceThatSessionsCache() throws Exception {
        Insert next = connection -> insert(connection, nextOf(connection, "orders_seq"));
        moveFromSequence(1, 20, next, next);
    }

    /**
     * Hibernate uses a value of the sequence as the first or as the last key of a block. The test covers both cases.
     */
    @Test
    void fromASequenceWithAnIncrement() throws Exception {
        moveFromSequence(50, 1, pooled(0), pooled(0));
        moveFromSequence(50, 5, pooled(-49), pooled(-49));
    }

    private static Blocks pooled(int offset) {
        return new Blocks(50, connection -> nextOf(connection, "orders_seq") + offset);
    }

    // --- identity columns

    @Test
    void fromAnIdentityColumnOfPostgres() throws Exception {
        moveFromIdentity("An identity column of PostgreSQL", onPostgres(), " (START 500 CACHE 10)");
    }

    @Test
    void fromAnIdentityColumnOfH2() throws Exception {
        moveFromIdentity("An identity column of H2", onH2(), "");
    }

    private void moveFromIdentity(String section, String url, String options) throws Exception {
        createTable(url, "INT GENERATED ALWAYS AS IDENTITY" + options, MigrationTest::insertAndAsk);
        move(url, List.of(MigrationTest::insertAndAsk, MigrationTest::insertAndAsk), () -> {
            long fence = setFenceAbove(url, section, HEADROOM);
            return new Fence(section, fence, fence + 1, LAST);
        });
    }

    @Test
    void fromAnAutoIncrementColumnOfMariaDb() throws Exception {
        moveFromAutoIncrement(onMaria());
    }

    @Test
    void fromAnAutoIncrementColumnOfMySql() throws Exception {
        moveFromAutoIncrement(onMySql());
    }

    private void moveFromAutoIncrement(String url) throws Exception {
        String section = "An AUTO_INCREMENT column of MariaDB or MySQL";
        createTable(url, "INT NOT NULL AUTO_INCREMENT", MigrationTest::insertAndAsk);
        move(url, List.of(MigrationTest::insertAndAsk, MigrationTest::insertAndAsk), () -> {
            long fence = LAST - HEADROOM;
            long first = setFence(url, section, fence);
            return new Fence(section, fence, first, fence - 1);
        });
    }

    // --- hi-lo tables

    /** Takes a value from the row of the table, as Hibernate's TableGenerator does. */
    private static long takeValue(Connection connection, int step) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            long value;
            try (ResultSet row = statement.executeQuery(
                    "SELECT next_val FROM hibernate_sequences WHERE sequence_name = 'orders' FOR UPDATE")) {
                row.next();
                value = row.getLong(1);
            }
            statement.executeUpdate(
                    "UPDATE hibernate_sequences SET next_val = " + (value + step) + " WHERE sequence_name = 'orders'");
            connection.commit();
            return value;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    /** Each block begins at {@code value * factor + offset}, and adds {@code step} to the value in the row. */
    private static Blocks hiLo(int size, int step, int factor, int offset) {
        return new Blocks(size, connection -> takeValue(connection, step) * factor + offset);
    }

    private void moveFromHiLo(String url, int factor, List<Insert> old) throws Exception {
        String section = "A hi-lo table";
        Sql.execute(
                url,
                "CREATE TABLE hibernate_sequences (sequence_name VARCHAR(100) PRIMARY KEY, next_val BIGINT NOT NULL)",
                "INSERT INTO hibernate_sequences VALUES ('orders', 1001), ('others', 900000000)");
        createTable(url, "INT", old.get(0));
        move(url, old, () -> {
            long fence = setFenceAbove(url, section, HEADROOM / factor);
            return new Fence(section, fence, factor == 1 ? fence + 1 : (fence + 1) * factor, LAST);
        });
        assertThat(Sql.number(url, "SELECT next_val FROM hibernate_sequences WHERE sequence_name = 'others'"))
                .isEqualTo(900_000_000);
    }

    @Tag("faults")
    @Test
    void fromAPooledTableOfHibernate() throws Exception {
        moveFromHiLo(onPostgres(), 1, List.of(hiLo(50, 50, 1, 0), hiLo(50, 50, 1, 0)));
        moveFromHiLo(onMaria(), 1, List.of(hiLo(50, 50, 1, -49), hiLo(50, 50, 1, -49)));
        moveFromHiLo(onH2(), 1, List.of(hiLo(50, 50, 1, 0), hiLo(50, 50, 1, 0)));
    }

    /**
     * The value in the row counts blocks. This test does not use MySQL 8.0.15, because that version ignores CHECK
     * constraints, such as the fence of this table.
     */
    @Test
    void fromAClassicHiLoTable() throws Exception {
        moveFromHiLo(onPostgres(), 20, List.of(hiLo(20, 1, 20, 0), hiLo(20, 1, 20, 0)));
        moveFromHiLo(onMaria(), 20, List.of(hiLo(20, 1, 20, -19), hiLo(20, 1, 20, -19)));
    }
}
