// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SnowcastException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that calls to a cluster that does not answer throw exceptions that say what to do, and do not show Hazelcast's
 * internals.
 */
@Tag("integration")
class SilentClusterTest {
    private static final String WAY_OUT = "check that its members run and can be reached from here, then try again";
    private static final int MAX_LENGTH = 400;

    private final CountDownLatch blocked = new CountDownLatch(1);
    private TcpCluster cluster;
    private String name;

    @BeforeEach
    void blockAnOwner() {
        cluster = TcpCluster.of(2, Map.of("hazelcast.operation.call.timeout.millis", "2000"));
        HazelcastInstance owner = cluster.member(1);
        name = cluster.nameOwnedBy(owner);
        int partitionId = owner.getPartitionService().getPartition(name).getPartitionId();
        Accessors.getNodeEngineImpl(owner).getOperationService().execute(new PartitionSpecificRunnable() {
            @Override
            public int getPartitionId() {
                return partitionId;
            }

            @Override
            public void run() {
                try {
                    blocked.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
    }

    @AfterEach
    void stop() {
        blocked.countDown();
        cluster.close();
    }

    private static void assertSaysWhatToDo(Throwable failure, String subject) {
        assertThat(failure)
                .isInstanceOf(SnowcastException.class)
                .hasMessageStartingWith(subject + ": no answer from the cluster")
                .hasMessageContaining(WAY_OUT)
                .hasCauseInstanceOf(Exception.class);
        assertThat(failure.getMessage())
                .doesNotContain("Invocation{")
                .doesNotContain("Operation{")
                .hasSizeLessThan(MAX_LENGTH);
    }

    @Test
    void memberSaysWhatToDo() {
        Throwable failure = catchThrowable(() -> TestCluster.create(cluster.member(0), name));
        assertSaysWhatToDo(failure, "sequencer " + name);
    }

    @Test
    void clientSaysWhatToDo() {
        HazelcastInstance client =
                cluster.addClient(config -> config.setProperty("hazelcast.client.invocation.timeout.seconds", "2"));
        assertSaysWhatToDo(catchThrowable(() -> TestCluster.create(client, name)), "sequencer " + name);

        cluster.crash(cluster.member(0));
        blocked.countDown();
        cluster.crash(cluster.member(0));
        String other = TestCluster.newName();
        assertSaysWhatToDo(catchThrowable(() -> TestCluster.create(client, other)), "sequencer " + other);
    }
}
