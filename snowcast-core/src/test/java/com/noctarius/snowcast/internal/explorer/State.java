// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is at a moment.
 *
 * @param now the true time, in milliseconds; one is a tick
 * @param replicas two of the table; and a former owner that stood still when it was removed, with what it had then
 * @param issued for each node ID the timestamps of its IDs, a bit each
 * @param left what may still happen
 * @param nextEpoch the epoch of the next table
 * @param split what is known of a split of the network; null before it
 * @param duplicate an ID that was issued twice; else null
 */
record State(
        long now,
        List<Holder> holders,
        List<Replica> replicas,
        List<Message> messages,
        List<Long> issued,
        Scope.Faults left,
        long nextEpoch,
        @Nullable Split split,
        @Nullable String duplicate) {
    /**
     * A split of the network.
     *
     * @param cutAt when it began
     * @param firstFloors for each side and node ID where the first grant made since begins; or {@link #NONE}
     * @param reported whether there was a duplicate that a merge would report
     */
    record Split(long cutAt, List<Long> firstFloors, boolean reported) {
        static final long NONE = -1;

        static Split at(long now) {
            return new Split(now, List.of(NONE, NONE, NONE, NONE), false);
        }

        long firstFloor(int side, int logicalNodeId) {
            return firstFloors.get(2 * side + logicalNodeId);
        }

        Split granted(int side, int logicalNodeId, long floor) {
            if (firstFloor(side, logicalNodeId) != NONE) {
                return this;
            }
            return new Split(cutAt, replaced(firstFloors, 2 * side + logicalNodeId, floor), reported);
        }

        Split withReport() {
            return new Split(cutAt, firstFloors, true);
        }

        void describe(Fingerprint to) {
            to.number(cutAt);
            firstFloors.forEach(to::number);
            to.flag(reported);
        }
    }

    /** The index of the former owner. */
    static final int FORMER = 2;

    /** When everything begins. A clock that lags is not to come before the epoch. */
    static final long START = 1_000;

    /** What another generator has issued. */
    private static final long UP_TO_START = 2 * bit(START) - 1;

    static State initial(Scope scope) {
        return new State(
                START,
                List.of(Holder.initial(0), Holder.initial(1)),
                List.of(
                        Replica.empty(Replica.Role.OWNER),
                        scope.faults().needBackup() ? Replica.empty(Replica.Role.BACKUP) : Replica.GONE,
                        Replica.GONE),
                List.of(),
                scope.isSuccessor() ? List.of(UP_TO_START, UP_TO_START) : List.of(0L, 0L),
                scope.faults(),
                1,
                null,
                null);
    }

    /** Returns a time as it is shown to people. */
    static String tick(long millis) {
        return millis < START - 100 ? "0" : "tick " + (millis - START);
    }

    boolean isSplit() {
        return split != null;
    }

    State at(long later) {
        return new State(later, holders, replicas, messages, issued, left, nextEpoch, split, duplicate);
    }

    State with(Holder holder) {
        return new State(
                now,
                replaced(holders, holder.index(), holder),
                replicas,
                messages,
                issued,
                left,
                nextEpoch,
                split,
                duplicate);
    }

    State with(int index, Replica replica) {
        return new State(
                now, holders, replaced(replicas, index, replica), messages, issued, left, nextEpoch, split, duplicate);
    }

    State with(List<Message> otherMessages) {
        return new State(now, holders, replicas, otherMessages, issued, left, nextEpoch, split, duplicate);
    }

    State with(Message message) {
        return with(Message.with(messages, message));
    }

    State with(Scope.Faults nowLeft) {
        return new State(now, holders, replicas, messages, issued, nowLeft, nextEpoch, split, duplicate);
    }

    State usedEpoch() {
        return new State(now, holders, replicas, messages, issued, left, nextEpoch + 1, split, duplicate);
    }

    State with(@Nullable Split otherSplit) {
        return new State(now, holders, replicas, messages, issued, left, nextEpoch, otherSplit, duplicate);
    }

    boolean isIssued(int logicalNodeId, long millis) {
        return (issued.get(logicalNodeId) & bit(millis)) != 0;
    }

    State withDuplicate(String found) {
        return new State(now, holders, replicas, messages, issued, left, nextEpoch, split, found);
    }

    State issuing(int logicalNodeId, long millis) {
        List<Long> more = replaced(issued, logicalNodeId, issued.get(logicalNodeId) | bit(millis));
        return new State(now, holders, replicas, messages, more, left, nextEpoch, split, duplicate);
    }

    private static long bit(long millis) {
        return 1L << (millis - START + 8);
    }

    /** Forgets what was issued before a time. */
    State forgetting(long beforeMillis) {
        long mask = -bit(beforeMillis);
        long first = issued.get(0) & mask;
        long second = issued.get(1) & mask;
        if (first == issued.get(0) && second == issued.get(1)) {
            return this;
        }
        return new State(now, holders, replicas, messages, List.of(first, second), left, nextEpoch, split, duplicate);
    }

    private static <T> List<T> replaced(List<T> list, int index, T element) {
        List<T> copy = new ArrayList<>(list);
        copy.set(index, element);
        return List.copyOf(copy);
    }

    void describe(Fingerprint to, boolean swapped) {
        to.number(now);
        holders.get(swapped ? 1 : 0).describe(to);
        holders.get(swapped ? 0 : 1).describe(to);
        replicas.get(0).describe(to);
        replicas.get(1).describe(to);
        replicas.get(FORMER).describe(to);
        to.unordered(messages, message -> message.describe(to));
        to.number(issued.get(0));
        to.number(issued.get(1));
        left.describe(to);
        to.number(nextEpoch);
        to.flag(duplicate != null);
        to.flag(split != null);
        if (split != null) {
            split.describe(to);
        }
    }
}
