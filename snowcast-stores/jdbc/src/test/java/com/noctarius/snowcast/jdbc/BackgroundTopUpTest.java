// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.noctarius.snowcast.tests.Warnings;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests stores that insert windows themselves, without a separate agent. */
class BackgroundTopUpTest {
    private static final String ORDERS = "orders";
    private static final long LAST = 100_000;

    @Test
    @Tag("integration")
    void aStoreNeedsNoAgent() throws Exception {
        MemoryShards memory = MemoryShards.of(2);
        JdbcShards shards = memory.list(0, 1).plain();
        TestShards.define(shards, 100, ORDERS, 1, LAST);
        BlockLedger ledger = new BlockLedger(1, LAST);
        JdbcBlockStore first = new JdbcBlockStore(shards, 0);
        JdbcBlockStore second = new JdbcBlockStore(shards, 1);
        first.prepare(ORDERS, 1);
        for (int i = 0; i < 100; i++) {
            ledger.add(first.reserve(ORDERS, 100));
            ledger.add(second.reserve(ORDERS, 50));
        }
        memory.allWindows(ORDERS);
    }

    @Test
    @Tag("integration")
    void aStoreTakesBackAShardThatFailedOver() throws Exception {
        ForgetfulShards databases = ForgetfulShards.of(2);
        JdbcShards shards = databases.list(0, 1);
        TestShards.layOut(shards, 100, 2, ORDERS, 1, LAST);
        TableCopy state = databases.state(1);
        BlockLedger ledger = new BlockLedger(1, LAST);
        JdbcBlockStore before = new JdbcBlockStore(shards, 1);
        for (int i = 0; i < 15; i++) {
            ledger.add(before.reserve(ORDERS, 10));
        }
        databases.failOver(1, state);
        for (JdbcBlockStore store : new JdbcBlockStore[] {before, new JdbcBlockStore(shards, 1)}) {
            store.prepare(ORDERS, 1);
            for (int i = 0; i < 30; i++) {
                ledger.add(store.reserve(ORDERS, 10));
            }
        }
        assertThat(databases.hasChanged(1)).isFalse();
        databases.memory().allWindows(ORDERS);
    }

    /** For example, an operator has added a shard without granting a privilege there. */
    @Test
    void aShardWithoutThePrivilegeDoesNotStopTheRunsForTheOthers() throws Exception {
        MemoryShards memory = MemoryShards.of(2);
        TestShards.define(memory.list(0, 1).plain(), 100, ORDERS, 1, LAST);
        for (int i = 0; i < 2; i++) {
            memory.execute(i, "CREATE USER app PASSWORD 'app'");
            for (String table : List.of("", "_names", "_shard", "_database")) {
                memory.execute(i, "GRANT SELECT, UPDATE ON id_sequences" + table + " TO app");
            }
            memory.execute(i, "GRANT INSERT ON id_sequences_names TO app");
        }
        JdbcShards shards =
                memory.list(0, 1).of(url -> UrlDataSource.of(url.substring(0, url.indexOf(';')), "app", "app"));
        AtomicLong nanos = new AtomicLong();
        BackgroundTopUp nowhere = new BackgroundTopUp(shards, true, Runnable::run, nanos::get);
        assertThat(nowhere.await(ORDERS)).isFalse();
        BackgroundTopUp topUp = new BackgroundTopUp(shards, true, Runnable::run, nanos::get);
        memory.execute(1, "GRANT INSERT ON id_sequences TO app");
        assertThat(topUp.await(ORDERS)).isTrue();
        assertThat(memory.windows(0, ORDERS)).isEmpty();
        assertThat(memory.windows(1, ORDERS)).isNotEmpty();
        memory.execute(0, "GRANT INSERT ON id_sequences TO app");
        assertThat(topUp.await(ORDERS)).isTrue();
        assertThat(memory.windows(0, ORDERS)).isNotEmpty();
        // The privilege may be missing only while a migration revokes and grants it.
        assertThat(nowhere.await(ORDERS)).isFalse();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(nowhere.await(ORDERS)).isTrue();
        BackgroundTopUp never = new BackgroundTopUp(shards, false, Runnable::run, nanos::get);
        assertThat(never.await(ORDERS)).isFalse();
    }

