// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.ibatis.exceptions.PersistenceException;

/** The sequencers that entities name. */
final class NamedSequencers {
    private final Map<String, SnowcastSequencer> beans;

    NamedSequencers(Map<String, SnowcastSequencer> beans) {
        Map<String, SnowcastSequencer> copy = new LinkedHashMap<>();
        beans.forEach((name, sequencer) ->
                copy.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(sequencer, name)));
        this.beans = copy;
    }

    /** A sequencer's own name comes before a bean's, unless several, of different clusters, have that own name. */
    SnowcastSequencer find(String name, String where) {
        List<SnowcastSequencer> own = beans.values().stream()
                .filter(sequencer -> sequencer.getSequencerName().equals(name))
                .distinct()
                .toList();
        SnowcastSequencer found = own.size() == 1 ? own.get(0) : beans.get(name);
        if (found == null) {
            throw new PersistenceException("@" + SnowcastId.class.getSimpleName() + "(\"" + name + "\") " + where
                    + ": there is no sequencer \"" + name + "\"; there are: " + names());
        }
        return found;
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>(beans.keySet());
        beans.values().forEach(sequencer -> names.add(sequencer.getSequencerName()));
        return names;
    }

    /** Waits as {@link SnowcastSequencer#next()} does. */
    static long next(SnowcastSequencer sequencer) {
        try {
            return sequencer.next();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PersistenceException(
                    "Interrupted while waiting for an ID of sequencer " + sequencer.getSequencerName(), e);
        }
    }
}
