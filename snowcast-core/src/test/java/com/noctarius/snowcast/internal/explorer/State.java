// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is at a moment.
 *
 * @param now the true time, in milliseconds; one is a tick
 * @param issued for each node ID the timestamps of its IDs, a bit each
 * @param left what may still happen
 * @param nextEpoch the epoch of the next table
 * @param cutAt when the network was split; or -1
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
        long cutAt,
        @Nullable String duplicate) {
    /** When everything begins. A clock that lags is not to come before the epoch. */
    static final long START = 1_000;

    static State initial(Scope scope) {
        return new State(
                START,
                List.of(Holder.initial(0), Holder.initial(1)),
                List.of(Replica.empty(Replica.Role.OWNER), Replica.empty(Replica.Role.BACKUP)),
                List.of(),
                List.of(0L, 0L),
                scope.faults(),
                1,
                -1,
                null);
    }

    boolean isSplit() {
        return cutAt >= 0;
    }

    State at(long later) {
        return new State(later, holders, replicas, messages, issued, left, nextEpoch, cutAt, duplicate);
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
                cutAt,
                duplicate);
    }

    State with(int index, Replica replica) {
        return new State(
                now, holders, replaced(replicas, index, replica), messages, issued, left, nextEpoch, cutAt, duplicate);
    }

    State with(List<Message> otherMessages) {
        return new State(now, holders, replicas, otherMessages, issued, left, nextEpoch, cutAt, duplicate);
    }

    State with(Message message) {
        return with(Message.with(messages, message));
    }

    State with(Scope.Faults nowLeft) {
        return new State(now, holders, replicas, messages, issued, nowLeft, nextEpoch, cutAt, duplicate);
    }

    State usedEpoch() {
        return new State(now, holders, replicas, messages, issued, left, nextEpoch + 1, cutAt, duplicate);
    }

    State cut() {
        return new State(now, holders, replicas, messages, issued, left, nextEpoch, now, duplicate);
    }

    /** Notes an ID; finds out whether it is a duplicate. */
    State issuing(int logicalNodeId, long millis) {
        long bit = bit(millis);
        long before = issued.get(logicalNodeId);
        String found = (before & bit) == 0 ? duplicate : "node " + logicalNodeId + ", tick " + (millis - START);
        return new State(
                now,
                holders,
                replicas,
                messages,
                replaced(issued, logicalNodeId, before | bit),
                left,
                nextEpoch,
                cutAt,
                found);
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
        return new State(now, holders, replicas, messages, List.of(first, second), left, nextEpoch, cutAt, duplicate);
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
        to.unordered(messages, message -> message.describe(to));
        to.number(issued.get(0));
        to.number(issued.get(1));
        left.describe(to);
        to.number(nextEpoch);
        to.number(cutAt);
    }
}
