// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Integers;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a status.
 *
 * @param status what it has; of the last part also what merges reported
 * @param next the request for the part after it; null if it is the last one
 */
record StatusPage(ClusterStatus status, @Nullable PageRequest next) {
    /** Asks for one part after the other, and puts them together. */
    static ClusterStatus readAll(PageRequest first, Function<PageRequest, StatusPage> read) {
        Map<String, Sequencer> sequencers = new LinkedHashMap<>();
        Map<String, List<Node>> nodes = new LinkedHashMap<>();
        List<Integers> sequences = new ArrayList<>();
        StatusPage page = read.apply(first);
        while (true) {
            for (Sequencer sequencer : page.status.sequencers()) {
                sequencers.put(sequencer.name(), sequencer);
                nodes.computeIfAbsent(sequencer.name(), name -> new ArrayList<>())
                        .addAll(sequencer.nodes());
            }
            sequences.addAll(page.status.integerSequences());
            PageRequest next = page.next;
            if (next == null) {
                break;
            }
            page = read.apply(next);
        }
        return new ClusterStatus(
                page.status.time(),
                sequencers.values().stream()
                        .map(each -> with(each, nodes.getOrDefault(each.name(), List.of())))
                        .sorted(Comparator.comparing(Sequencer::name))
                        .toList(),
                sequences.stream().sorted(Comparator.comparing(Integers::name)).toList(),
                page.status.possibleDuplicates(),
                page.status.possibleDuplicateIntegers());
    }

    private static Sequencer with(Sequencer sequencer, List<Node> nodes) {
        return new Sequencer(
                sequencer.name(),
                sequencer.epoch(),
                sequencer.layout(),
                sequencer.backupCount(),
                sequencer.startAbove(),
                sequencer.nodeIdCount(),
                nodes,
                sequencer.attachedCount(),
                sequencer.expiringCount(),
                sequencer.maxNodeCount());
    }
}
