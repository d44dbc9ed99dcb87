// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One of the two kinds of sources of IDs: sequencers and integer sequences.
 *
 * @param annotation the simple name of the kind's annotation
 * @param noun the noun for a source of this kind in messages
 * @param setting the name of the Hibernate setting that holds the sources of this kind
 * @param isEnded whether a source is destroyed or closed, so that a new source may have replaced it
 */
record Kind<T>(
        String annotation,
        String noun,
        String setting,
        Class<T> type,
        Function<Snowcast, Collection<T>> all,
        Function<T, String> name,
        Predicate<T> isEnded,
        Next<T> next) {
    static final Kind<SnowcastSequencer> SEQUENCER = new Kind<>(
            "SnowcastId",
            "sequencer",
            SnowcastSettings.SEQUENCERS,
            SnowcastSequencer.class,
            Snowcast::sequencers,
            SnowcastSequencer::getSequencerName,
            sequencer -> sequencer.getSequencerState() == SnowcastSequenceState.Destroyed,
            SnowcastSequencer::next);
    static final Kind<IntegerSequence> SEQUENCE = new Kind<>(
            "SnowcastSequence",
            "integer sequence",
            SnowcastSettings.SEQUENCES,
            IntegerSequence.class,
            Snowcast::integerSequences,
            IntegerSequence::name,
            IntegerSequence::isClosed,
            IntegerSequence::next);

    /** Calls {@code next()} of the source, and blocks as that method does. */
    @FunctionalInterface
    interface Next<T> {
        long of(T source) throws InterruptedException;
    }

    Optional<T> find(Snowcast snowcast, String wanted) {
        return all.apply(snowcast).stream()
                .filter(one -> name.apply(one).equals(wanted))
                .findAny();
    }

    TreeSet<String> names(Snowcast snowcast) {
        return all.apply(snowcast).stream().map(name).collect(Collectors.toCollection(TreeSet::new));
    }
}
