// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.floor.FloorMark;
import com.noctarius.snowcast.internal.table.Confirmations;
import com.noctarius.snowcast.internal.table.TableRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What this member knows of the others: whether they list it, what they were set up with, and how far IDs may have been
 * issued before they were started. It asks them when they come, and, with split-brain protection, every second.
 *
 * <p>Thread-safe. Nothing blocks.
 */
final class Peers {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Stands for a member without snowcast; no other equals it. */
    private static final Peer STRANGER = new Peer(false, -1, -1, FloorMark.NONE, false);

    private final NodeEngineImpl nodeEngine;
    private final TableRules rules;
    private final @Nullable SplitBrainProtectionConfig protection;
    private final FloorMark former;
    private final int wantedMarks;
    private final Clock clock;
    private final ILogger logger;
    private final Confirmations confirmations = new Confirmations();
    private final Map<UUID, Peer> known = new ConcurrentHashMap<>();
    private final Map<UUID, Long> askedNanos = new ConcurrentHashMap<>();

    /** Set once, under the monitor: all that begins in this cluster begins there. */
    private volatile @Nullable FloorMark beginning;

    private final AtomicBoolean leaving = new AtomicBoolean();

    /** For how many data members it was said that the quorum is no majority. Used by one thread at a time. */
    private int warnedOfMembers;

    Peers(NodeEngine nodeEngine, Settings settings, FloorMark former, Clock clock, ILogger logger) {
        this.nodeEngine = (NodeEngineImpl) nodeEngine;
        this.rules = settings.rules();
        this.protection = settings.protection();
        this.former = former;
        this.wantedMarks = settings.floorMembers();
        this.clock = clock;
        this.logger = logger;
    }

    /** Answers another member. */
    Peer describeTo(@Nullable UUID caller) {
        boolean lists = caller != null && nodeEngine.getClusterService().getMember(caller) != null;
        FloorMark begun = beginning;
        return new Peer(lists, rules.firstNodeId(), rules.lastNodeId(), begun == null ? former : begun, begun != null);
    }

    /** Forgets all, because this member leaves its cluster. */
    synchronized void reset() {
        known.clear();
        askedNanos.clear();
        beginning = null;
        confirmations.retain(Set.of());
    }

    // --- asking

