// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import java.time.Instant;
import java.util.List;

/** Reads the tables of a member, or makes the member discard them. */
public final class Tables {
    private Tables() {}

    /** Returns the number of a sequencer's holders according to the owner of its partition. */
    public static long attached(HazelcastInstance owner, String name) {
        return nodes(owner, name).stream().filter(NodeState::leased).count();
    }

    /** Returns the number of a sequencer's used node IDs according to the owner of its partition. */
    public static long used(HazelcastInstance owner, String name) {
        return nodes(owner, name).size();
    }

    /** Returns whether a member owns all partitions and could grant in each of them. */
    public static boolean hasBegunEverywhere(HazelcastInstance member) {
        return member.getPartitionService().getPartitions().stream()
                .allMatch(partition -> partition.getOwner() != null
                        && partition.getOwner().localMember()
                        && hasBegun(member, partition.getPartitionId()));
    }

    private static boolean hasBegun(HazelcastInstance member, int partitionId) {
        return Replicas.onPartition(member, partitionId, container -> !container.isCold());
    }

    /** Returns the end of the wait after a full restart, for a partition whose container the member creates now. */
    public static Instant endOfTheWaitOfAPartitionThatBeginsNow(HazelcastInstance member) {
        GrantBounds bounds = Members.service(member).bounds();
        PartitionContainer container = bounds.newContainer();
        bounds.endColdIfPossible(container);
        return Instant.ofEpochMilli(container.snapshot(List.of()).state().waitEndMillis());
    }

    /** Makes a member discard its data, as if a vote said that the members of the cluster have discarded theirs. */
    public static void loseAll(HazelcastInstance member) {
        SnowcastService service = Members.service(member);
        discard(service.otherMembers.electorate(), service.bounds().clusterMillis());
    }

    static void discard(Electorate electorate, long discardedMillis) {
        Asked asked = electorate.asked();
        Vote vote = new Vote(asked.listHash(), true, Standing.NEW, 0, discardedMillis);
        electorate.answered(requireNonNull(electorate.self()), vote, asked);
    }

    private static List<NodeState> nodes(HazelcastInstance owner, String name) {
        int partitionId = owner.getPartitionService().getPartition(name).getPartitionId();
        return Replicas.onPartition(
                owner,
                partitionId,
                container -> container.table(name).snapshotFor(0).entries());
    }
}
