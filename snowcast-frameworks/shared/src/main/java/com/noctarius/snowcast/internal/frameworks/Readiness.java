// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.NodeLeaseStats;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequenceState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The readiness of all sources, by the rules of the Spring Boot starter.
 *
 * @param isUp whether all sources are ready
 * @param details for each source, such as {@code sequencers.orders}: its node ID and remaining lease, or its remaining
 *     integers; or why it is exhausted or not ready
 */
public record Readiness(boolean isUp, Map<String, String> details) {
    /**
     * A renewal is late if less than 1/{@value} of the lease remains, and a reservation is late if at most 1/{@value}
     * of a block remains. By default, a renewal or reservation begins when half is used.
     */
    private static final int LEAST_PART = 4;

    /** Determines the readiness without a call to the database or the cluster. */
    public static Readiness of(Sources sources) {
        Map<String, String> reasons = new LinkedHashMap<>();
        Map<String, String> details = new LinkedHashMap<>();
        sources.sequencers().forEach(one -> {
            SequencerStats stats = one.stats();
            String key = "sequencers." + one.getSequencerName();
            reasons.put(key, reason(stats));
            details.put(key, shown(stats.logicalNodeId(), stats.leaseRemaining()));
        });
        sources.nodeLeases().forEach(one -> {
            NodeLeaseStats stats = one.stats();
            String key = "node-leases." + one.name();
            reasons.put(
                    key, reason(stats.state(), stats.nodeId(), stats.lease(), stats.leaseRemaining(), stats.problem()));
            details.put(key, shown(stats.nodeId(), stats.leaseRemaining()));
        });
        sources.sequences().forEach(one -> {
            IntegerSequenceStats stats = one.stats();
            String key = "sequences." + one.name();
            reasons.put(key, reason(stats));
            details.put(key, stats.isExhausted() ? stats.problem() : stats.remaining() + " integers reserved");
        });
        reasons.values().removeIf(String::isEmpty);
        details.putAll(reasons);
        return new Readiness(reasons.isEmpty(), details);
    }

    private static String shown(OptionalInt nodeId, Duration leaseRemaining) {
        return "node ID " + (nodeId.isPresent() ? nodeId.getAsInt() : "none") + ", lease for " + leaseRemaining;
    }

    /**
     * Returns why a sequencer is not ready; empty if it is ready. An attached sequencer counts as ready even if the
     * time of its layout is used up, because this happens in all processes at the same time, and a restart would not
     * help.
     */
    private static String reason(SequencerStats stats) {
        boolean isUsedUp = stats.state() == SnowcastSequenceState.Attached
                && stats.timeRemaining().isZero();
        return isUsedUp
                ? ""
                : reason(
                        stats.state(),
                        stats.logicalNodeId(),
                        stats.lease(),
                        stats.leaseRemaining(),
                        stats.problem());
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

    private static String reason(IntegerSequenceStats stats) {
        if (stats.isExhausted() || stats.problem().isEmpty() || stats.remaining() > stats.blockSize() / LEAST_PART) {
            return "";
        }
        return stats.remaining() == 0
                ? stats.problem()
                : "at most a quarter of a block remains, " + stats.remaining() + ": " + stats.problem();
    }
}
