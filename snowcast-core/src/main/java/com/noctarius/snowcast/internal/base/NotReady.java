// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Duration;
import java.util.OptionalInt;

/** The reasons why a sequencer, node lease or integer sequence is not ready, for the health in all frameworks. */
public final class NotReady {
    /** A renewal or reservation, which begins at about half, is late if less than 1/{@value} remains. */
    private static final int LEAST_PART = 4;

    private NotReady() {}

    /** Returns why a sequencer cannot continue for long; empty if it can, or if it {@link #isUsedUp}. */
    public static String reason(SnowcastSequencer.Stats stats) {
        return isUsedUp(stats)
                ? ""
                : reason(stats.state(), stats.logicalNodeId(), stats.lease(), stats.leaseRemaining(), stats.problem());
    }

    /** Returns why a node lease cannot continue for long; empty if it can. */
    public static String reason(NodeLease.Stats stats) {
        return reason(stats.state(), stats.nodeId(), stats.lease(), stats.leaseRemaining(), stats.problem());
    }

    private static String reason(
            SnowcastSequenceState state, OptionalInt nodeId, Duration lease, Duration remaining, String problem) {
        String why = problem.isEmpty() ? "" : ": " + problem;
        if (state != SnowcastSequenceState.Attached) {
            return state.name() + why;
        }
        if (nodeId.isEmpty()) {
            return "it attaches to another node ID" + why;
        }
        if (remaining.isZero()) {
            return "its lease has expired" + why;
        }
        boolean isShort = remaining.multipliedBy(LEAST_PART).compareTo(lease) < 0;
        return isShort && !problem.isEmpty() ? "less than a quarter of its lease remains, " + remaining + why : "";
    }

    /**
     * Returns whether a sequencer is Attached and the time of its layout is used up. It is ready then: otherwise no
     * process would be ready from the same moment on, and none would serve other requests.
     */
    public static boolean isUsedUp(SnowcastSequencer.Stats stats) {
        return stats.state() == SnowcastSequenceState.Attached
                && stats.timeRemaining().isZero();
    }

    /**
     * Returns why an integer sequence cannot continue for long; empty if it has enough reserved integers, if
     * reservations do not fail, or if it is used up, for the reason of {@link #isUsedUp}.
     */
    public static String reason(IntegerSequence.Stats stats) {
        if (stats.isExhausted() || stats.problem().isEmpty() || stats.remaining() > stats.blockSize() / LEAST_PART) {
            return "";
        }
        return stats.remaining() == 0
                ? stats.problem()
                : "at most a quarter of a block remains, " + stats.remaining() + ": " + stats.problem();
    }
}
