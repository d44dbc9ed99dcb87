// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the whole model.
 *
 * @param now the true time in milliseconds; a tick is a millisecond
 * @param replicas the replicas of the table; the last one is the copy of a former owner that was removed while it was
 *     paused, if there is such an owner
 * @param issued for each node ID, a bit for each timestamp of the IDs that were issued with it
 * @param left the events that may still happen
 * @param nextEpoch the table ID of the next new table
 * @param split the state of a split of the network; null before it
 * @param duplicate an ID that was issued twice, although the model does not permit it; null if there is none
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
     * @param cutAt the time at which it began; 0 if no merge needs that time
     * @param reported whether there was a duplicate that a merge reports
     * @param twice for each node ID, a bit for each timestamp of the IDs that were issued twice before the merge
     * @param merge the merge that ended the split; null before it
     */
    record Split(
            long cutAt,
            boolean reported,
            List<Long> twice,
            @Nullable Merge merge) {
        static Split at(long now) {
            return new Split(now, false, List.of(0L, 0L), null);
        }

        Split withReport() {
            return new Split(cutAt, true, twice, merge);
        }

        /** Adds a duplicate that a merge must report. */
        Split withTwice(int logicalNodeId, long millis) {
            long more = twice.get(logicalNodeId) | bit(millis);
            return new Split(cutAt, true, replaced(twice, logicalNodeId, more), merge);
        }

        Split with(Merge merged) {
            return new Split(cutAt, reported, List.of(0L, 0L), merged);
        }

        /** Returns a duplicate that is not in a report; null if the report has all duplicates. */
        @Nullable
        String missingIn(List<PossibleDuplicates> report) {
            for (int node = 0; node < twice.size(); node++) {
                for (long rest = twice.get(node); rest != 0; rest &= rest - 1) {
                    long millis = millisOf(Long.lowestOneBit(rest));
                    if (!isIn(report, node, millis)) {
                        return "node " + node + ", " + tick(millis) + ", which the merge does not report,";
                    }
                }
            }
            return null;
        }

        void describe(Fingerprint to) {
            to.number(cutAt);
            to.flag(reported);
            twice.forEach(to::number);
            to.flag(merge != null);
            if (merge != null) {
                merge.describe(to);
            }
        }
    }

    /**
     * The merge that ended a split.
     *
     * @param report the IDs that may have been issued twice
     * @param granted the tokens of the grants since the merge
     * @param issued for each node ID, a bit for each timestamp of the IDs of these grants
     */
    record Merge(List<PossibleDuplicates> report, List<Token> granted, List<Long> issued) {
        static Merge of(List<PossibleDuplicates> report) {
            return new Merge(List.copyOf(report), List.of(), List.of(0L, 0L));
        }

        Merge granted(Token token) {
            List<Token> more = new ArrayList<>(granted);
            more.add(token);
            return new Merge(report, List.copyOf(more), issued);
        }

        Merge issued(int logicalNodeId, long millis) {
            long more = issued.get(logicalNodeId) | bit(millis);
            return new Merge(report, granted, replaced(issued, logicalNodeId, more));
        }

        /**
         * Returns whether the model permits that an ID of a grant is a duplicate: the merge has reported the ID, the
         * grant is older than the merge, and no grant since the merge has issued the ID.
         */
        boolean excuses(Token token, int logicalNodeId, long millis) {
            return !granted.contains(token)
                    && (issued.get(logicalNodeId) & bit(millis)) == 0
                    && isIn(report, logicalNodeId, millis);
        }

        void describe(Fingerprint to) {
            to.unordered(report, overlap -> {
                to.number(overlap.logicalNodeId());
                to.number(overlap.from().toEpochMilli());
                to.number(overlap.to().toEpochMilli());
            });
            to.unordered(granted, to::token);
            issued.forEach(to::number);
        }
    }

    private static boolean isIn(List<PossibleDuplicates> report, int logicalNodeId, long millis) {
        return report.stream()
                .anyMatch(overlap -> (overlap.logicalNodeId() == -1 || overlap.logicalNodeId() == logicalNodeId)
                        && overlap.from().toEpochMilli() <= millis
                        && millis < overlap.to().toEpochMilli());
    }

    /** The initial time. It is above 0, so that a clock which lags is not before the epoch. */
    static final long START = 1_000;

    /** A bit for each ID that another generator may have issued: the IDs up to the initial time. */
    private static final long UP_TO_START = 2 * bit(START) - 1;

    static State initial(Scope scope) {
        Replica backup = scope.faults().needBackup() ? Replica.empty(Replica.Role.BACKUP) : Replica.GONE;
        List<Replica> replicas = new ArrayList<>(List.of(Replica.empty(Replica.Role.OWNER)));
        replicas.addAll(Collections.nCopies(scope.backups(), backup));
        replicas.add(Replica.GONE);
        return new State(
                START,
                List.of(Holder.initial(0, scope.isGuarded()), Holder.initial(1, scope.isGuarded())),
                List.copyOf(replicas),
                List.of(),
                scope.isSuccessor() ? List.of(UP_TO_START, UP_TO_START) : List.of(0L, 0L),
                scope.faults(),
                1,
                null,
                null);
    }

    int former() {
        return replicas.size() - 1;
    }

    /** Returns a bit for each replica that is a backup. */
    int backups() {
        int backups = 0;
        for (int index = 0; index < former(); index++) {
            backups |= replicas.get(index).role() == Replica.Role.BACKUP ? 1 << index : 0;
        }
        return backups;
    }

    static String tick(long millis) {
        return millis < START - 100 ? "0" : "tick " + (millis - START);
    }

    boolean isSplit() {
        return split != null && split.merge() == null;
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

    private static long millisOf(long bit) {
        return START - 8 + Long.numberOfTrailingZeros(bit);
    }

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

    /** Describes a replica and the pending changes that it has not received. */
    private void describe(int index, Fingerprint to) {
        replicas.get(index).describe(to);
        List<Message> missing = messages.stream()
                .filter(message -> message instanceof Message.Done done && done.isAwaitedFrom(index))
                .toList();
        to.unordered(missing, message -> message.describe(to));
    }

    void describe(Fingerprint to, boolean swapped) {
        to.number(now);
        holders.get(swapped ? 1 : 0).describe(to);
        holders.get(swapped ? 0 : 1).describe(to);
        if (former() > 2) {
            to.unordered(
                    IntStream.range(0, former()).boxed().toList(),
                    index -> describe(index, to)); // The order of the replicas does not matter.
        } else {
            replicas.subList(0, former()).forEach(replica -> replica.describe(to));
        }
        replicas.get(former()).describe(to);
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
