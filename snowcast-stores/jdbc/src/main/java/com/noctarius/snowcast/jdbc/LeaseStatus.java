// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a status says of one name of a {@link JdbcSnowcast}. */
record LeaseStatus(Snapshot stored, long nowMillis, TableRules rules) {
    /** Returns it; nothing of a destroyed one. Holders are called as they call themselves. */
    List<Sequencer> sequencer(Map<Integer, String> holders) {
        Definition definition = stored.lifecycle().living();
        if (definition == null) {
            return List.of();
        }
        long idNow = definition.idTime(nowMillis);
        List<Node> nodes = NodeTable.restored(stored).status(nowMillis, rules).entries().stream()
                .filter(state -> state.attached() || !state.isFree(idNow))
                .map(state -> new Node(
                        state.logicalNodeId(),
                        state.attached(),
                        holders.getOrDefault(state.logicalNodeId(), ""),
                        Instant.ofEpochMilli(definition.epochOffset() + state.nextFloor())))
                .toList();
        int attached = (int) nodes.stream().filter(Node::isAttached).count();
        return List.of(new Sequencer(
                stored.name(),
                Definition.epochOf(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                rules.nodeIdCount(definition),
                nodes,
                attached,
                nodes.size() - attached,
                definition.leasedNodeCount()));
    }
}
