// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.ibatis.exceptions.PersistenceException;

/**
 * The sequencers, or the integer sequences, that annotations of entities can name.
 *
 * @param beans the sequencers or integer sequences, with the names of their beans as keys
 * @param annotation the annotation that names a sequencer or an integer sequence
 * @param noun the noun in messages: sequencer or integer sequence
 * @param ownName returns the name of a sequencer in its cluster or database, or of an integer sequence in its store
 */
record Named<T>(
        Map<String, T> beans, Class<? extends Annotation> annotation, String noun, Function<T, String> ownName) {
    Named {
        Map<String, T> copy = new LinkedHashMap<>();
        beans.forEach(
                (name, bean) -> copy.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(bean, name)));
        beans = copy;
    }

    static Named<SnowcastSequencer> sequencers(Map<String, SnowcastSequencer> beans) {
        return new Named<>(
                Objects.requireNonNull(beans, "sequencers"),
                SnowcastId.class,
                "sequencer",
                SnowcastSequencer::getSequencerName);
    }

    static Named<IntegerSequence> sequences(Map<String, IntegerSequence> beans) {
        return new Named<>(
                Objects.requireNonNull(beans, "sequences"),
                SnowcastSequence.class,
                "integer sequence",
                IntegerSequence::name);
    }

    /** Returns the only sequencer or integer sequence with this own name, or else the bean with this name. */
    T find(String name, String where) {
        List<T> own = beans.values().stream()
                .filter(bean -> ownName.apply(bean).equals(name))
                .distinct()
                .toList();
        T found = own.size() == 1 ? own.get(0) : beans.get(name);
        if (found == null) {
            throw new PersistenceException("@" + annotation.getSimpleName() + "(\"" + name + "\") " + where
                    + ": there is no " + noun + " \"" + name + "\"; there are: " + names());
        }
        return found;
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>(beans.keySet());
        beans.values().forEach(bean -> names.add(ownName.apply(bean)));
        return names;
    }

    /** Returns the next ID; blocks as {@link SnowcastSequencer#next()} does. */
    static long next(SnowcastSequencer sequencer) {
        try {
            return sequencer.next();
        } catch (InterruptedException e) {
            throw interrupted("an ID of sequencer " + sequencer.getSequencerName(), e);
        }
    }

    /** Returns the next integer; blocks as {@link IntegerSequence#next()} does. */
    static long next(IntegerSequence sequence) {
        try {
            return sequence.next();
        } catch (InterruptedException e) {
            throw interrupted("an integer of sequence " + sequence.name(), e);
        }
    }

    private static PersistenceException interrupted(String awaited, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new PersistenceException("Interrupted while waiting for " + awaited, e);
    }
}
