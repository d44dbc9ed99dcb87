// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.NodeLeaseStats;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
     * A renewal is late if less than 1/{@value} of the lease remains, and a reservation is late if at most
     * 1/{@value} of a block remains. By default, a renewal or reservation begins when half of the lease or block is
     * used.
     */
    private static final int LEAST_PART = 4;

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
        SequencerStats stats = sequencer.stats();
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
        if (isUsedUp(stats)) {
            details.put(EXHAUSTED, stats.problem());
            return details;
        }
        String reason = reason(stats);
        return withReason(details, refusal == null || reason.isEmpty() ? reason : reason + ": " + refusal.getMessage());
    }

    private static Map<String, Object> details(NodeLeaseStats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", stats.state().name());
        stats.nodeId().ifPresent(id -> details.put("nodeId", id));
        details.put("leaseRemaining", stats.leaseRemaining().toString());
        return withReason(details, reason(asOfSequencer(stats)));
    }

    private static SequencerStats asOfSequencer(NodeLeaseStats stats) {
        return new SequencerStats(
                stats.state(),
                stats.nodeId(),
                stats.lease(),
                stats.leaseRemaining(),
                stats.problem(),
                0,
                stats.waitCount(),
                stats.waitTime(),
                stats.renewalCount(),
                stats.renewalFailureCount(),
                stats.leaseLossCount(),
                CounterStart.ZERO,
                Duration.ofMillis(Long.MAX_VALUE),
                Optional.empty());
    }

    private static Map<String, Object> details(IntegerSequenceStats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("remaining", stats.remaining());
        if (stats.isExhausted()) {
            details.put(EXHAUSTED, stats.problem());
        }
        return withReason(details, reason(stats));
    }

    private static Map<String, Object> withReason(Map<String, Object> details, String reason) {
        if (!reason.isEmpty()) {
            details.put(REASON, reason);
        }
        return details;
    }

    /**
     * Returns why a sequencer cannot continue for long; empty if it can, or if it is Attached and the time of its
     * layout is used up.
     */
    static String reason(SequencerStats stats) {
        if (stats.state() != SnowcastSequenceState.Attached) {
            return because(stats.state().name(), stats);
        }
        if (isUsedUp(stats)) {
            return "";
        }
        if (stats.logicalNodeId().isEmpty()) {
            return because("it attaches to another node ID", stats);
        }
        if (stats.leaseRemaining().isZero()) {
            return because("its lease has expired", stats);
        }
        boolean isShort = stats.leaseRemaining().multipliedBy(LEAST_PART).compareTo(stats.lease()) < 0;
        return isShort && !stats.problem().isEmpty()
                ? because("less than a quarter of its lease remains, " + stats.leaseRemaining(), stats)
                : "";
    }

    /**
     * Returns whether a sequencer is Attached and the time of its layout is used up. This does not make the health
     * DOWN, because all processes would be DOWN at the same moment, and would serve no other requests. A restart would
     * not help.
     */
    private static boolean isUsedUp(SequencerStats stats) {
        return stats.state() == SnowcastSequenceState.Attached
                && stats.timeRemaining().isZero();
    }

    /**
     * Returns why an integer sequence cannot continue for long; empty if it has enough reserved integers, if
     * reservations do not fail, or if it is used up. A sequence that is used up does not make the health DOWN, because
     * all processes would be DOWN at the same moment, and would serve no other requests.
     */
    static String reason(IntegerSequenceStats stats) {
        if (stats.isExhausted() || stats.problem().isEmpty() || stats.remaining() > stats.blockSize() / LEAST_PART) {
            return "";
        }
        return stats.remaining() == 0
                ? stats.problem()
                : "at most a quarter of a block remains, " + stats.remaining() + ": " + stats.problem();
    }

    private static String because(String what, SequencerStats stats) {
        return stats.problem().isEmpty() ? what : what + ": " + stats.problem();
    }
}
