// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.DatabaseIdentity;
import com.noctarius.snowcast.jdbc.LeaseTables.InUse;
import com.noctarius.snowcast.jdbc.LeaseTables.Shown;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads the status of the sequencers and node leases of a {@link JdbcSnowcast}: how many node IDs each has in use, and
 * some of these node IDs. The number of statements does not depend on the number of names.
 */
final class LeaseStatus {
    private LeaseStatus() {}

    /**
     * Returns all names that are not destroyed. After a loss of data (see {@link LostGrants}), the holders of a name
     * are unknown until the next decision about this name. Until then, the name is returned without node IDs.
     */
    static List<Sequencer> read(
            Transaction transaction, LeaseTables tables, DatabaseIdentity identity, TableRules rules)
            throws SQLException {
        List<StoredName> names = tables.names(transaction, 0);
        boolean isLost = identity.isOnAnotherServer();
        Map<String, InUse> counts = isLost ? Map.of() : tables.inUse(transaction, identity.nowMillis());
        Map<String, List<Shown>> nodes = isLost
                ? Map.of()
                : tables.shown(transaction, identity.nowMillis(), ClusterStatus.MAX_NODES).stream()
                        .collect(Collectors.groupingBy(Shown::name));
        List<Sequencer> sequencers = new ArrayList<>();
        for (StoredName stored : names) {
            Definition definition = stored.table().lifecycle().living();
            if (definition != null) {
                String name = stored.table().name();
                boolean isKnown = stored.losses() == identity.losses();
                InUse none = new InUse(name, 0, 0, 0);
                sequencers.add(sequencer(
                        name,
                        definition,
                        rules,
                        isKnown ? counts.getOrDefault(name, none) : none,
                        isKnown ? nodes.getOrDefault(name, List.of()) : List.of()));
            }
        }
        return sequencers;
    }

    private static Sequencer sequencer(
            String name, Definition definition, TableRules rules, InUse inUse, List<Shown> shown) {
        return new Sequencer(
                name,
                Definition.epochOf(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                rules.nodeIdCount(definition),
                shown.stream().map(LeaseStatus::node).toList(),
                inUse.attached(),
                inUse.expiring(),
                definition.leasedNodeCount());
    }

    private static Node node(Shown shown) {
        return new Node(shown.nodeId(), shown.attached(), shown.heldBy(), Instant.ofEpochMilli(shown.untilMillis()));
    }
}
