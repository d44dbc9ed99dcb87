// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests stores and agents on three PostgreSQL servers while one of the servers is killed or paused. */
@Tag("faults")
class PostgresFaultsTest {
    private static final String ORDERS = "orders";
    private static final long LAST = 500_000_000;
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final List<PostgresServer> SERVERS = new ArrayList<>();

    private final TestShards list = TestShards.of(
            "ids" + TABLES.incrementAndGet(),
            SERVERS.stream().map(server -> server.url("postgres")).toList());

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        for (int i = 0; i < 3; i++) {
            SERVERS.add(PostgresServer.start());
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (PostgresServer server : SERVERS) {
            server.close();
        }
    }

    private void create(int windowSize) {
        JdbcSchema schema = new JdbcSchema(list.plain());
        schema.create(windowSize);
        schema.defineSequence(ORDERS, 1, LAST);
        new WindowAgent(list.plain(), 5).topUp();
    }

    @Test
    void twoAgentsAndEightProcessesGoOnWhileAShardIsKilled() throws Exception {
        create(50_000);
        List<ReserverProcess> processes = new ArrayList<>();
        try (AgentThread first = AgentThread.start(new WindowAgent(list.plain(), 5));
                AgentThread second = AgentThread.start(new WindowAgent(list.plain(), 5))) {
            for (int i = 0; i < 8; i++) {
                processes.add(startProcess(i));
            }
            processes.forEach(process -> process.awaitMore(20));
            PostgresServer victim = SERVERS.get(ThreadLocalRandom.current().nextInt(SERVERS.size()));
            victim.kill();
            processes.forEach(process -> process.awaitMore(20));
            awaitRefusal(first);
            victim.restart();
            awaitRun(first);
            awaitRun(second);
            processes.forEach(process -> process.awaitMore(20));
            processes.forEach(ReserverProcess::stop);
        } finally {
            processes.forEach(ReserverProcess::close);
        }
        BlockLedger ledger = new BlockLedger(1, LAST);
        processes.forEach(process -> process.blocks().forEach(ledger::add));
    }

    private ReserverProcess startProcess(int index) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(list.table()));
        arguments.addAll(list.urls());
        Path own = Files.createDirectory(directory.resolve("process" + index));
        return ReserverProcess.start(own, JdbcOpener.class, arguments, ORDERS, 20);
    }

    private static void awaitRefusal(AgentThread agent) {
        Await.until("the agent refuses", () -> {
            BlockStoreException failure = agent.lastFailure();
            return failure != null && String.valueOf(failure.getMessage()).contains("cannot be reached");
        });
    }

    private static void awaitRun(AgentThread agent) {
        long before = agent.runs();
        Await.until("a run of the agent", () -> agent.runs() > before);
    }

    @Test
    void aFrozenShardHoldsUpTheOthersForOneCallAtMost() throws Exception {
        create(100_000);
        JdbcShards.Builder builder = JdbcShards.builder()
                .tableName(list.table())
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofSeconds(2));
        list.urls().forEach(url -> builder.shard(TestShards.pool(url, 4)));
        JdbcShards shards = builder.build();
        JdbcBlockStore store = new JdbcBlockStore(shards, 0);
        BlockLedger ledger = new BlockLedger(1, LAST);
        ledger.add(store.reserve(ORDERS, 10));
        PostgresServer frozen = SERVERS.get(0);
        frozen.freeze();
        try {
            long start = System.nanoTime();
            ledger.add(store.reserve(ORDERS, 10));
            for (int i = 0; i < 100; i++) {
                ledger.add(store.reserve(ORDERS, 10));
            }
            // The first call waits 2 seconds for the frozen shard, and a few later calls may try that shard again. If
            // all calls waited, they would take more than three minutes.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(2), Duration.ofMinutes(2));
            ledger.add(new JdbcBlockStore(shards, 1).reserve(ORDERS, 10));
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> new WindowAgent(shards, 5).topUp())
                    .withMessageContaining("shard 0 of 3");
        } finally {
            frozen.thaw();
        }
        Await.until("the shard that had stood still serves", () -> {
            var block = store.reserve(ORDERS, 10);
            ledger.add(block);
            return block.first() <= 100_000;
        });
    }
}
