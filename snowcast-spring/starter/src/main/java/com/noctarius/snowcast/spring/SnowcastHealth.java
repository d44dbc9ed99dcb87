// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.NotReady;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health of all sequencers, integer sequences and node leases, for the health indicators of Boot 3 and Boot 4.
 *
 * @param isUp false if a sequencer, integer sequence or node lease cannot continue for long. This ignores Attached
 *     sequencers whose layout's time is used up, and integer sequences that are used up
 * @param details the details of the sequencers, integer sequences, node leases and stores, with their names as keys
 */
record SnowcastHealth(boolean isUp, Map<String, Object> details) {
    /**
     * If less than this remains until a layout's time ends, or until IDs turn negative, the details show how much
     * remains.
     */
    private static final Duration ENDS_SOON = Duration.ofDays(365);

    /** The key of the detail that says why a sequencer, sequence or lease cannot continue for long. */
    private static final String REASON = "reason";

    /** The key of the detail that says that a sequencer or sequence is permanently used up. */
    private static final String EXHAUSTED = "exhausted";

    /** Reads the health. The {@code attacher}, unless it is null, has the reasons why sequencers are still Detached. */
    static SnowcastHealth of(KnownSequencers known, Stream<StoreDetails> kindsOfStores, @Nullable Attacher attacher) {
        Map<String, Map<String, Object>> sequencers = new LinkedHashMap<>();
        known.sequencers()
                .forEach((name, one) ->
                        sequencers.put(name, details(one, attacher == null ? null : attacher.refusalOf(one))));
        Map<String, Map<String, Object>> sequences = new LinkedHashMap<>();
        known.sequences().forEach((name, one) -> sequences.put(name, details(one.stats())));
        Map<String, Map<String, Object>> leases = new LinkedHashMap<>();
        known.nodeLeases().forEach((name, one) -> leases.put(name, details(one.stats())));
        boolean isUp = Stream.of(sequencers, sequences, leases)
                .flatMap(each -> each.values().stream())
                .noneMatch(one -> one.containsKey(REASON));
        Map<String, Object> details = new LinkedHashMap<>(Map.of("sequencers", sequencers, "sequences", sequences));
        if (!leases.isEmpty()) {
            details.put("nodeLeases", leases);
        }
        // A problem of a store alone does not make the health DOWN, because a sequence continues while it has reserved
        // integers.
        Map<String, Object> stores = new LinkedHashMap<>();
        kindsOfStores.forEach(kind -> stores.putAll(kind.details()));
        if (!stores.isEmpty()) {
            details.put("stores", stores);
        }
        return new SnowcastHealth(isUp, details);
    }

    private static Map<String, Object> details(SnowcastSequencer sequencer, @Nullable RuntimeException refusal) {
        SnowcastSequencer.Stats stats = sequencer.stats();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", stats.state().name());
        stats.logicalNodeId().ifPresent(id -> details.put("logicalNodeId", id));
        details.put("leaseRemaining", stats.leaseRemaining().toString());
        if (stats.timeRemaining().compareTo(ENDS_SOON) < 0) {
            details.put("timeRemaining", stats.timeRemaining().toString());
        }
        stats.positiveRemaining()
                .filter(left -> left.compareTo(ENDS_SOON) < 0)
                .ifPresent(left -> details.put("positiveRemaining", left.toString()));
        if (NotReady.isUsedUp(stats)) {
            details.put(EXHAUSTED, stats.problem());
            return details;
        }
        String reason = NotReady.reason(stats);
        return withReason(details, refusal == null || reason.isEmpty() ? reason : reason + ": " + refusal.getMessage());
    }

    private static Map<String, Object> details(NodeLease.Stats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", stats.state().name());
        stats.nodeId().ifPresent(id -> details.put("nodeId", id));
        details.put("leaseRemaining", stats.leaseRemaining().toString());
        return withReason(details, NotReady.reason(stats));
    }

    private static Map<String, Object> details(IntegerSequence.Stats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("remaining", stats.remaining());
        if (stats.isExhausted()) {
            details.put(EXHAUSTED, stats.problem());
        }
        return withReason(details, NotReady.reason(stats));
    }

    private static Map<String, Object> withReason(Map<String, Object> details, String reason) {
        if (!reason.isEmpty()) {
            details.put(REASON, reason);
        }
        return details;
    }
}
