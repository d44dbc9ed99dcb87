// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What destroyed sequencers said of their grants, of the names that were destroyed last. One that is forgotten too early
 * counts as having used all that it was granted, so its name waits longer to be created again. Thread-safe.
 */
final class FormerReports {
    private static final int MAX_NAMES = 1_000;
    private static final int MAX_REPORTS = 8;

    private final Map<String, List<SealReport>> byName = new LinkedHashMap<>();

    synchronized void add(String name, SealReport report) {
        List<SealReport> reports = of(name);
        reports.removeIf(other -> other.holder().equals(report.holder()));
        reports.add(report);
        byName.remove(name);
        byName.put(name, reports.subList(Math.max(reports.size() - MAX_REPORTS, 0), reports.size()));
        if (byName.size() > MAX_NAMES) {
            byName.remove(byName.keySet().iterator().next());
        }
    }

    /** Returns a list of the caller's own. */
    synchronized List<SealReport> of(String name) {
        return new ArrayList<>(byName.getOrDefault(name, List.of()));
    }
}
