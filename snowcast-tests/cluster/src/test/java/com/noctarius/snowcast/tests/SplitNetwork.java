// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.test.HazelcastTestSupport;
import com.hazelcast.test.SplitBrainTestSupport;
import com.noctarius.snowcast.internal.cluster.Isolation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Two groups of members that cannot reach each other until {@link #heal}. */
record SplitNetwork(List<HazelcastInstance> one, List<HazelcastInstance> other) {
    private static final String QUORUM = "quorum";

    /** Cuts the network between two groups, and returns before any member notices. */
    static SplitNetwork cut(List<HazelcastInstance> one, List<HazelcastInstance> other) {
        SplitNetwork network = new SplitNetwork(List.copyOf(one), List.copyOf(other));
        network.pairs(SplitBrainTestSupport::blockCommunicationBetween);
        return network;
    }

    /**
     * Calls {@link #suspected}, and waits until all data members may act as owners and no member waits for the removed
     * ones.
     */
    SplitNetwork noticed() {
        suspected();
        Isolation.awaitEnd(one);
        Isolation.awaitEnd(other);
        return this;
    }

    /** Makes each side remove the other side's members from its cluster, and waits until they are removed. */
    void suspected() {
        pairs((a, b) -> {
            HazelcastTestSupport.suspectMember(a, b);
            HazelcastTestSupport.suspectMember(b, a);
        });
        awaitSize(one, one.size());
        awaitSize(other, other.size());
    }

    SplitNetwork heal() {
        pairs(SplitBrainTestSupport::unblockCommunicationBetween);
        return this;
    }

    /**
     * Waits until both sides are one cluster. Also waits until each member that has split-brain protection counts a
     * quorum.
     */
    void awaitMerge() {
        awaitSize(one, one.size() + other.size());
        awaitSize(other, one.size() + other.size());
        Await.until(
                "a quorum", () -> Stream.of(one, other).flatMap(List::stream).allMatch(SplitNetwork::isAllowed));
    }

    /**
     * Calls {@link #heal} and {@link #awaitMerge}, and waits until all members of the losing side have sent their data.
     */
    void merge() {
        Set<HazelcastInstance> merged = ConcurrentHashMap.newKeySet();
        Map<HazelcastInstance, UUID> listeners = new HashMap<>();
        Stream.of(one, other)
                .flatMap(List::stream)
                .forEach(member ->
                        listeners.put(member, member.getLifecycleService().addLifecycleListener(event -> {
                            if (event.getState() == LifecycleState.MERGED) {
                                merged.add(member);
                            }
                        })));
        heal().awaitMerge();
        Await.until("the end of the merge", () -> merged.containsAll(one) || merged.containsAll(other));
        listeners.forEach((member, listener) -> member.getLifecycleService().removeLifecycleListener(listener));
    }

    private static boolean isAllowed(HazelcastInstance member) {
        return !member.getConfig().getSplitBrainProtectionConfigs().containsKey(QUORUM)
                || member.getSplitBrainProtectionService()
                        .getSplitBrainProtection(QUORUM)
                        .hasMinimumSize();
    }

    private void pairs(BiConsumer<HazelcastInstance, HazelcastInstance> action) {
        one.forEach(a -> other.forEach(b -> action.accept(a, b)));
    }

    private static void awaitSize(List<HazelcastInstance> members, int size) {
        Await.until(
                size + " members",
                () -> members.stream()
                        .allMatch(each -> each.getLifecycleService().isRunning()
                                && each.getCluster().getMembers().size() == size));
    }

    /** Adds properties with which the sides of a split find each other soon after it is healed. */
    static Map<String, String> properties(Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(more);
        properties.put("hazelcast.merge.first.run.delay.seconds", "1");
        properties.put("hazelcast.merge.next.run.delay.seconds", "1");
        return properties;
    }

    static void protect(Config config, int quorum) {
        config.addSplitBrainProtectionConfig(
                new SplitBrainProtectionConfig(QUORUM, true).setMinimumClusterSize(quorum));
        config.setProperty("snowcast.split.brain.protection.name", QUORUM);
    }
}
