// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.internal.cluster.impl.operations.SplitBrainMergeValidationOp;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.vote.Electorate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Passes Hazelcast's list of members to the {@link Electorate}. While this member is <em>isolated</em> or
 * <em>behind</em>, which the {@code Electorate} defines, searches for the absent members, and ends the wait for them.
 * Thread-safe. No method blocks.
 */
final class MemberWatch {
    private static final long SEEK_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeEngineImpl nodeEngine;
    private final Electorate electorate;
    /** Returns whether a member is known not to run snowcast, so that it has no vote. */
    private final Predicate<UUID> isWithoutSnowcast;

    private final ILogger logger;
    private final Map<UUID, Address> addresses = new ConcurrentHashMap<>();

    /** When this member last searched for absent members. Used by one thread at a time. */
    private long soughtNanos;

    MemberWatch(NodeEngineImpl nodeEngine, Electorate electorate, Predicate<UUID> isWithoutSnowcast, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.electorate = electorate;
        this.isWithoutSnowcast = isWithoutSnowcast;
        this.logger = logger;
        this.soughtNanos = electorate.now().nanos() - SEEK_PERIOD_NANOS; // The first search is due at once.
    }

    /** Waits for a running {@link #decide}, which may have read the former cluster's list of members. */
    synchronized void reset() {
        addresses.clear();
        electorate.reset();
    }

    void keepAddressesOf(Set<UUID> listed) {
        Set<UUID> absent = electorate.absent();
        addresses.keySet().removeIf(member -> !listed.contains(member) && !absent.contains(member));
    }

    /** Reads the clocks and the list of members; returns whether this member may act as an owner at this moment. */
    synchronized Electorate.Eligibility decide() {
        ClusterService cluster = nodeEngine.getClusterService();
        if (!cluster.isJoined()) {
            return Electorate.Eligibility.UNCONFIRMED;
        }
        if (cluster.getLocalMember().isLiteMember()) {
            electorate.noteLite();
            return Electorate.Eligibility.UNCONFIRMED;
        }
        Collection<Member> members;
        int version;
        do {
            version = cluster.getMemberListVersion();
            members = cluster.getMembers(MemberSelectors.DATA_MEMBER_SELECTOR);
        } while (version != cluster.getMemberListVersion());
        List<UUID> voters = new ArrayList<>();
        for (Member member : members) {
            if (!isWithoutSnowcast.test(member.getUuid())) {
                voters.add(member.getUuid());
                addresses.put(member.getUuid(), member.getAddress());
            }
        }
        return electorate.decide(cluster.getLocalMember().getUuid(), voters, version);
    }

    List<Address> absentAddresses() {
        return electorate.absent().stream()
                .map(addresses::get)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Searches for absent members while this member is isolated or behind. When the wait is over, this member
     * continues, and discards its data if other members may have changed theirs.
     *
     * @param discardOwnData discards the data of this member only
     */
    void seekOrGoOn(LongSupplier clusterMillis, Runnable discardOwnData) {
        Electorate.Eligibility present = decide();
        if (!present.isWaiting()) {
            return;
        }
        long nanos = electorate.now().nanos();
        if (nanos - soughtNanos >= SEEK_PERIOD_NANOS) {
            soughtNanos = nanos;
            electorate.absent().forEach(this::seek);
        }
        Electorate.Ending ending = electorate.ending();
        if (ending == Electorate.Ending.WITHOUT_OWN_DATA) {
            discardOwnData.run();
        }
        List<Address> absent = absentAddresses();
        if (electorate.goOn(ending, clusterMillis.getAsLong())) {
            warn(present, ending, absent);
        }
    }

    private void warn(Electorate.Eligibility before, Electorate.Ending ending, List<Address> absent) {
        boolean keepsData = ending == Electorate.Ending.WITH_DATA;
        String end = keepsData
                ? ""
                : " without its data, since others may have granted meanwhile. Sequencers with a lease of more than"
                        + " twice the allowed clock skew continue; others attach when all leases must have ended";
        if (before == Electorate.Eligibility.BEHIND) {
            logger.warning("Too few of the data members that confirm this one know what was granted last, and no"
                    + " more of them have merged; this member continues" + end);
        } else {
            logger.warning("The data members " + absent + " are gone; this member continues without them"
                    + (keepsData ? "" : " and" + end));
        }
    }

    /**
     * Sends the request with which Hazelcast searches for other clusters. A member that answers, but is not listed, is
     * alive in another cluster.
     */
    private void seek(UUID absent) {
        Address address = addresses.get(absent);
        if (address != null && nodeEngine.getClusterService().getMember(address) == null) {
            CompletionStage<Object> answer = nodeEngine
                    .getOperationService()
                    .createInvocationBuilder(
                            ClusterServiceImpl.SERVICE_NAME,
                            new SplitBrainMergeValidationOp(nodeEngine.getNode().createSplitBrainJoinMessage()),
                            address)
                    .setTryCount(1)
                    .invoke();
            answer.thenAccept(other -> {
                // Null if that member is not the master of its cluster, if the state of its cluster allows no merge, or
                // if a cluster with another name has a member at the address by now.
                if (other != null || absent.equals(uuidAt(address))) {
                    electorate.reached();
                }
            });
        }
    }

    private @Nullable UUID uuidAt(Address address) {
        ServerConnection connection = nodeEngine
                .getNode()
                .getServer()
                .getConnectionManager(EndpointQualifier.MEMBER)
                .get(address);
        return connection == null ? null : connection.getRemoteUuid();
    }
}
