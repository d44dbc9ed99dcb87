// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.server.Server;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.VoteRounds;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the reports of the other members: whether they list this member, their settings, their clocks, and the
 * high-water marks that they wrote last, or with which their cluster has begun. Sends a {@link RequestType#PEER}
 * request to each member that joins, and to the data members every two seconds or, while this member is not confirmed,
 * sooner. Thread-safe; no method blocks.
 */
final class OtherMembers {
    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final Supplier<HighWaterMark> ownMark;
    private final ILogger logger;
    private final Electorate electorate;
    private final VoteRounds rounds = new VoteRounds();
    private final ClusterClock clusterClock;
    private final MemberWatch memberWatch;
    private final SettingsOfOthers settingsOfOthers;
    private final Function<Optional<UUID>, Operation> operation;

    /** The last reports; empty for a member without snowcast. */
    private final Map<UUID, Optional<Peer>> known = new ConcurrentHashMap<>();

    private final Map<UUID, Long> askedNanos = new ConcurrentHashMap<>();

    /** This member's UUID on the losing side of a split; set if that side lost no data, and all of it was sent. */
    private volatile @Nullable UUID formerUuid;

    /** See {@link #startMark()}. Set once for each cluster, under the monitor. */
    private volatile @Nullable HighWaterMark startMark;

    /** The number of clusters that this member has left. */
    private final AtomicLong clusters = new AtomicLong();

    OtherMembers(
            NodeEngineImpl nodeEngine,
            Settings settings,
            Supplier<HighWaterMark> ownMark,
            Clock clock,
            ILogger logger,
            Function<Optional<UUID>, Operation> operation) {
        this.nodeEngine = nodeEngine;
        this.operation = operation;
        this.settings = settings;
        this.ownMark = ownMark;
        this.logger = logger;
        this.clusterClock = new ClusterClock(clock);
        this.electorate = new Electorate(clock, settings.maxGapMillis(), settings.searchMillis(), settings.quorum());
        this.settingsOfOthers = new SettingsOfOthers(nodeEngine, settings, logger);
        this.memberWatch = new MemberWatch(
                nodeEngine, electorate, member -> Optional.empty().equals(known.get(member)), logger);
    }

    Peer answer(UUID asking, Optional<UUID> formerUuid) {
        formerUuid.ifPresent(former -> electorate.hasSent(asking, former));
        // Decide first, because the vote must take into account a pause of this member that has just ended.
        memberWatch.decide();
        HighWaterMark start = startMark;
        return new Peer(
                electorate.vote(),
                settings.setup(),
                start == null ? ownMark.get() : start,
                start != null,
                clusterClock.steadyMillis(),
                clusterClock.millis());
    }

    synchronized void reset() {
        clusters.incrementAndGet();
        known.clear();
        askedNanos.clear();
        clusterClock.reset();
        memberWatch.reset();
        formerUuid = null;
        startMark = null;
    }

    /**
     * Records that this member has joined the winning side of a split, and has tried to send its data. If the winning
     * side has received all data, this member's {@link RequestType#PEER} requests carry {@code formerUuid}, so that no
     * member waits for it any more when its whole side has sent.
     *
     * @param formerUuid this member's UUID on the losing side; null if some data was lost there or could not be sent
     */
    void sentData(@Nullable UUID formerUuid) {
        electorate.sentData(formerUuid);
        this.formerUuid = formerUuid;
        askedNanos.clear();
        others().forEach(this::ask);
    }

    // --- asking

    private List<Member> others() {
        return nodeEngine.getClusterService().getMembers().stream()
                .filter(member -> !member.localMember())
                .toList();
    }

    /** Returns the others whose votes, clocks and marks count. */
    private List<Member> otherDataMembers() {
        return others().stream().filter(member -> !member.isLiteMember()).toList();
    }

    /** Sends the requests that are due. The service calls this several times per second. */
    void ask() {
        clusterClock.readClocks();
        askRound(memberWatch.decide() != Electorate.Eligibility.CONFIRMED);
        Set<UUID> listed = new HashSet<>();
        for (Member member : others()) {
            listed.add(member.getUuid());
            if (!known.containsKey(member.getUuid())) {
                ask(member);
            }
        }
        known.keySet().retainAll(listed);
        askedNanos.keySet().retainAll(listed);
        clusterClock.retain(otherDataMembers().stream().map(Member::getUuid).collect(Collectors.toSet()));
        memberWatch.keepAddressesOf(listed);
        settingsOfOthers.noteListed(listed);
    }

    private void askRound(boolean isUrgent) {
        if (rounds.beginIfDue(electorate.asked(), isUrgent)) {
            otherDataMembers().forEach(this::ask);
        }
    }

    /**
     * Asks the other data members again soon, because a request to this owner waits for their confirmations. Has no
     * effect within the interval of urgent rounds: see {@link VoteRounds#beginIfDue}.
     */
    void askUrgently() {
        askRound(true);
    }

    private void ask(Member member) {
        long cluster = clusters.get();
        Electorate.Asked asked = electorate.asked();
        Long last = askedNanos.get(member.getUuid());
        if (last != null && (asked.at().nanos() - last < VoteRounds.MIN_PERIOD_NANOS || !isConnected(member))) {
            return;
        }
        askedNanos.put(member.getUuid(), asked.at().nanos());
        CompletionStage<Reply> reply = nodeEngine
                .getOperationService()
                .invokeOnTarget(
                        SnowcastOperation.Services.NAME,
                        operation.apply(Optional.ofNullable(formerUuid)),
                        member.getAddress());
        reply.whenComplete((answer, failure) -> {
            if (answer != null) {
                answered(member, answer.to(RequestType.PEER), asked, cluster);
            } else if (saysWithoutSnowcast(failure)) {
                known.put(member.getUuid(), Optional.empty());
                memberWatch.decide();
                electorate.excuse(member.getUuid());
            } else {
                logger.fine("No answer from " + member, failure);
            }
        });
    }

    /**
     * Returns whether the other member could not read the request because it runs without snowcast. In that case
     * Hazelcast's exception and all its causes are {@code HazelcastSerializationException}s. If there is a cause of
     * another type, snowcast failed to read the request or the answer.
     */
    static boolean saysWithoutSnowcast(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .allMatch(HazelcastSerializationException.class::isInstance);
    }

    /** Returns whether a member is connected. Hazelcast closes the connection to a member that it considers dead. */
    private boolean isConnected(Member member) {
        Server server = nodeEngine.getNode().getServer();
        return server.getConnectionManager(EndpointQualifier.MEMBER).get(member.getAddress()) != null;
    }

    private void answered(Member member, Peer peer, Electorate.Asked asked, long cluster) {
        electorate.answered(member.getUuid(), peer.vote(), asked);
        boolean isElder = elders().anyMatch(member::equals);
        if (settingsOfOthers.fit(member, isElder, peer.setup())) {
            if (!member.isLiteMember()) {
                clusterClock.heard(
                        member.getUuid(),
                        isElder,
                        peer.steadyMillis(),
                        peer.clusterMillis(),
                        asked.at().nanos());
            }
            learn(member, peer, cluster);
        }
    }

    /**
     * Records a report, unless this member has left its cluster since the request: the start mark of that cluster is
     * not the start mark of the next one.
     */
    private synchronized void learn(Member member, Peer peer, long cluster) {
        if (clusters.get() != cluster) {
            return;
        }
        known.put(member.getUuid(), Optional.of(peer));
        if (startMark == null && peer.isStartMark() && settingsOfOthers.areOwners(member)) {
            startMark = peer.mark();
            long ownMillis = ownMark.get().untilMillis();
            // After a merge, this member's own mark is always ahead.
            if (cluster == 0 && peer.setup().marks() == 0 && ownMillis > startMark.untilMillis()) {
                logger.severe("The cluster of " + member + " has begun without the high-water mark of this member, "
                        + Instant.ofEpochMilli(ownMillis) + ": if it was started after this member had"
                        + " ended, IDs up to that time may have been issued twice");
            }
        }
    }

    // --- for owners

    boolean hasConflictingSettings() {
        return settingsOfOthers.isInConflict();
    }

    Electorate electorate() {
        return electorate;
    }

    ClusterClock clusterClock() {
        return clusterClock;
    }

    MemberWatch memberWatch() {
        return memberWatch;
    }

    /** Returns a member that joined before this one and has not answered yet; null if all have answered. */
    @Nullable
    Member unknownElder() {
        return elders().filter(member -> !known.containsKey(member.getUuid()))
                .findFirst()
                .orElse(null);
    }

    /** Returns the members that joined before this one: Hazelcast lists members by age. */
    private Stream<Member> elders() {
        return nodeEngine.getClusterService().getMembers().stream().takeWhile(member -> !member.localMember());
    }

    /**
     * Returns the start mark: the high-water mark above which this cluster begins to grant; null while too few members
     * have answered. The mark includes the wait after a full restart. It never changes, because all partitions must
     * begin at the same moment. A member that joins receives it, because no member may start the wait again. Always
     * null on a lite member, whose settings need not protect the data members: it decides nothing, and no data member
     * counts its mark.
     */
    @Nullable
    HighWaterMark startMark() {
        return startMark == null ? decideStartMark() : startMark;
    }

    private synchronized @Nullable HighWaterMark decideStartMark() {
        // Before a member has joined a cluster, it lists only itself, and its own mark may be too low for that cluster.
        // Without a quorum, a member of another cluster may still make grants, which this start mark would not cover.
        boolean canDecide = nodeEngine.getClusterService().isJoined()
                && !nodeEngine.getLocalMember().isLiteMember();
        // A member that was promoted has ignored the start mark that others reported; they report it again.
        boolean isDecided = reportsOfDataMembers().anyMatch(Peer::isStartMark);
        if (startMark == null && canDecide && !isDecided && unknownElder() == null && hasMarksOfQuorum()) {
            List<HighWaterMark> marks = new ArrayList<>(List.of(ownMark.get()));
            reportsOfDataMembers().filter(peer -> peer.setup().marks() > 0).forEach(peer -> marks.add(peer.mark()));
            if (marks.size() >= settings.highWaterMarkMembers()) {
                HighWaterMark mark = HighWaterMark.of(marks);
                long waitEndMillis = settings.fullRestartWaitMillis() == 0
                        ? 0
                        : clusterClock.millis() + settings.fullRestartWaitMillis();
                startMark = new HighWaterMark(
                        Math.max(mark.untilMillis(), waitEndMillis), mark.writtenMillis(), mark.state());
            }
        }
        return startMark;
    }

    /** Returns what is awaited before {@link #startMark} can be known, with a verb, for a message. */
    String awaitedForStartMark() {
        Member elder = unknownElder();
        if (elder != null) {
            return "the answer of " + elder + " is";
        }
        return hasMarksOfQuorum()
                ? "the high-water marks of " + settings.highWaterMarkMembers() + " members are"
                : "the answers of the quorum of " + settings.quorum() + " data members are";
    }

    private Stream<Peer> reportsOfDataMembers() {
        return otherDataMembers().stream()
                .flatMap(member -> known.getOrDefault(member.getUuid(), Optional.empty()).stream());
    }

    /** Returns whether the marks of a quorum are known. This member and the members that confirm it count. */
    private boolean hasMarksOfQuorum() {
        return 1 + electorate.confirming().stream().filter(known::containsKey).count() >= settings.quorum();
    }
}
