// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.tests.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests that a watch cancels statements that take too long, and returns held connections to the pool, even if the
 * driver blocks or fails.
 */
class HeldConnectionsWatchTest {
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean hasThreads = new AtomicBoolean(true);
    private final AtomicInteger refused = new AtomicInteger();

    private HeldConnections held(Executor threads) {
        return new HeldConnections(1, Duration.ofMillis(1_500), task -> {
            if (!hasThreads.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.execute(task);
        });
    }

    private static HeldConnection of(Connection connection) {
        return new HeldConnection(connection, ConnectionSettings.OURS);
    }

    /** Returns a connection that records its calls, and fails at the method {@code failing}. */
    private Connection connection(String failing) {
        return Connections.proxy(Connection.class, (proxy, method, arguments) -> {
            calls.add(method.getName());
            if (method.getName().equals(failing)) {
                throw new SQLException("the connection is broken", "08006");
            }
            return null;
        });
    }

    @Test
    void aConnectionThatFoundNoThreadGoesBackLater() {
        HeldConnections held = held(Shard.THREADS);
        hasThreads.set(false);
        held.add(of(connection("nothing")));
        Await.until("it was to go back", () -> refused.get() > 0);
        hasThreads.set(true);
        Await.until("it goes back", () -> calls.contains("close"));
        held.add(of(connection("nothing")));
        Await.until(
                "the next one, too",
                () -> calls.stream().filter("close"::equals).count() == 2);
    }

    @Test
    void aConnectionThatFoundNoThreadAfterItsUseGoesBackLater() throws Exception {
        HeldConnections held = held(Shard.THREADS);
        HeldConnection connection = of(connection("nothing"));
        held.add(connection);
        assertThat(held.tryAcquire()).isSameAs(connection);
        hasThreads.set(false);
        assertThatThrownBy(() -> held.use(connection, unused -> {
                    throw new SQLException("refused");
                }))
                .hasMessage("refused");
        hasThreads.set(true);
        Await.until("it goes back", () -> calls.contains("close"));
    }

    /**
     * One thread watches the held connections of all shards. It looks at those of this shard while a caller's attempt
     * to return a connection fails.
     */
    @Test
    void aWatchGoesOnWhileAConnectionFindsNoThread() throws Exception {
        Thread caller = Thread.currentThread();
        HeldConnections others = held(Shard.THREADS);
        HeldConnections held = held(task -> {
            if (Thread.currentThread() == caller) {
                awaitWholeTurn(others);
                throw new OutOfMemoryError("unable to create native thread");
            }
            Shard.THREADS.execute(task);
        });
        HeldConnection connection = of(connection("nothing"));
        held.add(connection);
        assertThat(held.tryAcquire()).isSameAs(connection);
        assertThatThrownBy(() -> held.use(connection, unused -> {
                    throw new SQLException("refused");
                }))
                .hasMessage("refused");
        Await.until("it goes back", () -> calls.contains("close"));
    }

    /**
     * Waits until the watch has closed one idle connection, and then another one. In between, it looks at the held
     * connections of all shards.
     */
    private void awaitWholeTurn(HeldConnections others) {
        for (int count = 1; count <= 2; count++) {
            AtomicBoolean isClosed = new AtomicBoolean();
            others.add(of(Connections.proxy(Connection.class, (proxy, method, arguments) -> {
                isClosed.compareAndSet(false, method.getName().equals("close"));
                return null;
            })));
            Await.until("idle connection " + count + " goes back", isClosed::get);
        }
    }

    /** Other code must not get a connection that still has the settings of the store. */
    @Test
    void aConnectionWhoseSettingsAreNotRestoredIsBrokenBeforeItGoesBack() {
        HeldConnections held = held(Shard.THREADS);
        held.add(of(connection("setAutoCommit")));
        Await.until("it goes back", () -> calls.contains("close"));
        assertThat(List.copyOf(calls)).containsExactly("setAutoCommit", "abort", "close");
    }

    /** Simulates a server that does not answer, so that the driver's request to cancel the statement blocks, too. */
    @Test
    void aStatementThatCannotBeCancelledIsAbortedAndTakesTwoThreads() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        AtomicInteger threads = new AtomicInteger();
        PreparedStatement statement = Connections.proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (method.getName().equals("cancel")) {
                end.await();
            } else if (method.getName().equals("executeQuery")) {
                aborted.await();
                throw new SQLException("the socket was closed", "08006");
            }
            return null;
        });
        Connection connection = Connections.proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("abort")) {
                aborted.countDown();
            }
            return method.getName().equals("prepareStatement") ? statement : null;
        });
        HeldConnections held = held(task -> {
            threads.incrementAndGet();
            Shard.THREADS.execute(task);
        });
        held.add(of(connection));
        HeldConnection begun = Objects.requireNonNull(held.tryAcquire());
        CompletableFuture<Object> call = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return held.use(begun, own -> own.query(Dialect.POSTGRESQL, "", row -> 1L));
                    } catch (SQLException e) {
                        return e;
                    }
                },
                Shard.THREADS);
        Await.until("the call has ended", call::isDone);
        assertThat(call.join()).isInstanceOf(CallTimeoutException.class);
        assertThat(threads.get()).as("to cancel, to abort, and to close").isLessThanOrEqualTo(3);
        end.countDown();
    }
}
