// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** The configured sequencers and integer sequences, by their names. Requests can use only these. */
@Component
final class Configured {
    private final Map<String, SnowcastSequencer> sequencers;
    private final Map<String, IntegerSequence> sequences;

    Configured(List<SnowcastSequencer> sequencers, List<IntegerSequence> sequences) {
        this.sequencers = byName(sequencers, SnowcastSequencer::name);
        this.sequences = byName(sequences, IntegerSequence::name);
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        return Collections.unmodifiableMap(
                all.stream().collect(Collectors.toMap(name, one -> one, (one, same) -> one, TreeMap::new)));
    }

    Collection<SnowcastSequencer> sequencers() {
        return sequencers.values();
    }

    Collection<IntegerSequence> sequences() {
        return sequences.values();
    }

    SnowcastSequencer sequencer(String name) {
        SnowcastSequencer sequencer = sequencers.get(name);
        if (sequencer == null) {
            throw new UnknownNameException("sequencer", name);
        }
        return sequencer;
    }

    IntegerSequence sequence(String name) {
        IntegerSequence sequence = sequences.get(name);
        if (sequence == null) {
            throw new UnknownNameException("integer sequence", name);
        }
        return sequence;
    }
}
