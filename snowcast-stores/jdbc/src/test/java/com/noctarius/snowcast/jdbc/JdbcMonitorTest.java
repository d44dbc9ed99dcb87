// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.noctarius.snowcast.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the status of shards, on H2 in memory. */
class JdbcMonitorTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MemoryShards memory = MemoryShards.of(3);
    private final TestShards list = memory.list(0, 1, 2);

    @TempDir
    private Path directory;

    @BeforeEach
    void layOut() {
        JdbcSchema schema = new JdbcSchema(list.plain());
        schema.create(100);
        schema.defineSequence("orders", 1, 1_000_000);
        new WindowAgent(list.plain(), 2).topUp();
    }

    private static JdbcStatus.SequenceStatus only(JdbcStatus status) {
        assertThat(status.sequences()).hasSize(1);
        return status.sequences().get(0);
    }

    /** Reserves by SQL, because a store also inserts windows. */
    private void reserve(int shard, long start, int count) throws SQLException {
        memory.execute(
                shard,
                "UPDATE id_sequences SET next_hi_value = next_hi_value + " + count + " WHERE window_start_value = "
                        + start);
    }

    @Test
    void itTellsWhatEachShardHasLeft() throws Exception {
        reserve(1, 101, 30);
        JdbcStatus status = new JdbcMonitor(list.plain()).read();
        assertThat(status.shards())
                .extracting(JdbcStatus.ShardStatus::isReachable, JdbcStatus.ShardStatus::problem)
                .containsOnly(tuple(true, ""));
        JdbcStatus.SequenceStatus orders = only(status);
        assertThat(orders.name()).isEqualTo("orders");
        assertThat(orders.firstValue()).isEqualTo(1);
        assertThat(orders.lastValue()).isEqualTo(1_000_000);
        assertThat(orders.remaining()).isEqualTo(570);
        assertThat(orders.integersPerSecond()).isEmpty();
        assertThat(orders.windows())
                .extracting(
                        JdbcStatus.WindowStatus::shard,
                        JdbcStatus.WindowStatus::openWindows,
                        JdbcStatus.WindowStatus::remaining)
                .containsExactly(tuple(0, 2, 200L), tuple(1, 2, 170L), tuple(2, 2, 200L));
        assertThat(orders.windows().get(0).reservedUpTo()).isEmpty();
        assertThat(orders.windows().get(1).reservedUpTo()).hasValue(130);
        assertThat(orders.windows())
                .allSatisfy(ofShard -> assertThat(ofShard.announced()).isGreaterThanOrEqualTo(601));
        assertThat(status.needsAttention(MINUTE)).isFalse();
    }

    @Test
    void aShardThatIsAwayHidesNothingOfTheOthers() {
        JdbcStatus status = new JdbcMonitor(list.without(1, new AtomicBoolean(true))).read();
        assertThat(status.shards().get(1).isReachable()).isFalse();
        assertThat(status.shards().get(1).problem()).contains("it is away");
        assertThat(status.shards().get(0).problem()).isEmpty();
        assertThat(only(status).windows())
                .extracting(JdbcStatus.WindowStatus::shard)
                .containsExactly(0, 2);
        assertThat(status.needsAttention(MINUTE)).isTrue();
    }

    @Test
    void aShardThatAgentsRefuseIsToldWithWhatItHas() {
        JdbcStatus status = new JdbcMonitor(memory.list(1, 0, 2).plain()).read();
        assertThat(status.shards().get(0).isReachable()).isTrue();
        assertThat(status.shards().get(0).problem()).contains("the database of shard 0 of 3 is shard 1 of 3");
        assertThat(only(status).windows()).hasSize(3);
        assertThat(status.needsAttention(MINUTE)).isTrue();
    }

    @Test
    void aShardWhoseServerChangedIsToldWithWhatToRun() throws Exception {
        memory.execute(1, "UPDATE id_sequences_database SET server_id = 'another'");
        JdbcStatus status = new JdbcMonitor(list.plain()).read();
        assertThat(status.shards().get(0).problem()).isEmpty();
        assertThat(status.shards().get(0).database()).isNotEmpty();
        assertThat(status.shards().get(1).isReachable()).isTrue();
        assertThat(status.shards().get(1).problem())
                .contains("the database of shard 1 of 3 ran on server another and now runs on ", "run recover");
        assertThat(only(status).windows()).hasSize(3);
        assertThat(status.needsAttention(MINUTE)).isTrue();
    }

    @Test
    void shardsThatDoNotAgreeAreTold() throws Exception {
        memory.execute(1, "UPDATE id_sequences_shard SET installation = 'another'");
        JdbcStatus status = new JdbcMonitor(list.plain()).read();
        assertThat(status.shards()).allMatch(shard -> shard.problem().isEmpty());
        assertThat(status.problem()).contains("belongs to the installation another");
        assertThat(status.needsAttention(MINUTE)).isTrue();
    }

    @Test
    void usedWindowsAreNotReadAgainAndAgain() throws Exception {
        memory.execute(
                0,
                "INSERT INTO id_sequences (sequence_name, window_start_value, window_end_value, next_hi_value)"
                        + " SELECT 'orders', 1000001 + X * 300, 1000101 + X * 300, 1000101 + X * 300"
                        + " FROM SYSTEM_RANGE(1, 10000)");
        assertThat(only(new JdbcMonitor(list.plain()).read()).windows().get(0).openWindows())
                .isLessThan(2);
    }

    @Test
    void aDatabaseWithoutTablesIsTold() throws Exception {
        memory.execute(2, "DROP TABLE id_sequences_shard");
        memory.execute(2, "DROP TABLE id_sequences");
        JdbcStatus status = new JdbcMonitor(list.plain()).read();
        assertThat(status.shards().get(2).isReachable()).isTrue();
        assertThat(status.shards().get(2).problem()).contains("id_sequences_shard");
        assertThat(only(status).windows()).hasSize(2);
    }

    /** The rate includes reservations from windows that were used up or inserted between the two reads. */
    @Test
    void theRateIsThatBetweenTwoReadings() {
        JdbcMonitor monitor = new JdbcMonitor(list.plain());
        JdbcBlockStore store = new JdbcBlockStore(list.plain(), 0);
        long start = System.nanoTime();
        assertThat(only(monitor.read()).integersPerSecond()).isEmpty();
        store.reserve("orders", 80);
        store.reserve("orders", 20);
        new WindowAgent(list.plain(), 2).topUp();
        store.reserve("orders", 100);
        store.reserve("orders", 50);
        JdbcStatus.SequenceStatus orders = only(monitor.read());
        double mostSeconds = (System.nanoTime() - start) / 1e9;
        assertThat(orders.integersPerSecond().orElseThrow()).isGreaterThanOrEqualTo(250 / mostSeconds);
        assertThat(orders.autonomy(orders.windows().get(0)).orElseThrow())
                .isLessThan(orders.autonomy().orElseThrow());
        assertThat(orders.isShort(Duration.ofDays(1))).isTrue();
        assertThat(orders.isShort(Duration.ZERO)).isFalse();
        assertThat(only(monitor.read()).integersPerSecond()).hasValue(0);
    }

    @Test
    void aSequenceWithoutAnOpenWindowIsShort() throws Exception {
        reserve(0, 1, 100);
        reserve(0, 301, 100);
        JdbcStatus status = new JdbcMonitor(list.plain()).read();
        assertThat(only(status).windows().get(0).openWindows()).isZero();
        assertThat(only(status).isShort(Duration.ZERO)).isTrue();
        assertThat(status.needsAttention(MINUTE)).isTrue();
    }

    @Test
    void itReadsPeriodically() throws Exception {
        try (ScheduledJdbcMonitor monitor = new JdbcMonitor(list.plain()).schedule(Duration.ofSeconds(1))) {
            Await.until("the first reading", () -> monitor.status().isPresent());
            assertThat(only(monitor.status().orElseThrow()).remaining()).isEqualTo(600);
            reserve(0, 1, 30);
            Await.until(
                    "another reading",
                    () -> only(monitor.status().orElseThrow()).remaining() == 570);
        }
    }

    // --- command line

    private int status(StringBuilder text, String more) throws IOException {
        Path file = Files.writeString(directory.resolve("shards.properties"), more + memory.properties(3));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exitCode = WindowAgentMain.run(
                List.of("status", file.toString()),
                Map.of(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);
        text.append(out.toString(StandardCharsets.UTF_8));
        return exitCode;
    }

    @Test
    void theCommandPrintsATable() throws Exception {
        reserve(2, 201, 50);
        StringBuilder text = new StringBuilder();
        assertThat(status(text, "status.interval=PT0S\n")).isZero();
        assertThat(text.toString().lines())
                .startsWith("shard 0 of 3  ok", "shard 1 of 3  ok", "shard 2 of 3  ok", "")
                .anyMatch(line -> line.matches("sequence +shard +open windows +integers left +reserved up to .*"))
                .anyMatch(line -> line.matches("orders +0 +2 +200 +- +[\\d,]+ +-"))
                .anyMatch(line -> line.matches("orders +2 +2 +150 +250 +[\\d,]+ +-"))
                .anyMatch(line -> line.matches("orders +all +6 +550 +- +-"));
        assertThat(text).doesNotContain("SHORT");
    }

    @Test
    void theCommandFailsWhenASequenceIsShortOrAShardIsRefused() throws Exception {
        StringBuilder text = new StringBuilder();
        memory.execute(0, "UPDATE id_sequences SET next_hi_value = window_end_value");
        assertThat(status(text, "status.interval=PT0.01S\n")).isEqualTo(1);
        assertThat(text).contains("SHORT: orders: a shard has no open window");
        memory.execute(0, "UPDATE id_sequences_shard SET shard_index = 1");
        text.setLength(0);
        assertThat(status(text, "status.interval=PT0S\nmin.autonomy=PT1S\n")).isEqualTo(1);
        assertThat(text).contains("shard 0 of 3  refused: the database of shard 0 of 3 is shard 1 of 3");
    }
}
