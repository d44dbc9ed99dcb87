// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows: the cluster, and what this server does.
 *
 * @param time when it was put together, by the clock of this server
 * @param server this server
 * @param members the members of the cluster, in the order in which they joined; null without a cluster
 * @param clients its clients; null if this server is no member, since only members know them
 * @param sequencers what this server hands out IDs of
 * @param sequences what this server hands out integers of
 * @param cluster what the cluster or the database said last; null before its first answer
 * @param problem why it gave no newer answer; null if it did
 * @param unansweredSince when it was first asked for that answer, by the clock of this server; null if it answered
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
     * @param uuid another one after each start
     * @param name what it is called
     * @param role {@code member} or {@code client} of a cluster; {@code process} if a database grants its node IDs
     * @param cluster the name of the cluster, or the database
     */
    record Server(String uuid, String name, String role, String cluster) {}

    /** A member of the cluster. */
    record Member(String uuid, String address, boolean isLite, boolean isThisServer) {}

    /** A client of the cluster. */
    record Client(String uuid, String name, String address, String type) {}

    /**
     * A sequencer of this server.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param logicalNodeId its node ID; null if it has none
     * @param leaseMillis how long a grant or an extension lasts
     * @param issued IDs that were handed out since the start
     * @param problem what is wrong; null if nothing is
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
     * @param issued integers that were handed out since the start
     * @param remaining integers of its blocks that are left
     * @param blockSize integers that the next reservation asks for
     * @param blocks blocks that were reserved since the start
     * @param problem what is wrong; null if nothing is
     */
    record Sequence(
            String name,
            long issued,
            long remaining,
            long blockSize,
            long blocks,
            @Nullable String problem) {}

    /** Returns whether the other says the same, at whatever time. */
    boolean isSame(Status other) {
        return at(Instant.EPOCH).equals(other.at(Instant.EPOCH));
    }

    private Status at(Instant otherTime) {
        ClusterState state = cluster == null ? null : cluster.at(otherTime);
        return new Status(otherTime, server, members, clients, sequencers, sequences, state, problem, unansweredSince);
    }
}
