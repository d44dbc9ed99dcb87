// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the status of a cluster or database as tables and as JSON. */
final class StatusText {
    private StatusText() {}

    static boolean needsAttention(ClusterStatus status) {
        return !status.possibleDuplicates().isEmpty();
    }

    // --- table

    static List<String> lines(ClusterStatus status) {
        List<String> lines = new ArrayList<>();
        lines.add("at " + status.time());
        if (!status.sequencers().isEmpty()) {
            lines.add("");
            lines.addAll(sequencers(status.sequencers()));
            lines.addAll(notListed(status));
            lines.add("");
            lines.addAll(nodes(status.sequencers()));
        }
        if (!status.integerSequences().isEmpty()) {
            lines.add("");
            lines.addAll(integers(status.integerSequences()));
        }
        if (needsAttention(status)) {
            lines.add("");
            lines.addAll(duplicates(status));
        }
        return lines;
    }

    /**
     * Returns the tables for {@code --watch}: problems come first, leases have their remaining time, and the tables of
     * sequencers and of integer sequences have fewer columns if they do not fit.
     */
    static List<String> lines(ClusterStatus status, Instant now, int columns) {
        List<String> lines = new ArrayList<>();
        lines.add("at " + now.truncatedTo(ChronoUnit.SECONDS));
        if (needsAttention(status)) {
            lines.add("POSSIBLE DUPLICATES, by merges: "
                    + number(status.possibleDuplicates().size()) + "; status without --watch has them");
        }
        List<String> full = sequencers(status.sequencers());
        boolean isNarrow = full.stream().anyMatch(line -> line.length() > columns);
        lines.addAll(isNarrow ? counts(status.sequencers()) : full);
        lines.addAll(notListed(status));
        lines.addAll(nodes(status.sequencers(), now));
        if (!status.integerSequences().isEmpty()) {
            List<String> integers = integers(status.integerSequences());
            boolean isTooWide = integers.stream().anyMatch(line -> line.length() > columns);
            lines.addAll(isTooWide ? left(status.integerSequences()) : integers);
        }
        return lines;
    }

    private static List<String> notListed(ClusterStatus status) {
        int missing = status.sequencerCount() - status.sequencers().size();
        return missing == 0
                ? List.of()
                : List.of("... and " + number(missing) + " more sequencers: a status lists at most "
                        + number(ClusterStatus.MAX_SEQUENCERS));
    }

    private static List<String> counts(List<ClusterStatus.Sequencer> sequencers) {
        Table table = new Table("sequencer", ">attached", ">expiring", ">free");
        for (ClusterStatus.Sequencer each : sequencers) {
            table.row(each.name(), number(each.attachedCount()), number(each.expiringCount()), number(freeOf(each)));
        }
        return table.lines();
    }

    private static long freeOf(ClusterStatus.Sequencer each) {
        return (long) each.nodeIdCount() - each.attachedCount() - each.expiringCount();
    }

    private static List<String> left(List<ClusterStatus.Integers> sequences) {
        Table table = new Table("integer sequence", ">highest", ">left");
        for (ClusterStatus.Integers each : sequences) {
            table.row(each.name(), each.highest() < 0 ? "none" : number(each.highest()), number(each.remaining()));
        }
        return table.lines();
    }

    private static List<String> sequencers(List<ClusterStatus.Sequencer> sequencers) {
        Table table =
                new Table("sequencer", "layout", "epoch", ">backups", ">attached", ">expiring", ">free", "time ends");
        for (ClusterStatus.Sequencer each : sequencers) {
            boolean isLease = each.isNodeLease();
            table.row(
                    each.name(),
                    isLease ? "node lease" : each.layout().toString(),
                    isLease
                            ? ""
                            : Instant.ofEpochMilli(each.epoch().getEpochOffset())
                                    .toString(),
                    number(each.backupCount()),
                    number(each.attachedCount()),
                    number(each.expiringCount()),
                    number(freeOf(each)),
                    isLease ? "" : each.timeEnds().toString());
        }
        return table.lines();
    }

    private static List<String> nodes(List<ClusterStatus.Sequencer> sequencers) {
        return nodes(sequencers, null);
    }

