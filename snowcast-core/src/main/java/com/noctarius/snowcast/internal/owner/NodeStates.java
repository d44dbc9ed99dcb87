// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a table by node ID, as a sorted list. A member can have very many tables with few entries each, for
 * which hash tables would be several times as large. Not thread-safe.
 */
final class NodeStates {
    private static final Comparator<NodeState> BY_NEXT_FLOOR =
            Comparator.comparingLong(NodeState::nextFloor).thenComparingInt(NodeState::logicalNodeId);

    private final ArrayList<NodeState> states = new ArrayList<>(0);

    /** Created at its first use: a table does not need it while a permitted node ID has no entry. */
    private @Nullable NavigableSet<NodeState> byNextFloor;

    /** The last grant of each holder, unless another holder has got the node ID since. */
    private Map<UUID, NodeState> lastOfHolder = new HashMap<>(2);

    /**
     * Returns the first index from {@code from} on that does not meet a condition; the size of the list if there is
     * none. This is a binary search: the indexes that meet the condition must come before all others.
     */
    private int firstNot(IntPredicate condition, int from) {
        int low = from;
        int high = states.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the index of a node ID, or the index at which it would be inserted. */
    private int indexOf(int logicalNodeId) {
        return firstNot(index -> states.get(index).logicalNodeId() < logicalNodeId, 0);
    }

    @Nullable
    NodeState get(int logicalNodeId) {
        int index = indexOf(logicalNodeId);
        NodeState found = index < states.size() ? states.get(index) : null;
        return found != null && found.logicalNodeId() == logicalNodeId ? found : null;
    }

    @Nullable
    NodeState of(UUID holder) {
        return lastOfHolder.get(holder);
    }

    /** Puts a state, in place of the present state of its node ID. */
    void put(NodeState state) {
        int index = indexOf(state.logicalNodeId());
        NodeState before = get(state.logicalNodeId());
        if (before == null) {
            states.add(index, state);
        } else {
            states.set(index, state);
        }
        if (byNextFloor != null) {
            if (before != null) {
                byNextFloor.remove(before);
            }
            byNextFloor.add(state);
        }
        if (before != null) {
            lastOfHolder.remove(before.holder(), before);
        }
        lastOfHolder.merge(
                state.holder(), state, (last, other) -> last.requestNumber() <= other.requestNumber() ? other : last);
    }

    /** Returns the lowest node ID of a range, both ends included, that has no state; -1 if all have one. */
    int firstWithout(int from, int to) {
        int index = indexOf(from);
        // As long as no node ID is missing, node IDs and indexes increase in step.
        int gap = firstNot(each -> states.get(each).logicalNodeId() - from == each - index, index);
        int count = gap - index;
        return count <= to - from ? from + count : -1;
    }

    /** Returns the wanted state whose node ID can be granted earliest; null if there is none. */
    @Nullable
    NodeState earliest(Predicate<NodeState> wanted) {
        if (byNextFloor == null) {
            byNextFloor = new TreeSet<>(BY_NEXT_FLOOR);
            byNextFloor.addAll(states);
        }
        return byNextFloor.stream().filter(wanted).findFirst().orElse(null);
    }

    void clear() {
        states.clear();
        states.trimToSize();
        byNextFloor = null;
        lastOfHolder = new HashMap<>(2); // a cleared map would keep its capacity
    }

    int size() {
        return states.size();
    }

    /** Returns all states in the order of their node IDs; valid until the next change. */
    List<NodeState> values() {
        return Collections.unmodifiableList(states);
    }
}
