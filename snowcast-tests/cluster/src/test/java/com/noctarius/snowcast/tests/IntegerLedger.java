// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All integers of some sequences, by who got them. Thread-safe. */
final class IntegerLedger {
    private final Map<String, Queue<Page>> pagesByName = new ConcurrentHashMap<>();
    private final Map<String, Long> highestByName = new ConcurrentHashMap<>();
    private final Map<IdLog, Integer> marks = new ConcurrentHashMap<>();

    /** What one thread got from one instance. */
    private record Page(String owner, boolean isOrdered, IdLog log) {
        long countOf(long integer) {
            return Arrays.stream(log.toArray()).filter(each -> each == integer).count();
        }
    }

    /**
     * Begins a log for one thread that uses one instance.
     *
     * @param owner who, for the message
     * @param isOrdered whether the integers have to increase
     */
    IdLog open(String name, String owner, boolean isOrdered) {
        IdLog log = new IdLog();
        pagesByName
                .computeIfAbsent(name, newName -> new ConcurrentLinkedQueue<>())
                .add(new Page(owner, isOrdered, log));
        return log;
    }

    /** Enters integers in a log of a name. */
    void add(String name, IdLog log, long... integers) {
        log.add(integers);
        highestByName.merge(name, Arrays.stream(integers).max().orElse(0), Math::max);
    }

    /** Returns the highest integer of a name; 0 if there is none. */
    long highest(String name) {
        return highestByName.getOrDefault(name, 0L);
    }

    /** Returns the number of integers. */
    long size() {
        return pagesByName.values().stream()
                .flatMap(Queue::stream)
                .mapToLong(page -> page.log.size())
                .sum();
    }

    /** Fails if integers of a log that is ordered do not increase. */
    void requireOrdered() {
        pagesByName.forEach((name, pages) -> pages.stream()
                .filter(Page::isOrdered)
                .forEach(page -> {
                    long[] integers = page.log.toArray();
                    for (int i = 1; i < integers.length; i++) {
                        if (integers[i] <= integers[i - 1]) {
                            throw new AssertionError("integer sequence " + name + ": " + integers[i] + " came after "
                                    + integers[i - 1] + " at " + page.owner);
                        }
                    }
                }));
    }

    /** Returns which integers occur twice under a name without having been reported, and whose they are. */
    List<String> duplicates(Collection<PossibleDuplicateIntegers> reported) {
        return duplicates(Map.of(), reported);
    }

    /** Remembers how far the logs are. */
    void mark() {
        pagesByName.values().stream().flatMap(Queue::stream).forEach(page -> marks.put(page.log, page.log.size()));
    }

    /** Returns which integers occur twice among those that came after the last mark. */
    List<String> duplicatesSinceMark() {
        return duplicates(marks, List.of());
    }

    private List<String> duplicates(Map<IdLog, Integer> from, Collection<PossibleDuplicateIntegers> reported) {
        return pagesByName.entrySet().stream()
                .flatMap(entry -> duplicates(entry.getKey(), entry.getValue(), from, reported).stream())
                .toList();
    }

    private static List<String> duplicates(
            String name,
            Collection<Page> pages,
            Map<IdLog, Integer> from,
            Collection<PossibleDuplicateIntegers> reported) {
        long[] all = pages.stream()
                .flatMapToLong(page -> Arrays.stream(page.log.toArray()).skip(from.getOrDefault(page.log, 0)))
                .sorted()
                .toArray();
        return IntStream.range(1, all.length)
                .filter(i -> all[i] == all[i - 1] && !isReported(name, all[i], reported))
                .mapToObj(i -> "integer " + all[i] + " of integer sequence " + name + ": " + owners(pages, all[i]))
                .toList();
    }

    private static boolean isReported(String name, long integer, Collection<PossibleDuplicateIntegers> reported) {
        return reported.stream()
                .anyMatch(
                        each -> each.sequenceName().equals(name) && integer >= each.first() && integer <= each.last());
    }

    private static String owners(Collection<Page> pages, long integer) {
        return pages.stream()
                .filter(page -> page.countOf(integer) > 0)
                .map(page -> page.owner + (page.countOf(integer) > 1 ? " (" + page.countOf(integer) + " times)" : ""))
                .collect(Collectors.joining(" and "));
    }
}
