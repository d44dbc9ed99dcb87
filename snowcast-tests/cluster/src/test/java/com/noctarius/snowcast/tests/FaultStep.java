// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

/**
 * One event of a schedule.
 *
 * @param kind what happens
 * @param who to whom: a choice among those who are present
 * @param name a choice among the sequencers, where it matters
 * @param amount how much, where it matters: milliseconds, or a choice
 */
record FaultStep(Kind kind, int who, int name, long amount) {

    /** What can happen. */
    enum Kind {
        /** A member joins. */
        JOIN(true),
        /** A member leaves in order. */
        LEAVE(true),
        /** A member crashes, when all partitions have their backup. */
        CRASH(true),
        /** The owner of a sequencer's table and its first backup crash at once; there is a second one. */
        CRASH_TWO(true),
        /** All members leave in order, or crash, and as many start; clients stay. */
        RESTART(true),
        /** All members that have a sequencer's table crash at once. */
        LOSE_TABLE(true),
        /** A client joins. */
        JOIN_CLIENT(true),
        /** A client leaves in order. */
        LEAVE_CLIENT(true),
        /** A client is gone, without a word. */
        LOSE_CLIENT(true),
        /** The network between a member or client and all others is cut for that many milliseconds. */
        CUT(true),
        /**
         * Some members and all others lose sight of each other for that many milliseconds, and the two clusters merge.
         */
        SPLIT(true),
        /** A read of a wall clock is wrong by 49.7 days, and then the clock is set, to that many milliseconds off. */
        SET_CLOCK(false),
        /** The time of the cluster is set, to so many milliseconds off. */
        SET_CLUSTER_CLOCK(false),
        /** A sequencer is detached and attached again by two at a time, so often: they get each other's node IDs. */
        DETACH_AND_ATTACH(false),
        /** A sequencer is destroyed and created again, with the given choice of a layout. */
        RECREATE(false),
        /** All that was begun comes to its end, and everybody generates. */
        REST(false);

        private final boolean isOfTopology;

        Kind(boolean isOfTopology) {
            this.isOfTopology = isOfTopology;
        }

        /** Whether who is there, or who can reach whom, changes: one such step at a time, others run meanwhile. */
        boolean isOfTopology() {
            return isOfTopology;
        }
    }
}
