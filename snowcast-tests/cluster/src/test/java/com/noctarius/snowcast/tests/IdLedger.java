// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** All IDs of some names, by who got them. Thread-safe. */
final class IdLedger {
    private final Map<String, Queue<Page>> pagesByName = new ConcurrentHashMap<>();
    private final Map<IdLog, Integer> marks = new ConcurrentHashMap<>();

    /** What one thread got from one instance. */
    private record Page(String owner, SnowcastLayout layout, IdLog log) {
        boolean contains(long id) {
            return Arrays.stream(log.toArray()).anyMatch(each -> each == id);
        }

        boolean isCovered(long id, PossibleDuplicates report) {
            long millis = layout.timestampValue(id) + TestCluster.EPOCH.getEpochOffset();
            return (report.logicalNodeId() == -1 || report.logicalNodeId() == layout.logicalNodeId(id))
                    && report.from().toEpochMilli() <= millis
                    && millis < report.to().toEpochMilli();
        }
    }

    /**
     * Begins a log for one thread that uses one instance.
     *
     * @param owner who, for the message
     */
    IdLog open(String name, String owner, SnowcastLayout layout) {
        IdLog log = new IdLog();
        pagesByName
                .computeIfAbsent(name, newName -> new ConcurrentLinkedQueue<>())
                .add(new Page(owner, layout, log));
        return log;
    }

    /** Returns the number of IDs. */
    long size() {
        return pagesByName.values().stream()
                .flatMap(Queue::stream)
                .mapToLong(page -> page.log.size())
                .sum();
    }

    /** Fails if an ID occurs twice under a name, or if IDs of a log are not in order. */
    void check() {
        requireOrdered();
        List<String> duplicates = duplicates(List.of());
        if (!duplicates.isEmpty()) {
            throw new AssertionError(duplicates.get(0));
        }
    }

    /** Fails if IDs of a log are not in the order of its sequencer. */
    void requireOrdered() {
        pagesByName.values().stream().flatMap(Queue::stream).forEach(page -> {
            try {
                IdCheck.requireOrdered(page.layout, page.log.toArray());
            } catch (AssertionError e) {
                throw new AssertionError(page.owner + ": " + e.getMessage(), e);
            }
        });
    }

    /** Remembers how far the logs are. */
    void mark() {
        pagesByName.values().stream().flatMap(Queue::stream).forEach(page -> marks.put(page.log, page.log.size()));
    }

    /** Returns which IDs occur twice under a name without having been reported, and whose they are. */
    List<String> duplicates(Collection<PossibleDuplicates> reported) {
        return pagesByName.entrySet().stream()
                .flatMap(entry -> {
                    String name = entry.getKey();
                    Queue<Page> pages = entry.getValue();
                    Page any = pages.iterator().next();
                    return IdCheck.duplicates(logs(pages))
                            .filter(id -> reported.stream()
                                    .noneMatch(each -> each.sequencerName().equals(name) && any.isCovered(id, each)))
                            .mapToObj(id -> "sequencer " + name + ": " + owners(pages, id));
                })
                .toList();
    }

    /** Returns which IDs came after the last mark that had come before, or came twice. */
    List<String> duplicatesSinceMark() {
        return pagesByName.entrySet().stream()
                .flatMap(entry -> {
                    Queue<Page> pages = entry.getValue();
                    Set<Long> late = pages.stream()
                            .flatMapToLong(
                                    page -> Arrays.stream(page.log.toArray()).skip(marks.getOrDefault(page.log, 0)))
                            .boxed()
                            .collect(Collectors.toSet());
                    return IdCheck.duplicates(logs(pages))
                            .filter(late::contains)
                            .mapToObj(id -> "sequencer " + entry.getKey() + ": " + owners(pages, id));
                })
                .toList();
    }

    private static List<long[]> logs(Queue<Page> pages) {
        return pages.stream().map(page -> page.log.toArray()).toList();
    }

    private static String owners(Queue<Page> pages, long id) {
        return pages.stream()
                .filter(page -> page.contains(id))
                .map(page -> "ID " + IdCheck.describe(page.layout, id) + " of " + page.owner)
                .collect(Collectors.joining(" and "));
    }
}
