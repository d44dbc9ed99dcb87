// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Micrometer's meters of sequencers and integer sequences, each with its name as the tag {@code sequencer} or {@code
 * sequence}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.sequencer.issued}</td><td>IDs that calls returned</td></tr>
 * <tr><td>{@code snowcast.sequencer.waits}</td><td>how often, and how long all together, calls were parked</td></tr>
 * <tr><td>{@code snowcast.sequencer.lease.remaining}</td><td>how long IDs can be generated without the cluster</td></tr>
 * <tr><td>{@code snowcast.sequencer.logical.node}</td><td>the logical node ID; NaN if there is none</td></tr>
 * <tr><td>{@code snowcast.sequencer.extensions}</td><td>extensions of the lease</td></tr>
 * <tr><td>{@code snowcast.sequencer.extension.failures}</td><td>extensions that failed</td></tr>
 * <tr><td>{@code snowcast.sequencer.refusals}</td><td>how often a logical node was lost and another one taken</td></tr>
 * <tr><td>{@code snowcast.sequence.issued}</td><td>integers that were handed out</td></tr>
 * <tr><td>{@code snowcast.sequence.remaining}</td><td>integers that can be had without the store</td></tr>
 * <tr><td>{@code snowcast.sequence.time.to.empty}</td><td>how long these last at the present rate; NaN if none are
 * used</td></tr>
 * <tr><td>{@code snowcast.sequence.block.size}</td><td>integers that the next reservation asks for</td></tr>
 * <tr><td>{@code snowcast.sequence.reservations}</td><td>blocks that were reserved</td></tr>
 * <tr><td>{@code snowcast.sequence.reservation.failures}</td><td>reservations that failed</td></tr>
 * <tr><td>{@code snowcast.sequence.waits}</td><td>how often, and how long all together, calls waited for a
 * block</td></tr>
 * </table>
 *
 * <p>A sequencer or sequence that is created later gets its meters within ten seconds. One that was destroyed or closed
 * loses them within ten seconds; until then its gauges show NaN. Meters refer to both weakly. Thread-safe.
 */
public final class SnowcastMetrics extends BoundMeters {
    /** A sequencer and an integer sequence can have one name. */
    private record Key(boolean isSequencer, String name) {}

    /**
     * Makes meters of the sequencers and integer sequences of a {@code HazelcastInstance}.
     *
     * @param snowcast the {@code Snowcast} of that instance
     * @throws NullPointerException if {@code snowcast} is null
     */
    public SnowcastMetrics(Snowcast snowcast) {
        this(new KnownSequencers(Map.of("snowcast", snowcast), List::of, List::of));
    }

    SnowcastMetrics(KnownSequencers known) {
        this(known, REFRESH_PERIOD);
    }

    SnowcastMetrics(KnownSequencers known, Duration refreshPeriod) {
        super(() -> present(known), refreshPeriod);
    }

    private static List<Metered> present(KnownSequencers known) {
        List<Metered> present = new ArrayList<>();
        known.sequencers().forEach((name, one) -> {
            if (one.getSequencerState() != SnowcastSequenceState.Destroyed) {
                present.add(new Metered(
                        new Key(true, name), one, registry -> SequencerMeters.register(registry, name, one)));
            }
        });
        known.sequences().forEach((name, one) -> {
            if (!one.isClosed()) {
                present.add(new Metered(
                        new Key(false, name), one, registry -> SequenceMeters.register(registry, name, one)));
            }
        });
        return present;
    }
}
