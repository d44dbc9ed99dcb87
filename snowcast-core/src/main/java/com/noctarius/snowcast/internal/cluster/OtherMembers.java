// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.server.Server;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.owner.Electorate;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this member knows of the others: whether they list it, how they were set up, and how far IDs may have been
 * issued before they were started. It asks all when they come, and the data members every two seconds. Thread-safe;
 * nothing blocks.
 */
final class OtherMembers {
    /** Stands for a member without snowcast; no other equals it. */
    private static final Peer WITHOUT_SNOWCAST = new Peer(
            new Electorate.Vote(0, false, Electorate.Standing.NEW, 0, 0),
            new Peer.Setup("none", 0, 0, 0),
            HighWaterMark.NONE,
            false,
            0,
            0);

    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final @Nullable SplitBrainProtectionConfig protection;
    private final HighWaterMark formerMark;
    private final ILogger logger;
    private final Electorate electorate;
    private final ClusterClock clusterClock;
    private final MemberEligibility eligibility;
    private final Function<Optional<UUID>, Operation> operation;

    private final Map<UUID, Peer> known = new ConcurrentHashMap<>();
    private final Map<UUID, Long> askedNanos = new ConcurrentHashMap<>();

    /** What was said of members that do not survive what this one does. */
    private final Map<UUID, String> warnedOf = new ConcurrentHashMap<>();

    /** This member's UUID on the losing side of a split, once the winning side has what it knew. */
    private volatile @Nullable UUID mergedAs;

    /** Set once, under the monitor: all that this member begins in this cluster begins there. */
    private volatile @Nullable HighWaterMark beginning;

    /** How many clusters this member has left. */
    private final AtomicLong clusters = new AtomicLong();

    private final AtomicBoolean leaving = new AtomicBoolean();

    /** For how many data members it was said that the quorum is no majority. Used by one thread at a time. */
    private int warnedOfMembers;

    OtherMembers(
            NodeEngineImpl nodeEngine,
            Settings settings,
            HighWaterMark formerMark,
            Clock clock,
            ILogger logger,
            Function<Optional<UUID>, Operation> operation) {
        this.nodeEngine = nodeEngine;
        this.operation = operation;
        this.settings = settings;
        this.protection = settings.protection();
        this.formerMark = formerMark;
        this.logger = logger;
        this.clusterClock = new ClusterClock(clock);
        this.electorate = new Electorate(clock, settings.maxGapMillis(), settings.searchMillis(), quorum());
        this.eligibility = new MemberEligibility(
                nodeEngine, electorate, member -> WITHOUT_SNOWCAST.equals(known.get(member)), logger);
    }

    Peer answer(Optional<UUID> formerlyListed) {
        formerlyListed.ifPresent(electorate::excuse);
        // First, since it notices that this member was paused until now.
        eligibility.look();
        HighWaterMark begun = beginning;
        return new Peer(
                electorate.vote(),
                settings.setup(),
                begun == null ? formerMark : begun,
                begun != null,
                clusterClock.steadyMillis(),
                clusterClock.millis());
    }

    synchronized void reset() {
        clusters.incrementAndGet();
        known.clear();
        askedNanos.clear();
        clusterClock.reset();
        eligibility.reset();
        mergedAs = null;
        beginning = null;
    }

    /** Returns this data member's UUID, as it was when it last looked: a merge changes it. */
    @Nullable
    UUID thisMember() {
        return electorate.self();
    }

    /** Whether there is split-brain protection, and no two quorums are apart. */
    boolean isProtected() {
        return electorate.isQuorumOfAll();
    }

    /** Returns the data members that this one lists, itself included, as it leaves the losing side of a split. */
    Set<UUID> comesOver() {
        electorate.comesOver();
        return electorate.listed();
    }

    /**
     * Notes that the winning side of a split has what this member knew, and asks each member there, which learns it.
     *
     * @param formerSelf as this member was called on the losing side
     * @param hasAll whether it had lost nothing before
     */
    void cameOver(@Nullable UUID formerSelf, boolean hasAll) {
        electorate.cameOver(hasAll ? formerSelf : null);
        mergedAs = formerSelf;
        askedNanos.clear();
        others().forEach(this::ask);
    }

    // --- asking

    private List<Member> others() {
        return nodeEngine.getClusterService().getMembers().stream()
                .filter(member -> !member.localMember())
                .toList();
    }

    /** Asks whom it has not asked for long enough; to be called several times per second. */
    void ask() {
        clusterClock.look();
        askRound(eligibility.look() != Electorate.Eligibility.CONFIRMED);
        Set<UUID> listed = new HashSet<>();
        for (Member member : others()) {
            listed.add(member.getUuid());
            if (!known.containsKey(member.getUuid())) {
                ask(member);
            }
        }
        known.keySet().retainAll(listed);
        askedNanos.keySet().retainAll(listed);
        warnedOf.keySet().retainAll(listed);
        clusterClock.retain(listed);
        eligibility.keepAddressesOf(listed);
        warnUnlessMajority();
    }

