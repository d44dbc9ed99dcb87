// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.client.config.ClientConnectionStrategyConfig.ReconnectMode;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.connection.ClientConnectionManager;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests clients without a connection to their cluster. A client with {@code async-start} or the reconnect mode
 * {@code ASYNC} does not wait for its cluster: calls that need the cluster throw a transient exception, and succeed
 * when the cluster is there. Other clients wait.
 */
@Tag("integration")
class OfflineClientClusterTest {
    private static final String OFFLINE = "the client is not connected to the cluster; check that its members run";

    private final String name = TestCluster.newName();
    private final SequencerConfig sequencer =
            SequencerConfig.builder(name).epoch(TestCluster.EPOCH).build();
    private final IntegerSequenceConfig integers =
            IntegerSequenceConfig.builder(name).store(new MemoryBlockStore()).build();

    private static void assertOffline(ThrowingCallable call) {
        assertOffline(catchThrowable(call));
    }

    private static void assertOffline(Throwable failure) {
        assertThat(failure)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining(OFFLINE)
                .hasCauseInstanceOf(HazelcastClientOfflineException.class);
    }

    @Test
    void beforeTheFirstConnectionEveryCallSaysSoAndSucceedsLater() throws Exception {
        int port = FreePort.get();
        try (TcpCluster cluster = TcpCluster.of(0, Map.of())) {
            HazelcastInstance client = cluster.addClient(config -> {
                config.getConnectionStrategyConfig().setAsyncStart(true);
                config.getNetworkConfig().addAddress(TcpCluster.LOOPBACK + ':' + port);
            });
            Snowcast snowcast = SnowcastSystem.snowcast(client);
            assertOffline(() -> snowcast.createSequencer(sequencer));
            assertOffline(() -> SnowcastSystem.clusterStatus(client));
            SnowcastSequencer detached = snowcast.createDetachedSequencer(sequencer);
            assertOffline(detached::attachLogicalNode);
            assertThat(detached.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
            assertThat(snowcast.createIntegerSequence(integers).next())
                    .as("from its store")
                    .isEqualTo(1);

            cluster.addMemberAt(port);
            TestCluster.when("a connection", SnowcastUnavailableException.class, detached::attachLogicalNode);
            detached.next();
            assertThat(snowcast.createSequencer(sequencer)).isSameAs(detached);
            assertThat(SnowcastSystem.clusterStatus(client).sequencers())
                    .extracting("name")
                    .contains(name);
            snowcast.destroySequencer(detached);
        }
    }

    private static void awaitDisconnected(HazelcastInstance client) {
        ClientConnectionManager connections = ((HazelcastClientProxy) client).client.getConnectionManager();
        Await.until("no connection", () -> connections.getActiveConnections().isEmpty());
    }

    @Test
    void afterTheLastConnectionEveryCallSaysSoAndNoneWaitsToGiveAnythingBack() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(1, Map.of())) {
            HazelcastInstance client = cluster.addClient(
                    config -> config.getConnectionStrategyConfig().setReconnectMode(ReconnectMode.ASYNC));
            Snowcast snowcast = SnowcastSystem.snowcast(client);
            SnowcastSequencer attached = snowcast.createSequencer(sequencer);
            SnowcastSequencer second = TestCluster.create(client, TestCluster.newName());
            int port = TcpCluster.portOf(cluster.member(0));
            cluster.crash(cluster.member(0));
            SequencerConfig another = SequencerConfig.builder(TestCluster.newName())
                    .epoch(TestCluster.EPOCH)
                    .build();
            Await.until(
                    "offline",
                    () -> catchThrowable(() -> snowcast.createSequencer(another))
                                    .getCause()
                            instanceof HazelcastClientOfflineException);
            assertOffline(() -> snowcast.createSequencer(another));
            assertOffline(() -> SnowcastSystem.clusterStatus(client));
            attached.next();
            attached.detachLogicalNode();
            assertOffline(attached::attachLogicalNode);
            assertOffline(() -> snowcast.destroySequencer(second));

            cluster.addMemberAt(port);
            TestCluster.when("a connection", SnowcastUnavailableException.class, attached::attachLogicalNode);
            attached.next();
        }
    }

    /** In the default reconnect mode, a client retries a call for two minutes. */
    @Test
    void aClientThatWaitsForItsClusterDoesNotWaitToGiveAnythingBackAndCanBeInterrupted() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(1, Map.of())) {
            HazelcastInstance client = cluster.addClient();
            SnowcastSequencer attached = SnowcastSystem.snowcast(client).createSequencer(sequencer);
            cluster.crash(cluster.member(0));
            awaitDisconnected(client);

            long start = System.nanoTime();
            attached.detachLogicalNode();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
            assertThat(attached.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);

            // A waiting thread may be interrupted, for example when an application is stopped during its start.
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicReference<Boolean> isInterrupted = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                failure.set(catchThrowable(() -> TestCluster.create(client, TestCluster.newName())));
                isInterrupted.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            Await.until("it waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
            caller.interrupt();
            caller.join(Duration.ofMinutes(1).toMillis()); // Without the interrupt, the call would take two minutes.

            assertThat(failure.get())
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("the thread was interrupted before the cluster had answered");
            assertThat(isInterrupted.get()).isTrue();
        }
    }
}
