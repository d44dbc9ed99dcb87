// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether all sequencers can go on, for the health indicators of both lines of Boot.
 *
 * @param isUp whether none has a problem
 * @param details what is to be told of each, by its name
 */
record SnowcastHealth(boolean isUp, Map<String, Object> details) {
    /** Extensions are asked for when half of a lease is used. */
    private static final int LEAST_PART_OF_LEASE = 4;

    static SnowcastHealth of(Map<String, SnowcastSequencer> sequencers) {
        boolean isUp = true;
        Map<String, Object> details = new LinkedHashMap<>();
        for (Map.Entry<String, SnowcastSequencer> named : sequencers.entrySet()) {
            SequencerStats stats = named.getValue().getStats();
            String reason = reason(stats);
            isUp &= reason.isEmpty();
            details.put(named.getKey(), details(stats, reason));
        }
        return new SnowcastHealth(isUp, details);
    }

    private static Map<String, Object> details(SequencerStats stats, String reason) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", stats.state().name());
        stats.logicalNodeId().ifPresent(id -> details.put("logicalNodeId", id));
        details.put("leaseRemaining", stats.leaseRemaining().toString());
        if (!reason.isEmpty()) {
            details.put("reason", reason);
        }
        return details;
    }

    /** Why it cannot go on, or not for long; empty if it can. */
    static String reason(SequencerStats stats) {
        if (stats.state() != SnowcastSequenceState.Attached) {
            return because(stats.state().name(), stats);
        }
        if (stats.logicalNodeId().isEmpty()) {
            return because("it attaches to another logical node", stats);
        }
        if (stats.leaseRemaining().isZero()) {
            return because("its lease is used up", stats);
        }
        boolean isShort =
                stats.leaseRemaining().multipliedBy(LEAST_PART_OF_LEASE).compareTo(stats.lease()) < 0;
        return isShort && !stats.problem().isEmpty()
                ? because("less than a quarter of its lease remains, " + stats.leaseRemaining(), stats)
                : "";
    }

    private static String because(String what, SequencerStats stats) {
        return stats.problem().isEmpty() ? what : what + ": " + stats.problem();
    }
}
