// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.status.ClusterStatus;
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
public record StatusPage(ClusterStatus status, @Nullable Request next) {
    /** What the status is called in exceptions. */
    public static final String SUBJECT = "status of the cluster";

    static final Form<StatusPage> FORM = RecordForm.of(
            StatusPage.class, field("status", StatusForms.STATUS), field("next", Request.FORM.nullable()));

    /**
     * Which part of a status is asked for. Within a partition the sequencers come by name.
     *
     * @param partition the partition to begin with
     * @param afterName the name that was the last one in the part before; empty for none
     * @param afterNode the last node ID of that name in the part before; {@link #WHOLE_NAME} if it had all of them
     * @param nodesLeft how many node IDs are wanted at most; of the others there are only counts
     */
    public record Request(int partition, String afterName, int afterNode, int nodesLeft) {
        /** What a client that asks needs a permission for. */
        static final String NAME = "snowcast:status";

        public static final int WHOLE_NAME = Integer.MAX_VALUE;

        static final Form<Request> FORM = RecordForm.of(
                Request.class,
                field("partition", Form.integer("partition", 0, Integer.MAX_VALUE)),
                field("afterName", Form.TEXT),
                field("afterNode", Form.integer("afterNode", 0, WHOLE_NAME)),
                field("nodesLeft", Form.integer("nodesLeft", 0, ClusterStatus.MAX_NODES)));

        public static Request first(int nodesLeft) {
            return new Request(0, "", WHOLE_NAME, nodesLeft);
        }

        /** Returns whether a name, or the rest of its node IDs, is still to come. */
        public boolean isToCome(int ofPartition, String name) {
            int order = ofPartition == partition ? name.compareTo(afterName) : 1;
            return order > 0 || (order == 0 && afterNode != WHOLE_NAME);
        }

        /** Returns whether a node ID is still to come, of a name that is. */
        public boolean isToCome(int ofPartition, String name, int node) {
            return ofPartition != partition || !name.equals(afterName) || node > afterNode;
        }

        public Request after(int newPartition, String name, int node, int nodesTaken) {
            return new Request(newPartition, name, node, nodesLeft - nodesTaken);
        }
    }

    /** Asks for one part after the other, and puts them together. */
    public static ClusterStatus readAll(Function<Request, StatusPage> read) {
        Map<String, Sequencer> sequencers = new LinkedHashMap<>();
        Map<String, List<Node>> nodes = new LinkedHashMap<>();
        StatusPage page = read.apply(Request.first(ClusterStatus.MAX_NODES));
        while (true) {
            for (Sequencer sequencer : page.status.sequencers()) {
                sequencers.put(sequencer.name(), sequencer);
                nodes.computeIfAbsent(sequencer.name(), name -> new ArrayList<>())
                        .addAll(sequencer.nodes());
            }
            Request next = page.next;
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
                List.of(),
                page.status.possibleDuplicates());
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
