// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.tests.FaultStep.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The faults of a random schedule, with weights. No profile has all faults, because no guarantee holds under all
 * faults.
 */
enum FaultProfile {
    /** Members and clients join and leave. Sequencers are destroyed and created again with random layouts. */
    COMING_AND_GOING(Map.of(
            Kind.JOIN, 6,
            Kind.LEAVE, 3,
            Kind.CRASH, 4,
            Kind.JOIN_CLIENT, 3,
            Kind.LEAVE_CLIENT, 1,
            Kind.LOSE_CLIENT, 2,
            Kind.DETACH_AND_ATTACH, 6,
            Kind.RECREATE, 3,
            Kind.REST, 4)),

    /** Clocks are set. Single members and clients are cut off for a while. */
    CLOCKS_AND_CUTS(Map.of(
            Kind.JOIN, 3,
            Kind.CRASH, 2,
            Kind.JOIN_CLIENT, 2,
            Kind.LOSE_CLIENT, 1,
            Kind.CUT, 3,
            Kind.SET_CLOCK, 8,
            Kind.SET_CLUSTER_CLOCK, 2,
            Kind.DETACH_AND_ATTACH, 4,
            Kind.REST, 4)),

    /**
     * Partitions are lost with all backups. No sequencer is destroyed, because a lost partition also loses the record
     * of destroyed sequencers.
     */
    LOSSES(Map.of(
            Kind.JOIN, 8,
            Kind.CRASH, 1,
            Kind.LOSE_TABLE, 2,
            Kind.JOIN_CLIENT, 2,
            Kind.LOSE_CLIENT, 1,
            Kind.SET_CLOCK, 3,
            Kind.DETACH_AND_ATTACH, 6,
            Kind.REST, 2)),

    /** The cluster splits, under split-brain protection. */
    SPLITS(Map.of(
            Kind.JOIN, 4,
            Kind.CRASH, 1,
            Kind.SPLIT, 1,
            Kind.JOIN_CLIENT, 1,
            Kind.LOSE_CLIENT, 1,
            Kind.DETACH_AND_ATTACH, 8,
            Kind.RECREATE, 1,
            Kind.REST, 2)),

    /**
     * The cluster splits into parts that both continue, and merges. No sequencer is destroyed and no clock is set,
     * because the report of a merge might then not cover all duplicates.
     */
    MERGES(Map.of(
            Kind.JOIN, 4,
            Kind.LEAVE, 1,
            Kind.CRASH, 1,
            Kind.SPLIT, 3,
            Kind.JOIN_CLIENT, 2,
            Kind.LOSE_CLIENT, 1,
            Kind.DETACH_AND_ATTACH, 4,
            Kind.REST, 4)),

    /** Sequencers have two backups, and two members crash at once. */
    TWO_BACKUPS(Map.of(
            Kind.JOIN, 8,
            Kind.LEAVE, 1,
            Kind.CRASH, 2,
            Kind.CRASH_TWO, 4,
            Kind.JOIN_CLIENT, 2,
            Kind.LOSE_CLIENT, 1,
            Kind.DETACH_AND_ATTACH, 6,
            Kind.RECREATE, 3,
            Kind.REST, 4)),

    /** The whole cluster restarts, and its grants begin above its high-water mark. Clients continue meanwhile. */
    RESTARTS(Map.of(
            Kind.JOIN, 4,
            Kind.LEAVE, 2,
            Kind.CRASH, 2,
            Kind.RESTART, 2,
            Kind.JOIN_CLIENT, 3,
            Kind.LOSE_CLIENT, 1,
            Kind.SET_CLOCK, 3,
            Kind.SET_CLUSTER_CLOCK, 1,
            Kind.DETACH_AND_ATTACH, 5,
            Kind.REST, 4));

    static final int SEQUENCERS = 2;

    static final int QUORUM = 3;

    static final int MAX_MEMBERS = 5;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable copy
    private final Map<Kind, Integer> weights;

    FaultProfile(Map<Kind, Integer> weights) {
        this.weights = new EnumMap<>(weights);
    }

    int weight(Kind kind) {
        return weights.getOrDefault(kind, 0);
    }

    /** Returns the faults for which the profile exists. A schedule must contain all of them. */
    Set<Kind> reasons() {
        return switch (this) {
            case COMING_AND_GOING -> weights.keySet();
            case CLOCKS_AND_CUTS -> Set.of(Kind.CUT, Kind.SET_CLOCK, Kind.SET_CLUSTER_CLOCK);
            case LOSSES -> Set.of(Kind.LOSE_TABLE);
            case SPLITS, MERGES -> Set.of(Kind.SPLIT);
            case TWO_BACKUPS -> Set.of(Kind.CRASH_TWO);
            case RESTARTS -> Set.of(Kind.RESTART);
        };
    }

    /** Returns the least number of members that a step may leave in the cluster. */
    int minMembers() {
        return switch (this) {
            case SPLITS -> QUORUM + 1;
            case MERGES -> 3;
            default -> 2;
        };
    }

    /** Returns whether the cluster splits. Schedules with splits take long. */
    boolean hasSplits() {
        return this == SPLITS || this == MERGES;
    }

    int backupCount(int index) {
        return switch (this) {
            case LOSSES -> index == 1 ? 0 : 1;
            case SPLITS, MERGES -> index == 1 ? 2 : 1;
            case TWO_BACKUPS -> 2;
            default -> 1;
        };
    }

    static FaultProfile of(long seed) {
        return values()[(int) Math.floorMod(seed, (long) values().length)];
    }
}
