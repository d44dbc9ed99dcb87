// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.impl.PartitionDataSerializerHook;
import com.hazelcast.spi.exception.PartitionMigratingException;
import com.hazelcast.test.Accessors;
import com.hazelcast.test.PacketFiltersUtil;
import com.hazelcast.test.TestHazelcastInstanceFactory;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.tests.Await;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests an owner that does not hear that a migration of its backup is committed. If it went on, only the former backup
 * would have its grants, and the new backup would not know them as the next owner.
 */
@Tag("integration")
class BackupMigrationClusterTest {
    private static final List<Integer> NEWS = List.of(
            PartitionDataSerializerHook.PUBLISH_COMPLETED_MIGRATIONS,
            PartitionDataSerializerHook.PARTITION_RUNTIME_STATE,
            PartitionDataSerializerHook.PARTITION_STATE_OP);
    private static final int MAX_ROUNDS = 30;

    @Test
    void ownerCarriesOutNoRequestUntilItKnowsItsNewBackup() {
        int refusals = 0;
        for (int round = 0; round < MAX_ROUNDS && refusals == 0; round++) {
            refusals = refusalsWhileABackupLeaves();
        }
        assertThat(refusals).isPositive();
    }

    private static int refusalsWhileABackupLeaves() {
        TestHazelcastInstanceFactory factory = new TestHazelcastInstanceFactory();
        try {
            HazelcastInstance master = factory.newHazelcastInstance(Members.config());
            HazelcastInstance owner = factory.newHazelcastInstance(Members.config());
            HazelcastInstance backup = factory.newHazelcastInstance(Members.config());
            int partitionCount = Accessors.getPartitionService(master).getPartitionCount();
            Await.until(
                    "a backup of each partition",
                    () -> IntStream.range(0, partitionCount)
                            .allMatch(partitionId ->
                                    partition(master, partitionId).getReplica(1) != null));
            List<Integer> moving = IntStream.range(0, partitionCount)
                    .filter(partitionId -> isReplica(master, owner, partitionId, 0))
                    .filter(partitionId -> isReplica(master, backup, partitionId, 1))
                    .boxed()
                    .toList();
            PacketFiltersUtil.dropOperationsBetween(master, owner, PartitionDataSerializerHook.F_ID, NEWS);
            new Thread(backup::shutdown).start();
            Await.until(
                    "new backups",
                    () -> moving.stream().allMatch(partitionId -> isReplica(master, master, partitionId, 1)));
            return (int) moving.stream()
                    .filter(partitionId -> isRefused(owner, backup, partitionId))
                    .count();
        } finally {
            factory.terminateAll();
        }
    }

    /** Each further request to migrate something tells the owner which migrations are complete. */
    private static boolean isRefused(HazelcastInstance owner, HazelcastInstance formerBackup, int partitionId) {
        try {
            ask(owner, partitionId);
            assertThat(isReplica(owner, formerBackup, partitionId, 1)).isFalse();
            return false;
        } catch (CompletionException e) {
            assertThat(e).hasRootCauseInstanceOf(PartitionMigratingException.class);
            return true;
        }
    }

    private static Object ask(HazelcastInstance member, int partitionId) {
        return Accessors.getNodeEngineImpl(member)
                .getOperationService()
                .createInvocationBuilder(
                        SnowcastService.NAME,
                        new RequestOperation(RequestType.DESTROY, new Destroyed("orders", 1)),
                        partitionId)
                .setTryCount(1)
                .invoke()
                .join();
    }

    /** Returns whether a replica is at {@code expected}, as far as {@code asked} knows. */
    private static boolean isReplica(
            HazelcastInstance asked, HazelcastInstance expected, int partitionId, int replicaIndex) {
        Address expectedAddress = expected.getCluster().getLocalMember().getAddress();
        return expectedAddress.equals(partition(asked, partitionId).getReplicaAddress(replicaIndex));
    }

    private static InternalPartition partition(HazelcastInstance member, int partitionId) {
        return Accessors.getPartitionService(member).getPartition(partitionId);
    }
}
