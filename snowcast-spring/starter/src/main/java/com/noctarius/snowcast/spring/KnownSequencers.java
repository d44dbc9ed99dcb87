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
 * The sequencers, integer sequences and node leases of an application: all those that the {@code Snowcast} beans list,
 * and the sequencers and integer sequences that are beans. A bean is included even after it was destroyed or closed,
 * unless a listed sequencer or integer sequence has the same key.
 */
final class KnownSequencers {
    private final Supplier<Map<String, Snowcast>> snowcasts;
    private final Supplier<? extends Collection<SnowcastSequencer>> sequencers;
    private final Supplier<Map<String, IntegerSequence>> sequences;

    /**
     * Uses {@code Snowcast}s and integer sequences with their bean names as keys, and the sequencers that are beans.
     */
    KnownSequencers(
            Map<String, Snowcast> snowcasts,
            Supplier<? extends Collection<SnowcastSequencer>> sequencers,
            Supplier<Map<String, IntegerSequence>> sequences) {
        this(() -> snowcasts, sequencers, sequences);
    }

    /** Takes the {@code Snowcast}s from a supplier, because some of them may be created later. */
    KnownSequencers(
            Supplier<Map<String, Snowcast>> snowcasts,
            Supplier<? extends Collection<SnowcastSequencer>> sequencers,
            Supplier<Map<String, IntegerSequence>> sequences) {
        this.snowcasts = snowcasts;
        this.sequencers = sequencers;
        this.sequences = sequences;
    }

    /** Returns the {@code Snowcast}s that exist now, with the names of their beans as keys. */
    Map<String, Snowcast> snowcasts() {
        return snowcasts.get();
    }

    /**
     * Returns the prefix that distinguishes the sequencers of one {@code Snowcast} from the sequencers of the others;
     * empty if there is only one {@code Snowcast}.
     */
    String prefix(String beanName) {
        return snowcasts().size() == 1 ? "" : beanName + ".";
    }

    /**
     * Returns the current sequencers with their names as keys. If there are several {@code Snowcast}s, which may have
     * sequencers with equal names, a key is the name of the {@code Snowcast} bean, a dot and the name of the sequencer.
     * The key of a sequencer that no {@code Snowcast} lists any more is only its name.
     */
    Map<String, SnowcastSequencer> sequencers() {
        Map<String, SnowcastSequencer> byName = listed(Snowcast::sequencers, SnowcastSequencer::getSequencerName);
        for (SnowcastSequencer bean : sequencers.get()) {
            if (!byName.containsValue(bean)) {
                byName.putIfAbsent(bean.getSequencerName(), bean);
            }
        }
        return byName;
    }

    /**
     * Returns the current integer sequences, with keys as in {@link #sequencers}. If another one has the name of an
     * open standalone sequence, the key of the standalone sequence is the name of its bean, a dot and its name.
     */
    Map<String, IntegerSequence> sequences() {
        Map<String, IntegerSequence> byName = listed(Snowcast::integerSequences, IntegerSequence::name);
        sequences.get().forEach((beanName, bean) -> {
            if (!byName.containsValue(bean) && byName.putIfAbsent(bean.name(), bean) != null && !bean.isClosed()) {
                byName.putIfAbsent(beanName + "." + bean.name(), bean);
            }
        });
        return byName;
    }

    /** Returns the current node leases, with keys as in {@link #sequencers}. */
    Map<String, NodeLease> nodeLeases() {
        return listed(KnownSequencers::nodeLeases, NodeLease::name);
    }

    /** Returns the node leases of a {@code Snowcast}; none if its implementation does not support node leases. */
    private static Collection<NodeLease> nodeLeases(Snowcast snowcast) {
        try {
            return snowcast.nodeLeases();
        } catch (UnsupportedOperationException e) {
            return List.of();
        }
    }

    private <T> Map<String, T> listed(Function<Snowcast, Collection<T>> list, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        snowcasts().forEach((beanName, snowcast) -> {
            String prefix = prefix(beanName);
            list.apply(snowcast).stream()
                    .sorted(Comparator.comparing(name))
                    .forEach(one -> byName.put(prefix + name.apply(one), one));
        });
        return byName;
    }
}
