// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts how often random or exhaustive runs reach the rare states for which there are rules. If no run reaches such a
 * state, its rule is not tested, and {@link #require} fails. Not thread-safe.
 */
public final class Reached<E extends Enum<E>> {
    private final Class<E> states;
    private final Map<E, Integer> counts;

    public Reached(Class<E> states) {
        this.states = states;
        this.counts = new EnumMap<>(states);
    }

    public void add(E state) {
        counts.merge(state, 1, Integer::sum);
    }

    public void addIf(boolean isReached, E state) {
        if (isReached) {
            add(state);
        }
    }

    public void addAll(Reached<E> other) {
        other.counts.forEach((state, count) -> counts.merge(state, count, Integer::sum));
    }

    /**
     * Fails if some of the needed states were never reached, and names them; does not check when a single seed is
     * repeated.
     */
    public void require(Set<E> needed) {
        if (!Schedules.isRepeated()) {
            Set<E> missed = EnumSet.noneOf(states);
            missed.addAll(needed);
            missed.removeAll(counts.keySet());
            assertThat(missed).as("states that were never reached; %s", this).isEmpty();
        }
    }

    @Override
    public String toString() {
        return "reached " + counts;
    }
}