    /** @param now the present time, to show the remaining time of leases; null to show their ends */
    private static List<String> nodes(List<ClusterStatus.Sequencer> sequencers, @Nullable Instant now) {
        Table table = new Table("sequencer", ">node", "state", now == null ? "until" : ">left", "holder");
        for (ClusterStatus.Sequencer sequencer : sequencers) {
            for (ClusterStatus.Node node : sequencer.nodes()) {
                table.row(
                        sequencer.name(),
                        number(node.id()),
                        node.isAttached() ? "attached" : "expiring",
                        now == null ? node.until().toString() : left(Duration.between(now, node.until())),
                        node.holder());
            }
        }
        List<String> lines = new ArrayList<>(table.lines());
        long missing = sequencers.stream()
                .mapToLong(each -> (long) each.attachedCount()
                        + each.expiringCount()
                        - each.nodes().size())
                .sum();
        if (missing > 0) {
            lines.add("... and " + number(missing) + " more nodes: a status lists at most "
                    + number(ClusterStatus.MAX_NODES));
        }
        return lines;
    }

    private static String left(Duration left) {
        long seconds = Math.max(0, left.toSeconds());
        return seconds / 60 + ":" + (seconds % 60 < 10 ? "0" : "") + seconds % 60;
    }

    private static List<String> integers(List<ClusterStatus.Integers> sequences) {
        Table table = new Table("integer sequence", ">first", ">last", ">highest", ">left");
        for (ClusterStatus.Integers each : sequences) {
            table.row(
                    each.name(),
                    number(each.firstValue()),
                    number(each.lastValue()),
                    each.highest() < 0 ? "none" : number(each.highest()),
                    number(each.remaining()));
        }
        return table.lines();
    }

    private static List<String> duplicates(ClusterStatus status) {
        Table table = new Table("POSSIBLE DUPLICATES, by merges", ">node", "from", "to");
        status.possibleDuplicates()
                .forEach(each -> table.row(
                        each.sequencerName(),
                        number(each.logicalNodeId()),
                        each.from().toString(),
                        each.to().toString()));
        return table.lines();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    // --- JSON

    static String json(ClusterStatus status) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("time", status.time());
        values.put(
                "sequencers",
                status.sequencers().stream().map(StatusText::values).toList());
        values.put("sequencerCount", status.sequencerCount());
        values.put(
                "integerSequences",
                status.integerSequences().stream().map(StatusText::values).toList());
        values.put(
                "possibleDuplicates",
                status.possibleDuplicates().stream()
                        .map(each -> map(
                                "sequencer", each.sequencerName(),
                                "logicalNodeId", each.logicalNodeId(),
                                "from", each.from(),
                                "to", each.to()))
                        .toList());
        return Json.of(values);
    }

    private static Map<String, Object> values(ClusterStatus.Sequencer each) {
        Map<String, Object> values = map(
                "name", each.name(),
                "epoch", Instant.ofEpochMilli(each.epoch().getEpochOffset()),
                "layout", each.layout(),
                "backupCount", each.backupCount(),
                "nodeIdCount", each.nodeIdCount(),
                "attachedCount", each.attachedCount(),
                "expiringCount", each.expiringCount());
        if (each.isNodeLease()) {
            values.put("maxNodeCount", each.maxNodeCount());
        }
        values.put("timeEnds", each.timeEnds());
        Instant turnsNegative = each.turnsNegative();
        if (turnsNegative != null) {
            values.put("turnsNegative", turnsNegative);
        }
        Long above = each.startAbove();
        if (above != null) {
            values.put("startAbove", Long.toString(above));
        }
        values.put(
                "nodes",
                each.nodes().stream()
                        .map(node -> map(
                                "id", node.id(),
                                "state", node.isAttached() ? "attached" : "expiring",
                                "until", node.until(),
                                "holder", node.holder()))
                        .toList());
        return values;
    }

    /** Integers are strings, because JavaScript would round large numbers. */
    private static Map<String, Object> values(ClusterStatus.Integers each) {
        Map<String, Object> values = map(
                "name", each.name(),
                "firstValue", Long.toString(each.firstValue()),
                "lastValue", Long.toString(each.lastValue()),
                "remaining", Long.toString(each.remaining()));
        if (each.highest() >= 0) {
            values.put("highest", Long.toString(each.highest()));
        }
        return values;
    }

    private static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return map;
    }
}
