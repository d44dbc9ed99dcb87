// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts together what this process knows; makes no call to the cluster. */
@Component
final class StatusReader {
    private final HazelcastInstance hazelcast;
    private final Configured configured;

    StatusReader(HazelcastInstance hazelcast, Configured configured) {
        this.hazelcast = hazelcast;
        this.configured = configured;
    }

    Status read(@Nullable ClusterState cluster, @Nullable String problem) {
        return new Status(
                Instant.now(),
                server(),
                members(),
                clients(),
                configured.sequencers().stream().map(StatusReader::sequencer).toList(),
                configured.sequences().stream().map(StatusReader::sequence).toList(),
                cluster,
                problem);
    }

    private Status.Server server() {
        return new Status.Server(
                hazelcast.getLocalEndpoint().getUuid().toString(),
                hazelcast.getName(),
                hazelcast.getConfig().getClusterName(),
                hazelcast.getLocalEndpoint() instanceof Member);
    }

    private List<Status.Member> members() {
        Cluster cluster = hazelcast.getCluster();
        return cluster.getMembers().stream()
                .map(member -> new Status.Member(
                        member.getUuid().toString(),
                        member.getAddress().getHost() + ":"
                                + member.getAddress().getPort(),
                        member.isLiteMember(),
                        member.getUuid().equals(hazelcast.getLocalEndpoint().getUuid())))
                .toList();
    }

    /** A client is connected to each member, or, if it is told so, to one: then only that one knows it. */
    private @Nullable List<Status.Client> clients() {
        if (!(hazelcast.getLocalEndpoint() instanceof Member)) {
            return null;
        }
        return hazelcast.getClientService().getConnectedClients().stream()
                .sorted(Comparator.comparing((Client client) -> String.valueOf(client.getName())))
                .map(client -> new Status.Client(
                        client.getUuid().toString(),
                        String.valueOf(client.getName()),
                        client.getSocketAddress().toString().replace("/", ""),
                        client.getClientType()))
                .toList();
    }

    private static Status.Sequencer sequencer(SnowcastSequencer sequencer) {
        SequencerStats stats = sequencer.stats();
        return new Status.Sequencer(
                sequencer.name(),
                stats.state().name(),
                stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : null,
                stats.lease().toMillis(),
                stats.issuedCount(),
                stats.problem().isEmpty() ? null : stats.problem());
    }

    private static Status.Sequence sequence(IntegerSequence sequence) {
        IntegerSequenceStats stats = sequence.stats();
        return new Status.Sequence(
                sequence.name(),
                stats.issuedCount(),
                stats.remaining(),
                stats.blockSize(),
                stats.reservationCount(),
                stats.problem().isEmpty() ? null : stats.problem());
    }
}
