// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

/**
 * One step of a schedule of faults.
 *
 * @param kind the fault, or the use of a sequencer
 * @param who a random number, which selects one of the present participants
 * @param name the index of a sequencer, if the kind needs one
 * @param amount a time in milliseconds, a number of repetitions, or the number of a variant, depending on the kind
 */
record FaultStep(Kind kind, int who, int name, long amount) {

    enum Kind {
        JOIN(true),
        /** A member shuts down gracefully. */
        LEAVE(true),
        /** A member crashes while all partitions have their backups. */
        CRASH(true),
        /** The owner of a sequencer's table and the first of its two backups crash at once. */
        CRASH_TWO(true),
        /** All members shut down gracefully or crash, and the same number of members start. Clients continue. */
        RESTART(true),
        /** All members with a sequencer's table crash at once. */
        LOSE_TABLE(true),
        JOIN_CLIENT(true),
        /** A client shuts down gracefully. */
        LEAVE_CLIENT(true),
        LOSE_CLIENT(true),
        /** The network between a member or client and all other members is cut for {@code amount} milliseconds. */
        CUT(true),
        /**
         * The network between two groups of members is cut. It stays cut for {@code amount} milliseconds after the
         * groups have noticed the cut. Then the groups merge.
         */
        SPLIT(true),
        /** A wall clock is set {@code amount} milliseconds off, and its next read is wrong by another 49.7 days. */
        SET_CLOCK(false),
        /** Cluster time is set {@code amount} milliseconds off. */
        SET_CLUSTER_CLOCK(false),
        /** Two participants repeatedly detach and attach a sequencer, so that they may get each other's node IDs. */
        DETACH_AND_ATTACH(false),
        /** A sequencer is destroyed and created again, with the layout that {@code amount} selects. */
        RECREATE(false),
        /** All pending steps complete, and all participants generate IDs, unless their clocks are too wrong. */
        REST(false);

        private final boolean isOfTopology;

        Kind(boolean isOfTopology) {
            this.isOfTopology = isOfTopology;
        }

        /** Returns whether the step changes the participants or connections. Only one such step runs at a time. */
        boolean isOfTopology() {
            return isOfTopology;
        }
    }
}