    /** A run that finds enough windows of an agent writes nothing, so it does not show whether it may insert. */
    @Test
    void thatThePrivilegeIsMissingIsSaidOnce() throws Exception {
        MemoryShards memory = MemoryShards.of(1);
        JdbcShards plain = memory.list(0).plain();
        TestShards.define(plain, 100, ORDERS, 1, LAST);
        memory.execute(0, "CREATE USER app PASSWORD 'app'");
        for (String table : List.of("", "_names", "_shard", "_database")) {
            memory.execute(0, "GRANT SELECT, UPDATE ON id_sequences" + table + " TO app");
        }
        JdbcShards shards =
                memory.list(0).of(url -> UrlDataSource.of(url.substring(0, url.indexOf(';')), "app", "app"));
        AtomicLong nanos = new AtomicLong();
        BackgroundTopUp topUp = new BackgroundTopUp(shards, true, Runnable::run, nanos::get);
        try (Warnings warnings = Warnings.of(BackgroundTopUp.class)) {
            assertThat(topUp.await(ORDERS)).isFalse();
            new WindowAgent(plain, 5).topUp();
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertThat(topUp.await(ORDERS)).isTrue();
            memory.execute(0, "UPDATE id_sequences SET next_hi_value = window_end_value");
            assertThat(topUp.await(ORDERS)).isFalse();
            assertThat(warnings.all()).hasSize(1);
        }
    }

    /** If no thread can be started, the caller does not fail, and a later call starts another run. */
    @Test
    void aRunThatFoundNoThreadIsBegunLater() throws Exception {
        MemoryShards memory = MemoryShards.of(1);
        JdbcShards shards = memory.list(0).plain();
        TestShards.define(shards, 100, ORDERS, 1, LAST);
        AtomicBoolean hasThreads = new AtomicBoolean();
        BackgroundTopUp topUp = new BackgroundTopUp(
                shards,
                true,
                task -> {
                    if (!hasThreads.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                },
                System::nanoTime);
        assertThatCode(() -> topUp.start(ORDERS)).doesNotThrowAnyException();
        hasThreads.set(true);
        assertThat(topUp.await(ORDERS)).isTrue();
        assertThat(TestShards.store(shards).reserve(ORDERS, 10).count()).isEqualTo(10);
    }

    /** For example, a class of the driver may be missing. */
    @Test
    void aRunThatFailsForAnUnexpectedReasonIsLogged() {
        JdbcShards shards = JdbcShards.of(Connections.choosing(() -> {
            throw new NoClassDefFoundError("Driver");
        }));
        BackgroundTopUp topUp = new BackgroundTopUp(shards, true, Runnable::run, System::nanoTime);
        try (Warnings warnings = Warnings.of(BackgroundTopUp.class)) {
            topUp.start(ORDERS);
            topUp.start(ORDERS);
            assertThat(warnings.all()).hasSize(1).allMatch(warning -> warning.contains("NoClassDefFoundError"));
        }
    }

    /** For example, an application may end and close its pool while a run inserts windows. */
    @Test
    void aRunThatFailsAfterTheEndIsNoWarning() {
        JdbcDataSource nowhere = new JdbcDataSource();
        nowhere.setURL("jdbc:h2:tcp://127.0.0.1:1/mem:nothing");
        List<Runnable> runs = new ArrayList<>();
        BackgroundTopUp topUp = new BackgroundTopUp(JdbcShards.of(nowhere), true, runs::add, System::nanoTime);
        try (Warnings warnings = Warnings.of(BackgroundTopUp.class)) {
            topUp.start(ORDERS);
            topUp.close();
            topUp.start("tickets");
            assertThat(runs).hasSize(1);
            runs.get(0).run();
            assertThat(warnings.all()).isEmpty();
        }
    }
}
