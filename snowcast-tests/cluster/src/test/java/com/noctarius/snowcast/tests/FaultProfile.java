// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.tests.FaultStep.Kind;
import java.util.EnumMap;
import java.util.Map;

/** What faults a schedule is made of; for each kind, how often. Not all go together under the promise of one run. */
enum FaultProfile {
    /** Members and clients come and go, sequencers are destroyed and created anew with other layouts. */
    COMING_AND_GOING(Map.of(
            Kind.JOIN, 6,
            Kind.LEAVE, 3,
            Kind.CRASH, 4,
            Kind.JOIN_CLIENT, 3,
            Kind.LEAVE_CLIENT, 1,
            Kind.LOSE_CLIENT, 2,
            Kind.DETACH_AND_ATTACH, 6,
            Kind.RECREATE, 3,
            Kind.RECREATE_INTEGERS, 3,
            Kind.REST, 4)),

    /** Clocks are set, single members and clients are cut off for a while. */
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
     * Partitions are lost with all their backups. What they knew of destroyed sequencers is lost, too: so nothing is
     * destroyed here.
     */
    LOSSES(Map.of(
            Kind.JOIN, 8,
            Kind.CRASH, 1,
            Kind.LOSE_TABLE, 1,
            Kind.LOSE_COUNTER, 2,
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
            Kind.REST, 2)),

    /**
     * The cluster splits into parts that both go on, and merges. There are integer sequences only: what IDs may then be
     * there twice is reported by time, and the tests of merges see to that.
     */
    MERGES(Map.of(
            Kind.JOIN, 4,
            Kind.LEAVE, 1,
            Kind.CRASH, 1,
            Kind.SPLIT, 3,
            Kind.JOIN_CLIENT, 2,
            Kind.LOSE_CLIENT, 1,
            Kind.RECREATE_INTEGERS, 2,
            Kind.REST, 4));

    /** How many members a cluster under split-brain protection needs. */
    static final int QUORUM = 3;

    /** How many members there are at most. */
    static final int MAX_MEMBERS = 5;

    @SuppressWarnings("ImmutableEnumChecker") // a copy that nobody changes
    private final Map<Kind, Integer> weights;

    FaultProfile(Map<Kind, Integer> weights) {
        this.weights = new EnumMap<>(weights);
    }

    /** Returns how often a kind occurs, in relation to the others. */
    int weight(Kind kind) {
        return weights.getOrDefault(kind, 0);
    }

    /** Returns how many members there are at least: such that one can go. */
    int minMembers() {
        return switch (this) {
            case SPLITS -> QUORUM + 1;
            case MERGES -> 3;
            default -> 2;
        };
    }

    /** Whether the cluster splits, which takes long. */
    boolean hasSplits() {
        return this == SPLITS || this == MERGES;
    }

    /** Returns how many sequencers there are. */
    int sequencers() {
        return this == MERGES ? 0 : FaultSchedule.SEQUENCERS;
    }

    /** Returns how many backups a sequencer, or an integer sequence, has: where losses are wanted, the second has none. */
    int backupCount(int sequencer) {
        return this == LOSSES && sequencer == 1 ? 0 : 1;
    }

    /** Returns the profile that a seed stands for. */
    static FaultProfile of(long seed) {
        return values()[(int) Math.floorMod(seed, (long) values().length)];
    }
}