    private void askRound(boolean isUrgent) {
        if (electorate.beginRoundIfDue(isUrgent)) {
            others().stream().filter(member -> !member.isLiteMember()).forEach(this::ask);
        }
    }

    /** Asks soon again: an owner wants to act and may not. Returns the exception that says why. */
    private RetryableHazelcastException askAnew(String why) {
        askRound(true);
        return new RetryableHazelcastException(why);
    }

    private void ask(Member member) {
        long cluster = clusters.get();
        Electorate.Asked asked = electorate.asked();
        Long last = askedNanos.get(member.getUuid());
        if (last != null && (asked.nanos() - last < Electorate.MIN_PERIOD_NANOS || !isConnected(member))) {
            return;
        }
        askedNanos.put(member.getUuid(), asked.nanos());
        CompletionStage<Reply> reply = nodeEngine
                .getOperationService()
                .invokeOnTarget(
                        MemberServices.SERVICE_NAME,
                        operation.apply(Optional.ofNullable(mergedAs)),
                        member.getAddress());
        reply.whenComplete((answer, failure) -> {
            if (answer != null) {
                answered(member, answer.to(RequestType.PEER), asked, cluster);
            } else if (saysWithoutSnowcast(failure)) {
                known.put(member.getUuid(), WITHOUT_SNOWCAST);
                eligibility.look();
                electorate.excuse(member.getUuid());
            } else {
                logger.fine("No answer from " + member, failure);
            }
        });
    }

    /**
     * Whether the other member could not read the question for want of snowcast, which Hazelcast says without a cause
     * of another kind. With one, the question or the answer was read by snowcast, and that failed.
     */
    static boolean saysWithoutSnowcast(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .allMatch(HazelcastSerializationException.class::isInstance);
    }

    /** Hazelcast connects to all members, but closes the connection to one that it takes for dead. */
    private boolean isConnected(Member member) {
        Server server = nodeEngine.getNode().getServer();
        return server.getConnectionManager(EndpointQualifier.MEMBER).get(member.getAddress()) != null;
    }

    private void answered(Member member, Peer peer, Electorate.Asked asked, long cluster) {
        electorate.answered(member.getUuid(), peer.vote(), asked);
        boolean isElder = elders().anyMatch(member::equals);
        String conflict = isElder ? conflictWith(member, peer.setup()) : null;
        if (conflict == null) {
            clusterClock.heard(member.getUuid(), isElder, peer.steadyMillis(), peer.clusterMillis(), asked.nanos());
            learn(member, peer, cluster);
            warnOfDifference(member, peer.setup());
        } else if (leaving.compareAndSet(false, true)) {
            leaveBecause(conflict + " on " + member);
        }
    }

    private @Nullable String conflictWith(Member elder, Peer.Setup setup) {
        String conflict = settings.conflictWith(setup);
        return conflict == null && areOwners(elder) ? settings.weakerThan(setup) : conflict;
    }

    /** Lite members grant nothing, so it does not matter what they survive. */
    private boolean areOwners(Member other) {
        return !other.isLiteMember() && !nodeEngine.getLocalMember().isLiteMember();
    }

    private void warnOfDifference(Member member, Peer.Setup setup) {
        String difference = areOwners(member) ? settings.differenceFrom(setup) : null;
        if (difference == null) {
            warnedOf.remove(member.getUuid());
        } else if (!difference.equals(warnedOf.put(member.getUuid(), difference))) {
            logger.warning("This member and " + member + " do not survive the same, and the cluster survives only what"
                    + " both do, until one of them is restarted with the setting of the other: " + difference);
        }
    }

    /** Does nothing in another cluster than the one that was asked: it has a beginning of its own. */
    private synchronized void learn(Member member, Peer peer, long cluster) {
        if (clusters.get() != cluster) {
            return;
        }
        known.put(member.getUuid(), peer);
        if (beginning == null && peer.hasBegun()) {
            beginning = peer.former();
            if (peer.setup().safety().marks() == 0 && formerMark.untilMillis() > beginning.untilMillis()) {
                logger.severe("The cluster of " + member + " has begun without the high-water mark of this member, "
                        + Instant.ofEpochMilli(formerMark.untilMillis()) + ": if it was started after this member had"
                        + " ended, IDs up to that time may have been issued twice");
            }
        }
    }

