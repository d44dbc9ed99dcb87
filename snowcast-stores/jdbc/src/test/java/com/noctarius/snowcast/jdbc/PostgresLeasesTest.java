// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.tests.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests transactions about node IDs when the process is paused, or when the commit is not confirmed. */
@Tag("integration")
class PostgresLeasesTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);

    @AutoClose
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    private static JdbcSnowcast patient(DataSource dataSource) {
        return JdbcSnowcast.builder(dataSource)
                .timeouts(Duration.ofSeconds(20), Duration.ofSeconds(40))
                .build();
    }

    /** The connection of the paused process stays open. Only the server can end its transaction. */
    @Test
    void aProcessThatIsPausedWithinATransactionDoesNotKeepOthersOut() throws Exception {
        DataSource plain = new UrlDataSource(server.createDatabase("paused"), null, null);
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        AtomicBoolean pauses = new AtomicBoolean();
        DataSource pausing = Connections.around(plain, (connection, method, call) -> {
            if (method.equals("abort")) {
                return null;
            }
            if (method.equals("commit") && pauses.get()) {
                paused.countDown();
                resumed.await();
            }
            return call.proceed();
        });
        try (JdbcSnowcast one = JdbcSnowcast.builder(pausing)
                        .timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2))
                        .build();
                JdbcSnowcast other = patient(plain)) {
            one.createTables();
            pauses.set(true);
            CompletableFuture<SnowcastSequencer> late =
                    CompletableFuture.supplyAsync(() -> one.createSequencer("orders", EPOCH));
            paused.await();
            assertThat(other.createSequencer("orders", EPOCH).next()).isNotZero();
            pauses.set(false);
            resumed.countDown();
            Await.until("the call of the paused process has ended", late::isDone);
        }
    }

    /** A standby that takes over may lack the unconfirmed grant. */
    @Test
    void whatNoSynchronousStandbyHasConfirmedIsNotGranted() throws Exception {
        DataSource plain = new UrlDataSource(server.createDatabase("unconfirmed"), null, null);
        try (JdbcSnowcast snowcast = patient(plain)) {
            snowcast.createTables();
            Sql.execute(plain, "ALTER SYSTEM SET synchronous_standby_names = 'missing_standby'");
            try {
                Sql.execute(plain, "SELECT pg_reload_conf()");
                Await.until("it is set", () -> isWaitedFor());
                CompletableFuture<SnowcastSequencer> attached =
                        CompletableFuture.supplyAsync(() -> snowcast.createSequencer("orders", EPOCH));
                // Cancel the wait, as an operator or a time-out of the server may do.
                Await.until("the wait was cancelled", () -> {
                    cancelCommits(plain);
                    return attached.isDone();
                });
                assertThatThrownBy(attached::join)
                        .hasCauseInstanceOf(SnowcastUnavailableException.class)
                        .hasMessageContaining("the primary may be the only server that has this commit");
            } finally {
                Sql.execute(plain, "ALTER SYSTEM RESET synchronous_standby_names");
                Sql.execute(plain, "SELECT pg_reload_conf()");
            }
            Await.until("it is reset", () -> !isWaitedFor());
            assertThat(snowcast.createSequencer("orders", EPOCH).next()).isNotZero();
        }
    }

    private static void cancelCommits(DataSource dataSource) {
        try {
            Sql.execute(dataSource, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isWaitedFor() {
        try {
            return !server.text("SHOW synchronous_standby_names").isEmpty();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
