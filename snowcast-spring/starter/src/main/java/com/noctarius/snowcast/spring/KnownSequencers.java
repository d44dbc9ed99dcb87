// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The sequencers, integer sequences and node leases of an application: all of its {@code Snowcast} beans, whether
 * Spring made them or not, and all sequencers and integer sequences that are beans, even after they were destroyed or
 * closed.
 */
final class KnownSequencers {
    private final Supplier<Map<String, Snowcast>> snowcasts;
    private final Supplier<? extends Collection<SnowcastSequencer>> sequencers;
    private final Supplier<? extends Collection<IntegerSequence>> sequences;

    /** Takes the {@code Snowcast}s by the names of their beans, and the sequencers and sequences that are beans. */
    KnownSequencers(
            Map<String, Snowcast> snowcasts,
            Supplier<? extends Collection<SnowcastSequencer>> sequencers,
            Supplier<? extends Collection<IntegerSequence>> sequences) {
        this(() -> snowcasts, sequencers, sequences);
    }

    /** Takes the same, with {@code Snowcast}s that may be created later. */
    KnownSequencers(
            Supplier<Map<String, Snowcast>> snowcasts,
            Supplier<? extends Collection<SnowcastSequencer>> sequencers,
            Supplier<? extends Collection<IntegerSequence>> sequences) {
        this.snowcasts = snowcasts;
        this.sequencers = sequencers;
        this.sequences = sequences;
    }

    /** Returns the {@code Snowcast}s that exist now, by the names of their beans. */
    Map<String, Snowcast> snowcasts() {
        return snowcasts.get();
    }

    /** Returns the prefix of the names of a {@code Snowcast}'s sequencers. */
    String prefix(String beanName) {
        return snowcasts().size() == 1 ? "" : beanName + ".";
    }

    /**
     * Returns the present sequencers by their names. With several {@code Snowcast}s, which may have sequencers of the
     * same name, the keys are the name of the bean, a dot and the name of the sequencer.
     */
    Map<String, SnowcastSequencer> sequencers() {
        return byName(Snowcast::sequencers, sequencers.get(), SnowcastSequencer::getSequencerName);
    }

    /** Returns the present integer sequences by their names, as {@link #sequencers} does. */
    Map<String, IntegerSequence> sequences() {
        return byName(Snowcast::integerSequences, sequences.get(), IntegerSequence::name);
    }

    /** Returns the present node leases by their names, as {@link #sequencers} does. */
    Map<String, NodeLease> nodeLeases() {
        return byName(KnownSequencers::nodeLeases, List.of(), NodeLease::name);
    }

    /** Returns no leases for a {@code Snowcast} of the application that does not support them. */
    private static Collection<NodeLease> nodeLeases(Snowcast snowcast) {
        try {
            return snowcast.nodeLeases();
        } catch (UnsupportedOperationException e) {
            return List.of();
        }
    }

    private <T> Map<String, T> byName(
            Function<Snowcast, Collection<T>> list, Collection<T> beans, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        snowcasts().forEach((beanName, snowcast) -> {
            String prefix = prefix(beanName);
            list.apply(snowcast).stream()
                    .sorted(Comparator.comparing(name))
                    .forEach(one -> byName.put(prefix + name.apply(one), one));
        });
        for (T bean : beans) {
            if (!byName.containsValue(bean)) {
                byName.putIfAbsent(name.apply(bean), bean);
            }
        }
        return byName;
    }
}
