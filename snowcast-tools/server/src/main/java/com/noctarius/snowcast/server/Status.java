// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the page: the cluster and this server.
 *
 * @param time when this server read the status, by its own clock
 * @param server this server
 * @param members the members of the cluster, in the order in which they joined; null without a cluster
 * @param clients the clients of the cluster; null if this server is not a member, because only members know them
 * @param sequencers the sequencers of this server
 * @param sequences the integer sequences of this server
 * @param cluster the last status of the cluster or the database; null before the first answer
 * @param problem why {@code cluster} is out of date or missing; null if it is current
 * @param unansweredSince the time of the first request since the last answer, by the clock of this server; null if
 *     there is no problem
 */
record Status(
        Instant time,
        Server server,
        @Nullable List<Member> members,
        @Nullable List<Client> clients,
        List<Sequencer> sequencers,
        List<Sequence> sequences,
        @Nullable ClusterState cluster,
        @Nullable String problem,
        @Nullable Instant unansweredSince) {
    /**
     * This server.
     *
     * @param uuid a UUID that changes with each start
     * @param name its name
     * @param role {@code member} or {@code client} of a cluster; {@code process} if a database grants its node IDs
     * @param cluster the name of the cluster or the database
     */
    record Server(String uuid, String name, String role, String cluster) {}

    record Member(String uuid, String address, boolean isLite, boolean isThisServer) {}

    record Client(String uuid, String name, String address, String type) {}

    /**
     * A sequencer of this server.
     *
     * @param name its name in the cluster or database
     * @param state its present state
     * @param logicalNodeId its node ID; null if it has none
     * @param leaseMillis the duration of its lease; 0 if it has none
     * @param issued the number of IDs issued since the start
     * @param problem the present problem; null if there is none
     */
    record Sequencer(
            String name,
            String state,
            @Nullable Integer logicalNodeId,
            long leaseMillis,
            long issued,
            @Nullable String problem) {}

    /**
     * An integer sequence of this server.
     *
     * @param name its name in the store
     * @param issued the number of integers issued since the start
     * @param remaining the number of integers left in its blocks
     * @param blockSize the size of the next reservation
     * @param blocks the number of blocks reserved since the start
     * @param problem the present problem; null if there is none
     */
    record Sequence(
            String name,
            long issued,
            long remaining,
            long blockSize,
            long blocks,
            @Nullable String problem) {}

    /** Returns whether both statuses are equal, apart from the times at which they were read. */
    boolean isSame(Status other) {
        return at(Instant.EPOCH).equals(other.at(Instant.EPOCH));
    }

    private Status at(Instant otherTime) {
        ClusterState state = cluster == null ? null : cluster.at(otherTime);
        return new Status(otherTime, server, members, clients, sequencers, sequences, state, problem, unansweredSince);
    }
}
