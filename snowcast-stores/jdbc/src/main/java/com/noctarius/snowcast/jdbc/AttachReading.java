// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.Nodes;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Held;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Reading;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Rows;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that the decision about an attach request needs. If the sequencer exists, these are the rows of the
 * holder, of the node ID of the holder's last known grant, of at most {@link #TRIED} node IDs to try, and of the node
 * ID to grant. If the name has more than {@link #TRIED} node IDs, this class tries {@link #TRIED} of them, which it
 * selects pseudo-randomly, and chooses the node ID to grant. The node table then only decides whether to grant that
 * node ID, and from which time on. If the sequencer was destroyed, this class reads the rows of all node IDs.
 *
 * @param known the holder's last grant, as this process last saw it in the database; null if this process knows none
 */
record AttachReading(
        LeaseTables tables,
        TableRules rules,
        AttachRequest request,
        @Nullable Held known) implements Reading {
    /**
     * The maximum number of node IDs that an attach tries. If a tenth of all node IDs has no row, about one attach in
     * 30 tries only node IDs that have a row.
     */
    static final int TRIED = 32;

    /** How long a node ID is free before its row may be deleted. */
    static final Duration KEPT = Duration.ofDays(1);

    private static final int REMOVED_AT_ONCE = 20;

    @Override
    public Rows read(Transaction transaction, StoredName stored, long nowMillis) throws SQLException {
        Definition definition = stored.table().lifecycle().living();
        if (definition == null) {
            // All rows are needed to know which IDs a destroyed sequencer may have issued.
            return new Rows(stored, tables.nodes(transaction, stored.table(), Nodes.ALL), rules, false);
        }
        int count = rules.nodeIdCount(definition);
        Set<Integer> tried = tried(count);
        Nodes wanted = Nodes.in(wanted(tried)).orOf(request.holder());
        List<NodeState> rows = new ArrayList<>(tables.nodes(transaction, stored.table(), wanted));
        if (tried.size() == count) {
            return new Rows(stored, rows, rules, false);
        }
        // Delete old rows only if the first tried node ID has a row. If it has none, most node IDs probably have no
        // row, and there are few old rows.
        StoredName name =
                hasRow(rows, tried.iterator().next()) ? withoutOldRows(transaction, stored, rows, nowMillis) : stored;
        int chosen = choose(transaction, name, definition, tried, rows, nowMillis);
        return new Rows(name, rows, rules.withOnly(chosen), true);
    }

    /**
     * Returns the node IDs to try. A hash of the holder determines the first one, so that two holders seldom begin with
     * the same node ID.
     */
    private Set<Integer> tried(int count) {
        int hash = request.holder().hashCode();
        Set<Integer> tried = new LinkedHashSet<>(List.of(Math.floorMod(hash, count)));
        if (count <= TRIED) {
            IntStream.range(0, count).forEach(tried::add);
        } else {
            SplittableRandom random = new SplittableRandom(hash);
            while (tried.size() < TRIED) {
                tried.add(random.nextInt(count));
            }
        }
        return tried;
    }

    private Set<Integer> wanted(Set<Integer> tried) {
        if (known == null) {
            return tried;
        }
        Set<Integer> wanted = new LinkedHashSet<>(tried);
        wanted.add(known.state().logicalNodeId());
        return wanted;
    }

    private static boolean hasRow(List<NodeState> rows, int nodeId) {
        return rows.stream().anyMatch(state -> state.logicalNodeId() == nodeId);
    }

    /**
     * Returns the node ID to grant. The first choice is a tried node ID without a row. The second choice is the
     * released or expired node ID whose next grant may begin first, if that grant may begin within the maximum clock
     * skew from now. If this method returns the second choice, it adds the row to {@code rows}. The third choice is any
     * node ID without a row, and the last choice is the holder's own node ID.
     */
    private int choose(
            Transaction transaction,
            StoredName name,
            Definition definition,
            Set<Integer> tried,
            List<NodeState> rows,
            long nowMillis)
            throws SQLException {
        for (int nodeId : tried) {
            if (!hasRow(rows, nodeId)) {
                return nodeId;
            }
        }
        long idNow = definition.idTime(nowMillis);
        NodeState free = tables.earliest(transaction, name.table(), false).orElse(null);
        NodeState ended = tables.earliest(transaction, name.table(), true)
                .filter(state -> state.ceiling() <= idNow)
                .orElse(null);
        NodeState chosen = ended != null && (free == null || ended.ceiling() < free.ceiling()) ? ended : free;
        if (chosen != null && chosen.ceiling() <= idNow + rules.maxSkewMillis()) {
            return withRow(rows, chosen);
        }
        int unused = tables.unused(transaction, name.table(), rules.nodeIdCount(definition));
        if (unused >= 0) {
            return unused;
        }
        // Return the holder's own node ID, which the attach releases first. If the holder has none, the table rejects
        // the request.
        return rows.stream()
                .filter(state -> state.holder().equals(request.holder()))
                .findFirst()
                .orElse(rows.get(0))
                .logicalNodeId();
    }

    private static int withRow(List<NodeState> rows, NodeState chosen) {
        if (!hasRow(rows, chosen.logicalNodeId())) {
            rows.add(chosen);
        }
        return chosen.logicalNodeId();
    }

    /**
     * Deletes some rows of node IDs that have been free for longer than {@link #KEPT}. Returns the row of the name,
     * changed so that later grants of these node IDs begin at or after the end of the deleted grants.
     */
    private StoredName withoutOldRows(Transaction transaction, StoredName stored, List<NodeState> rows, long nowMillis)
            throws SQLException {
        long before = nowMillis - KEPT.toMillis();
        long usedUpTo = stored.table().usedUpTo();
        for (NodeState old : tables.endedBefore(transaction, stored.table(), before, REMOVED_AT_ONCE)) {
            if (tables.deleteUnlessChanged(transaction, stored.table().name(), old)) {
                usedUpTo = Math.max(usedUpTo, old.nextFloor());
                rows.remove(old);
            }
        }
        return new StoredName(stored.table().withUsedUpTo(usedUpTo), stored.losses());
    }

    @Override
    public RuntimeException exceeded(Transaction transaction, StoredName name, long nowMillis) throws SQLException {
        Definition definition = request.definition();
        LeaseTables.InUse inUse = tables.inUse(transaction, name.table().name(), nowMillis);
        return new NodeIdCounts(inUse.attached(), inUse.expiring(), rules.nodeIdCount(definition))
                .exceeded(definition.called(request.name()), "", inUse.nextFreeMillis());
    }
}
