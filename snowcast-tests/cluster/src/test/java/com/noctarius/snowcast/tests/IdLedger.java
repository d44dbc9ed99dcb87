// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** All IDs of some names, by who got them. Thread-safe. */
final class IdLedger {
    private final Map<String, Queue<Page>> pagesByName = new ConcurrentHashMap<>();

    /** What one thread got from one instance. */
    private record Page(String owner, SnowcastLayout layout, IdLog log) {
        boolean contains(long id) {
            return Arrays.stream(log.toArray()).anyMatch(each -> each == id);
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

    /** Fails if an ID occurs twice under a name, or if IDs of a log do not increase. */
    void check() {
        pagesByName.forEach((name, pages) -> {
            for (Page page : pages) {
                try {
                    IdCheck.requireOrdered(page.layout, page.log.toArray());
                } catch (AssertionError e) {
                    throw new AssertionError(page.owner + ": " + e.getMessage(), e);
                }
            }
            List<long[]> all = pages.stream().map(page -> page.log.toArray()).toList();
            IdCheck.firstDuplicate(all).ifPresent(id -> {
                throw new AssertionError("sequencer " + name + ": " + owners(pages, id));
            });
        });
    }

    private static String owners(Queue<Page> pages, long id) {
        return pages.stream()
                .filter(page -> page.contains(id))
                .map(page -> "ID " + IdCheck.describe(page.layout, id) + " of " + page.owner)
                .collect(Collectors.joining(" and "));
    }
}
