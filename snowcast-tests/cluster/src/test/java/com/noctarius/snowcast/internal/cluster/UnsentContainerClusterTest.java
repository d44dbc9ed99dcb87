// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.tests.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the backups receive a container that an owner makes for a request which has no effect. */
@Tag("integration")
class UnsentContainerClusterTest {
    private static final int PARTITIONS = 11;

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(2);

    /** A backup without the container would report a loss when it becomes the owner after a migration. */
    @Test
    void isSentToTheBackups() {
        List<SnowcastService> members = List.of(start(), start());
        Await.until(
                "each has all containers",
                () -> IntStream.range(0, PARTITIONS)
                        .allMatch(partition -> members.stream()
                                .allMatch(each -> each.containers().get(partition) != null)));
        List<Integer> unsent;
        do {
            unsent = madeAnew(members);
        } while (unsent.isEmpty()); // Try again if the members have already sent all containers in the background.
        List<Integer> made = unsent;
        Await.until(
                "the backups have them, too", () -> made.stream().allMatch(partition -> haveAll(members, partition)));
    }

    /**
     * Discards all containers. Makes the containers of owned partitions again, as a request does. Returns the
     * partitions whose new containers some members do not have yet.
     */
    private static List<Integer> madeAnew(List<SnowcastService> members) {
        members.forEach(each -> each.containers().reset());
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .filter(partition -> members.stream().anyMatch(each -> isMadeAnew(each.containers(), partition)))
                .filter(partition -> !haveAll(members, partition))
                .toList();
    }

    private static boolean haveAll(List<SnowcastService> members, int partition) {
        return members.stream().allMatch(each -> each.containers().get(partition) != null);
    }

    private SnowcastService start() {
        HazelcastInstance member =
                factory.newHazelcastInstance(Members.config("hazelcast.partition.count", String.valueOf(PARTITIONS)));
        member.getPartitionService().getPartition("orders").getOwner(); // assigns the partitions
        return Members.service(member);
    }

    /**
     * If the member owns the partition, makes its container, as a request does. Returns false if the member does not
     * own the partition or its data is lost.
     */
    private static boolean isMadeAnew(Containers containers, int partition) {
        CompletableFuture<Boolean> isNew = new CompletableFuture<>();
        containers.onPartitionThread(
                partition,
                () -> isNew.complete(containers.isLocal(partition)
                        && !containers.ownedOrMade(partition).hasLostData()));
        return isNew.join();
    }
}
