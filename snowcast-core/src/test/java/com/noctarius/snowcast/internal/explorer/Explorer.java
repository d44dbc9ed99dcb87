// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Visits the reachable states of a {@link Model} breadth first, so the path to each state is a shortest one. Stops at
 * the first duplicate that no merge reports.
 */
final class Explorer {
    private final Model model;
    private final Fingerprint fingerprint = new Fingerprint();
    private final Visited visited = new Visited();

    /** For each state, in the order of discovery: the previous state on its path, and the step from there. */
    private int[] parents = new int[1 << 16];

    private short[] steps = new short[1 << 16];
    private long transitions;
    private int reported;

    /**
     * The result of a search.
     *
     * @param states the number of states
     * @param transitions the number of steps between states
     * @param reported the number of states after a duplicate that a merge reports; such a duplicate does not end the
     *     search
     * @param depth the number of steps to the state that was found last
     * @param duplicate an ID that was issued twice, which no merge reports; null if there is none
     * @param trace the steps to the duplicate; empty if there is none
     */
    record Result(
            int states,
            long transitions,
            int reported,
            int depth,
            @Nullable String duplicate,
            List<String> trace) {}

    private record Found(int number, State state) {}

    Explorer(Model model) {
        this.model = model;
    }

    Result explore() {
        Queue<Found> frontier = new ArrayDeque<>();
        State initial = model.initial();
        visited.add(fingerprint.of(initial));
        frontier.add(new Found(0, initial));
        int depth = 0;
        int lastOfDepth = 0;
        List<State> nexts = new ArrayList<>();
        while (true) {
            Found found = frontier.poll();
            if (found == null) {
                return new Result(visited.size(), transitions, reported, depth, null, List.of());
            }
            if (found.number() > lastOfDepth) {
                depth++;
                lastOfDepth = visited.size() - 1;
            }
            nexts.clear();
            model.steps(found.state(), (label, next) -> nexts.add(next));
            for (int step = 0; step < nexts.size(); step++) {
                State next = nexts.get(step);
                transitions++;
                if (visited.add(fingerprint.of(next))) {
                    int number = visited.size() - 1;
                    note(number, found.number(), step);
                    State.Split split = next.split();
                    reported += split != null && split.reported() ? 1 : 0;
                    frontier.add(new Found(number, next));
                    if (next.duplicate() != null) {
                        return new Result(
                                visited.size(), transitions, reported, depth + 1, next.duplicate(), trace(number));
                    }
                }
            }
        }
    }

    private void note(int number, int parent, int step) {
        if (number >= parents.length) {
            parents = Arrays.copyOf(parents, 2 * number);
            steps = Arrays.copyOf(steps, 2 * number);
        }
        parents[number] = parent;
        steps[number] = (short) step;
    }

    private List<String> trace(int number) {
        List<Integer> way = new ArrayList<>();
        for (int at = number; at != 0; at = parents[at]) {
            way.add((int) steps[at]);
        }
        Collections.reverse(way);
        List<String> trace = new ArrayList<>();
        State state = model.initial();
        for (int step : way) {
            List<State> nexts = new ArrayList<>();
            List<String> labels = new ArrayList<>();
            model.steps(state, (label, next) -> {
                labels.add(label.get());
                nexts.add(next);
            });
            trace.add(labels.get(step));
            state = nexts.get(step);
        }
        return trace;
    }

    /** A hash set of fingerprints, each of which is two longs, with open addressing. */
    private static final class Visited {
        private long[] table = new long[1 << 17];
        private int size;

        int size() {
            return size;
        }

        boolean add(Fingerprint.Value value) {
            if (4 * size > table.length) {
                long[] old = table;
                table = new long[2 * old.length];
                for (int i = 0; i < old.length; i += 2) {
                    if (old[i] != 0 || old[i + 1] != 0) {
                        put(old[i], old[i + 1]);
                    }
                }
            }
            if (put(value.high(), value.low())) {
                size++;
                return true;
            }
            return false;
        }

        private boolean put(long high, long low) {
            int mask = table.length - 1;
            int at = (int) (high << 1) & mask;
            while (table[at] != 0 || table[at + 1] != 0) {
                if (table[at] == high && table[at + 1] == low) {
                    return false;
                }
                at = (at + 2) & mask;
            }
            table[at] = high;
            table[at + 1] = low;
            return true;
        }
    }
}
