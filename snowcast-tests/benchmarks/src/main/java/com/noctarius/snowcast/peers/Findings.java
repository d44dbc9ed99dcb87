// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.History.Span;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of checking a history.
 *
 * @param ids how many IDs were returned
 * @param duplicates how many IDs were returned again, to any process; crowds are compared with crowds only
 * @param disorder how many IDs are not above the previous ID of the same process
 * @param refused how many calls threw
 * @param silentSeconds the sum of all times of more than a second between two IDs of a process, or between its last ID
 *     and its end
 * @param examples the first duplicates, in words
 * @param byFault the results for each kind of fault that happened
 */
record Findings(
        long ids,
        long duplicates,
        long disorder,
        long refused,
        double silentSeconds,
        List<String> examples,
        Map<Fault, OfFault> byFault) {
    /**
     * The results for all faults of a kind.
     *
     * @param times how often the fault happened
     * @param duplicates how many IDs were returned again after the beginning of such a fault and before the next fault
     * @param secondsToFirstId the longest time from the end of such a fault until each waiting process had an ID; null
     *     if a waiting process got no further ID, or if no process was waiting
     */
    record OfFault(int times, long duplicates, @Nullable Double secondsToFirstId) {
        OfFault with(OfFault other) {
            return new OfFault(
                    times + other.times,
                    duplicates + other.duplicates,
                    longer(secondsToFirstId, other.secondsToFirstId));
        }

        private static @Nullable Double longer(@Nullable Double one, @Nullable Double other) {
            return one == null || other == null ? null : Double.valueOf(Math.max(one, other));
        }
    }

    static Findings of(History history) {
        return new Checker(history).check();
    }

    boolean hasDuplicates() {
        return duplicates > 0;
    }

    private static final class Checker {
        private static final long NANOS = 1_000_000_000;
        private static final int EXAMPLES = 3;

        private final History history;
        private final Map<Fault, Long> duplicatesByFault = new EnumMap<>(Fault.class);
        private final List<String> examples = new ArrayList<>();
        private long ids;
        private long duplicates;
        private long disorder;
        private long refused;
        private long silentNanos;

        Checker(History history) {
            this.history = history;
        }

        Findings check() {
            Map<Id, Owner> owners = new HashMap<>();
            Map<Id, Owner> ownersInCrowds = new HashMap<>();
            for (History.Caller process : history.processes()) {
                checkProcess(process, process.isOfCrowd() ? ownersInCrowds : owners);
            }
            return new Findings(ids, duplicates, disorder, refused, silentNanos / (double) NANOS, examples, byFault());
        }

        /** A process that got an ID, and the time. */
        private record Owner(History.Caller process, long after) {}

        private void checkProcess(History.Caller process, Map<Id, Owner> owners) {
            Id last = null;
            long lastAt = 0;
            for (Call call : process.calls()) {
                Id id = call.id();
                if (id == null) {
                    refused++;
                    continue;
                }
                ids++;
                disorder += last != null && id.compareTo(last) <= 0 ? 1 : 0;
                addSilence(lastAt, call.after());
                last = id;
                lastAt = call.after();
                Owner former = owners.putIfAbsent(id, new Owner(process, call.after()));
                if (former != null) {
                    addDuplicate(id, former, new Owner(process, call.after()));
                }
            }
            addSilence(lastAt, process.end());
        }

        /**
         * Adds a time of more than a second without an ID, except the time before the first ID, in which the generator
         * starts.
         */
        private void addSilence(long from, long to) {
            if (from != 0 && to - from > NANOS) {
                silentNanos += to - from;
            }
        }

        /** Counts a duplicate for the last fault that had begun when the ID was returned for the second time. */
        private void addDuplicate(Id id, Owner one, Owner other) {
            duplicates++;
            long at = Math.max(one.after, other.after);
            Optional<Span> during = history.faults().stream()
                    .filter(fault -> fault.begin() <= at)
                    .reduce((former, later) -> later);
            during.ifPresent(fault -> duplicatesByFault.merge(fault.fault(), 1L, Long::sum));
            if (examples.size() < EXAMPLES) {
                examples.add("%s to %s at %.3f s and to %s at %.3f s, %s"
                        .formatted(
                                id,
                                one.process.name(),
                                seconds(one.after),
                                other.process.name(),
                                seconds(other.after),
                                during.map(fault -> fault.fault().title() + ": " + fault.detail())
                                        .orElse("before the first fault")));
            }
        }

        private double seconds(long nanos) {
            return (nanos - history.begin()) / (double) NANOS;
        }

        private Map<Fault, OfFault> byFault() {
            Map<Fault, OfFault> found = new EnumMap<>(Fault.class);
            for (Span span : history.faults()) {
                found.merge(span.fault(), new OfFault(1, 0, secondsToFirstId(span)), OfFault::with);
            }
            duplicatesByFault.forEach((fault, count) -> found.merge(fault, new OfFault(0, count, 0.0), OfFault::with));
            return found;
        }

        private @Nullable Double secondsToFirstId(Span span) {
            List<Optional<Double>> all = span.waiting().stream()
                    .map(index -> firstIdAfter(span.end(), history.processes().get(index)))
                    .toList();
            return all.stream().allMatch(Optional::isPresent)
                    ? all.stream()
                            .flatMap(Optional::stream)
                            .max(Double::compare)
                            .orElse(null)
                    : null;
        }

        private static Optional<Double> firstIdAfter(long end, History.Caller process) {
            return process.calls().stream()
                    .filter(call -> call.id() != null && call.after() > end)
                    .findFirst()
                    .map(call -> (call.after() - end) / (double) NANOS);
        }
    }
}
