// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.NotReady;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The readiness of all sources of a {@code Snowcast}, configured or created in code, by the rules of the Spring Boot
 * starter.
 *
 * @param isUp whether all sources are ready
 * @param details for each source, such as {@code sequencers.orders}: its node ID and remaining lease, or its remaining
 *     integers; or why it is exhausted or not ready
 */
public record Readiness(boolean isUp, Map<String, String> details) {
    /** Determines the readiness without a call to the database or the cluster. */
    public static Readiness of(Sources sources) {
        Snowcast snowcast = sources.snowcast();
        Map<String, String> reasons = new LinkedHashMap<>();
        Map<String, String> details = new LinkedHashMap<>();
        all(sources.sequencers(), snowcast::sequencers).forEach(one -> {
            SnowcastSequencer.Stats stats = one.stats();
            String key = "sequencers." + one.getSequencerName();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, shown(stats.logicalNodeId(), stats.leaseRemaining()));
        });
        all(sources.nodeLeases(), snowcast::nodeLeases).forEach(one -> {
            NodeLease.Stats stats = one.stats();
            String key = "node-leases." + one.name();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, shown(stats.nodeId(), stats.leaseRemaining()));
        });
        all(sources.sequences(), snowcast::integerSequences).forEach(one -> {
            IntegerSequence.Stats stats = one.stats();
            String key = "sequences." + one.name();
            reasons.put(key, NotReady.reason(stats));
            details.put(key, stats.isExhausted() ? stats.problem() : stats.remaining() + " integers reserved");
        });
        reasons.values().removeIf(String::isEmpty);
        details.putAll(reasons);
        return new Readiness(reasons.isEmpty(), details);
    }

    /**
     * Returns the configured sources, also those that were closed, and after them the present ones of the
     * {@code Snowcast}, which replace a configured one of the same name.
     */
    private static <T> Set<T> all(Collection<T> configured, Supplier<Collection<T>> present) {
        Set<T> all = new LinkedHashSet<>(configured);
        try {
            all.addAll(present.get());
        } catch (UnsupportedOperationException e) {
            // A Snowcast of the application need not list its sources.
        }
        return all;
    }

    private static String shown(OptionalInt nodeId, Duration leaseRemaining) {
        return "node ID " + (nodeId.isPresent() ? nodeId.getAsInt() : "none") + ", lease for " + leaseRemaining;
    }
}
