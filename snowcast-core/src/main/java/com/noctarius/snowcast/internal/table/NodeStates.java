// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * States by their logical node ID: an array in their order. A member can have very many tables with few entries each, for
 * which a hash table is several times as large. Not thread-safe.
 */
final class NodeStates {
    private static final NodeState[] EMPTY = {};
    private static final Comparator<NodeState> BY_NEXT_FLOOR =
            Comparator.comparingLong(NodeState::nextFloor).thenComparingInt(NodeState::logicalNodeId);

    private NodeState[] states = EMPTY;
    private int size;

    /** Made when it is first asked for: a table that has node IDs left never needs it. */
    private @Nullable NavigableSet<NodeState> byNextFloor;

    /** Returns where a node ID is, or {@code -1 -} where it would be. */
    private int indexOf(int logicalNodeId) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int found = states[middle].logicalNodeId();
            if (found == logicalNodeId) {
                return middle;
            }
            if (found < logicalNodeId) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    @Nullable
    NodeState get(int logicalNodeId) {
        int index = indexOf(logicalNodeId);
        return index < 0 ? null : states[index];
    }

    /** Takes a state in, and returns the one that it replaces. */
    @Nullable
    NodeState put(NodeState state) {
        int index = indexOf(state.logicalNodeId());
        NodeState before = index < 0 ? null : states[index];
        if (byNextFloor != null) {
            if (before != null) {
                byNextFloor.remove(before);
            }
            byNextFloor.add(state);
        }
        if (before != null) {
            states[index] = state;
            return before;
        }
        int at = -1 - index;
        if (size == states.length) {
            // By half, since most tables stay small.
            states = Arrays.copyOf(states, Math.max(size + (size >> 1), size + 1));
        }
        System.arraycopy(states, at, states, at + 1, size - at);
        states[at] = state;
        size++;
        return null;
    }

    /** Returns the lowest node ID of a range, both ends included, that has no state; -1 if all have one. */
    int firstWithout(int from, int to) {
        int index = indexOf(from);
        if (index < 0) {
            return from <= to ? from : -1;
        }
        // As long as none is missing, node IDs and indexes grow alike.
        int low = index;
        int high = Math.min(size - 1, index + to - from);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (states[middle].logicalNodeId() - from == middle - index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int first = from + low - index + 1;
        return first <= to ? first : -1;
    }

    /** Returns the wanted state whose node ID can be granted from the earliest moment on; null if there is none. */
    @Nullable
    NodeState earliest(Predicate<NodeState> wanted) {
        if (byNextFloor == null) {
            byNextFloor = new TreeSet<>(BY_NEXT_FLOOR);
            byNextFloor.addAll(values());
        }
        return byNextFloor.stream().filter(wanted).findFirst().orElse(null);
    }

    void clear() {
        states = EMPTY;
        size = 0;
        byNextFloor = null;
    }

    int size() {
        return size;
    }

    /** Returns what is there now, until the next change. */
    List<NodeState> values() {
        return Arrays.asList(states).subList(0, size);
    }
}