    private void leaveBecause(String reason) {
        logger.severe("This member leaves the cluster: " + reason);
        // On a thread of its own: it ends those that answers arrive on. In order: it may have been given data by now.
        Threads.newThread(
                        "snowcast.leaves",
                        () -> nodeEngine.getHazelcastInstance().shutdown())
                .start();
    }

    private void warnUnlessMajority() {
        int members = nodeEngine.getClusterService().getSize(MemberSelectors.DATA_MEMBER_SELECTOR);
        if (protection != null && members > warnedOfMembers && members >= 2 * protection.getMinimumClusterSize()) {
            warnedOfMembers = members;
            logger.warning("The split-brain protection " + protection.getName() + " of "
                    + SnowcastProperty.SPLIT_BRAIN_PROTECTION_NAME.key() + " wants "
                    + protection.getMinimumClusterSize() + " members, which is not a majority of " + members
                    + ": if the network splits, both sides may continue");
        }
    }

    // --- what owners want to know

    /**
     * Fails an operation if this member may have been removed, or does not know yet whether it may be one of the
     * others. To be called after the last look at the members, which a later one could shorten.
     */
    void requireConfirmed() {
        if (leaving.get()) {
            throw new RetryableHazelcastException("this member leaves its cluster");
        }
        Member elder = unknownElder();
        if (elder != null) {
            throw askAnew("it is not known yet how " + elder + " is set up");
        }
        Electorate.Eligibility present = eligibility.look();
        int confirmed = 1 + electorate.count();
        if (confirmed < quorum()) {
            throw askAnew("only " + confirmed + " of the "
                    + quorum() + " data members that split-brain protection "
                    + protectionName() + " wants have lately confirmed that they list this one");
        }
        if (present == Electorate.Eligibility.UNCONFIRMED) {
            throw askAnew("the majority of the data members with which this member last acted"
                    + " has not lately confirmed that it lists this one");
        }
        int missing = electorate.missing();
        if (missing > 0) {
            throw askAnew("at least " + missing + " more of the data members that confirm this one must know what was"
                    + " granted last: a quorum of the split-brain protection " + protectionName()
                    + " that is gone may have granted more. This member continues when members that know have merged,"
                    + " or in some seconds without its data; then it attaches no holder for "
                    + settings.rules().recoveryMillis() + " ms");
        }
        if (present == Electorate.Eligibility.ISOLATED) {
            throw new RetryableHazelcastException("this member has lost data members with which it last acted, "
                    + eligibility.absentAddresses()
                    + ", and may have been removed by them; it continues when they have merged, or after another "
                    + electorate.waitMillis() + " ms; time in which it is paused does not count");
        }
        clusterClock.use();
    }

    private int quorum() {
        return protection == null ? 0 : protection.getMinimumClusterSize();
    }

    private String protectionName() {
        return protection == null ? "" : protection.getName();
    }

    /** Returns the moment in cluster time from before which no data may be used; 0 if all may. */
    long givenUpMillis() {
        return electorate.givenUpMillis();
    }

    /** Returns the time by which owners decide. */
    ClusterClock clusterClock() {
        return clusterClock;
    }

    MemberEligibility eligibility() {
        return eligibility;
    }

    private @Nullable Member unknownElder() {
        return elders().filter(member -> !known.containsKey(member.getUuid()))
                .findFirst()
                .orElse(null);
    }

    /** Members are listed by age. */
    private Stream<Member> elders() {
        return nodeEngine.getClusterService().getMembers().stream().takeWhile(member -> !member.localMember());
    }

    /**
     * What was granted before the cluster started, or may be until the wait after a full restart has ended; null while
     * too few have answered. It stays, and a member that joins learns it: partitions must begin alike, and no member
     * begins the wait again.
     */
    @Nullable
    HighWaterMark beginning() {
        return beginning == null ? decideBeginning() : beginning;
    }

    private synchronized @Nullable HighWaterMark decideBeginning() {
        // Below the quorum another one may still act: what it grants is to be over, or in a mark, when this one begins.
        if (beginning == null && unknownElder() == null && 1 + electorate.count() >= quorum()) {
            List<HighWaterMark> marks = new ArrayList<>(List.of(formerMark));
            for (Member member : others()) {
                Peer peer = known.get(member.getUuid());
                if (peer != null && !peer.equals(WITHOUT_SNOWCAST)) {
                    marks.add(peer.former());
                }
            }
            if (marks.size() >= settings.highWaterMarkMembers()) {
                HighWaterMark mark = HighWaterMark.of(marks);
                long waitEndMillis = settings.fullRestartWaitMillis() == 0
                        ? 0
                        : clusterClock.millis() + settings.fullRestartWaitMillis();
                beginning = new HighWaterMark(
                        Math.max(mark.untilMillis(), waitEndMillis), mark.writtenMillis(), mark.closed());
            }
        }
        return beginning;
    }
}
