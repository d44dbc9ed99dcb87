// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What generates identifiers.
 *
 * @param annotation the simple name of its annotation
 * @param noun what it is called in messages
 * @param setting the setting that says where those of this kind are
 * @param type its type
 * @param all returns those that a {@code Snowcast} has
 * @param name returns the name of one
 * @param attributes the types that annotated attributes can have
 */
record Kind<T>(
        String annotation,
        String noun,
        String setting,
        Class<T> type,
        Function<Snowcast, Collection<T>> all,
        Function<T, String> name,
        List<Class<?>> attributes) {
    static final Kind<SnowcastSequencer> SEQUENCER = new Kind<>(
            "SnowcastId",
            "sequencer",
            SnowcastSettings.SEQUENCERS,
            SnowcastSequencer.class,
            Snowcast::sequencers,
            SnowcastSequencer::getSequencerName,
            List.of(long.class, Long.class));
    static final Kind<IntegerSequence> SEQUENCE = new Kind<>(
            "SnowcastSequence",
            "integer sequence",
            SnowcastSettings.SEQUENCES,
            IntegerSequence.class,
            Snowcast::integerSequences,
            IntegerSequence::name,
            List.of(int.class, Integer.class, long.class, Long.class));

    Optional<T> find(Snowcast snowcast, String wanted) {
        return all.apply(snowcast).stream()
                .filter(one -> name.apply(one).equals(wanted))
                .findAny();
    }

    /** In order, for messages. */
    TreeSet<String> names(Snowcast snowcast) {
        return all.apply(snowcast).stream().map(name).collect(Collectors.toCollection(TreeSet::new));
    }
}
