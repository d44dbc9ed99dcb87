// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.internal.base.NotReady;
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
    /** Determines the readiness without a call to the database or the cluster. */
    public static Readiness of(Sources sources) {
        Map<String, String> reasons = new LinkedHashMap<>();
        Map<String, String> details = new LinkedHashMap<>();
        sources.sequencers().forEach(one -> {
            SnowcastSequencer.Stats stats = one.stats();
            String key = "sequencers." + one.getSequencerName();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, shown(stats.logicalNodeId(), stats.leaseRemaining()));
        });
        sources.nodeLeases().forEach(one -> {
            NodeLease.Stats stats = one.stats();
            String key = "node-leases." + one.name();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, shown(stats.nodeId(), stats.leaseRemaining()));
        });
        sources.sequences().forEach(one -> {
            IntegerSequence.Stats stats = one.stats();
            String key = "sequences." + one.name();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, stats.isExhausted() ? stats.problem() : stats.remaining() + " integers reserved");
        });
        reasons.values().removeIf(String::isEmpty);
        details.putAll(reasons);
        return new Readiness(reasons.isEmpty(), details);
    }

    private static String shown(OptionalInt nodeId, Duration leaseRemaining) {
        return "node ID " + (nodeId.isPresent() ? nodeId.getAsInt() : "none") + ", lease for " + leaseRemaining;
    }
}