    private List<Member> others() {
        List<Member> others = new ArrayList<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            if (!member.localMember()) {
                others.add(member);
            }
        }
        return others;
    }

    /** Asks whom it has not asked for long enough; to be called several times per second. */
    void ask() {
        Set<UUID> listed = new HashSet<>();
        for (Member member : others()) {
            listed.add(member.getUuid());
            boolean isNew = !known.containsKey(member.getUuid());
            if (isNew || protection != null) {
                ask(member, isNew ? MIN_PERIOD_NANOS : PERIOD_NANOS);
            }
        }
        known.keySet().retainAll(listed);
        askedNanos.keySet().retainAll(listed);
        confirmations.retain(listed);
        warnUnlessMajority();
    }

    /** Asks everybody soon again: an owner wants to act and may not. */
    private void askAnew() {
        others().forEach(member -> ask(member, MIN_PERIOD_NANOS));
    }

    private void ask(Member member, long periodNanos) {
        // The version first: a list that changes in between makes the answer count for less, not for more.
        Confirmations.Asked asked = now();
        Long last = askedNanos.get(member.getUuid());
        if (last != null && asked.nanos() - last < periodNanos) {
            return;
        }
        askedNanos.put(member.getUuid(), asked.nanos());
        CompletionStage<Reply<Peer>> reply = nodeEngine
                .getOperationService()
                .invokeOnTarget(SnowcastService.NAME, new PeerOperation(), member.getAddress());
        reply.whenComplete((answer, failure) -> {
            Peer peer = answer == null ? null : answer.value();
            if (peer != null) {
                answered(member, peer, asked);
            } else if (failure instanceof HazelcastSerializationException) {
                known.put(member.getUuid(), STRANGER);
            } else {
                logger.fine("No answer from " + member, failure);
            }
        });
    }

    private void answered(Member member, Peer peer, Confirmations.Asked asked) {
        if (peer.listsCaller()) {
            confirmations.add(member.getUuid(), asked);
        }
        boolean sameRange = peer.firstNodeId() == rules.firstNodeId() && peer.lastNodeId() == rules.lastNodeId();
        if (sameRange || !isOlder(member)) {
            learn(member, peer);
        } else if (leaving.compareAndSet(false, true)) {
            leaveBecause(Settings.NODE_ID_RANGE.getName() + " must be the same on all members of a cluster: it is "
                    + rules.firstNodeId() + "-" + rules.lastNodeId() + " here and " + peer.firstNodeId() + "-"
                    + peer.lastNodeId() + " on " + member);
        }
    }

    private synchronized void learn(Member member, Peer peer) {
        known.put(member.getUuid(), peer);
        if (beginning == null && peer.hasBegun()) {
            beginning = peer.former();
        }
    }

    private boolean isOlder(Member member) {
        for (Member listed : nodeEngine.getClusterService().getMembers()) {
            if (listed.localMember() || listed.equals(member)) {
                return !listed.localMember();
            }
        }
        return false;
    }

    private void leaveBecause(String reason) {
        logger.severe("This member leaves the cluster: " + reason);
        // On a thread of its own: it ends those that answers arrive on. In order: it may have been given data by now.
        new Thread(() -> nodeEngine.getHazelcastInstance().shutdown(), "snowcast-leaves").start();
    }

    private void warnUnlessMajority() {
        int members = nodeEngine
                .getClusterService()
                .getMembers(MemberSelectors.DATA_MEMBER_SELECTOR)
                .size();
        if (protection != null && members > warnedOfMembers && members >= 2 * protection.getMinimumClusterSize()) {
            warnedOfMembers = members;
            logger.warning("The split-brain protection " + protection.getName() + " of "
                    + Settings.SPLIT_BRAIN_PROTECTION_NAME.getName() + " wants "
                    + protection.getMinimumClusterSize() + " members, which is no majority of " + members
                    + ": in a network that splits, both sides may go on");
        }
    }

    // --- what owners want to know

    private Confirmations.Asked now() {
        return new Confirmations.Asked(
                nodeEngine.getClusterService().getMemberListVersion(), clock.millis(), clock.nanos());
    }

    /**
     * Fails an operation if this member may have been cut off from the others, or does not know yet whether it may be
     * one of them. To be called after the last look at the members, which a later one could shorten.
     */
    void requireQuorum() {
        if (leaving.get()) {
            throw new RetryableHazelcastException("this member leaves its cluster");
        }
        Member elder = unknownElder();
        if (elder != null) {
            askAnew();
            throw new RetryableHazelcastException("it is not known yet how " + elder + " is set up");
        }
        if (protection == null) {
            return;
        }
        int confirmed = 1 + confirmations.count(now());
        if (confirmed < protection.getMinimumClusterSize()) {
            askAnew();
            throw new RetryableHazelcastException("only " + confirmed + " of the "
                    + protection.getMinimumClusterSize() + " members that split-brain protection "
                    + protection.getName() + " wants have lately confirmed that they list this one");
        }
    }

    /** Members are listed by age. */
    private @Nullable Member unknownElder() {
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            if (member.localMember()) {
                return null;
            }
            if (!known.containsKey(member.getUuid())) {
                return member;
            }
        }
        return null;
    }

    /**
     * Returns what was granted before the cluster was started, as far as enough members know; null while they have not
     * told. Once it is known it stays, also for those that join: the partitions must not begin differently.
     */
    @Nullable
    FloorMark beginning() {
        return beginning == null ? decideBeginning() : beginning;
    }

    private synchronized @Nullable FloorMark decideBeginning() {
        if (beginning == null && unknownElder() == null) {
            List<FloorMark> marks = new ArrayList<>(List.of(former));
            for (Member member : others()) {
                Peer peer = known.get(member.getUuid());
                if (peer != null && !peer.equals(STRANGER)) {
                    marks.add(peer.former());
                }
            }
            if (marks.size() >= wantedMarks) {
                beginning = FloorMark.of(marks);
            }
        }
        return beginning;
    }
}
