// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.jdbc.LeaseTables.Change;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The columns of the {@link LeaseTables}, and the conversion of rows to records and of records to rows. */
final class LeaseRows {
    /** The columns of a name; the last one is the key. */
    static final String NAME_COLUMNS = "epoch_millis, timestamp_bits, node_bits, counter_bits, max_node_count,"
            + " start_above, incarnation, destroyed_up_to, change_number, table_id, recovered_millis,"
            + " highest_destroyed, used_up_to, losses, name";

    /** The columns of a node ID; the last two are the key. */
    static final String NODE_COLUMNS = "attached, held_by, floor_millis, ceiling_millis, holder, request_number,"
            + " table_id, token_sequence, version, name, node_id";

    private LeaseRows() {}

    /**
     * Returns the epoch of a name that has a definition. Columns contain times since 1970, records contain ID times.
     */
    static long epochMillis(TableHeader name) {
        return definition(name).epochOffset();
    }

    private static Definition definition(TableHeader name) {
        return Objects.requireNonNull(name.lifecycle().definition());
    }

    static StoredName name(ResultSet row) throws SQLException {
        SnowcastLayout layout = new SnowcastLayout(row.getInt(2), row.getInt(3), row.getInt(4));
        long startAbove = row.getLong(6);
        boolean startsAnywhere = row.wasNull();
        Definition definition =
                new Definition(row.getLong(1), layout, 0, startsAnywhere ? null : startAbove, row.getInt(5));
        Lifecycle lifecycle =
                new Lifecycle(row.getString(15), definition, row.getLong(7), row.getLong(8), row.getLong(9));
        TableHeader table =
                new TableHeader(lifecycle, row.getLong(10), row.getLong(11), row.getLong(12), row.getLong(13));
        return new StoredName(table, row.getLong(14));
    }

    static @Nullable Object[] values(StoredName stored) {
        TableHeader table = stored.table();
        Lifecycle lifecycle = table.lifecycle();
        Definition definition = definition(table);
        SnowcastLayout layout = definition.layout();
        return new @Nullable Object[] {
            definition.epochOffset(),
            layout.timestampBits(),
            layout.logicalNodeBits(),
            layout.counterBits(),
            definition.leasedNodeCount(),
            definition.startAbove(),
            lifecycle.incarnation(),
            lifecycle.destroyedUpTo(),
            lifecycle.changeNumber(),
            table.tableId(),
            table.waitEndMillis(),
            table.highestOfDestroyed(),
            table.usedUpTo(),
            stored.losses(),
            lifecycle.name()
        };
    }

    static NodeState node(ResultSet row, long epochMillis) throws SQLException {
        return new NodeState(
                row.getInt(11),
                row.getLong(9),
                new Token(row.getLong(7), row.getLong(8), UUID.fromString(row.getString(5))),
                row.getLong(6),
                row.getLong(3) - epochMillis,
                row.getLong(4) - epochMillis,
                row.getInt(1) == 1);
    }

    /** Returns the values of {@link #NODE_COLUMNS}. */
    static Object[] values(TableHeader name, NodeState state, String heldBy) {
        long epochMillis = epochMillis(name);
        return new Object[] {
            state.leased() ? 1 : 0,
            heldBy,
            state.floor() + epochMillis,
            state.ceiling() + epochMillis,
            state.holder().toString(),
            state.requestNumber(),
            state.token().tableId(),
            state.token().sequence(),
            state.version(),
            name.name(),
            state.logicalNodeId()
        };
    }

    static Object[] values(Change change) {
        NodeState before = change.before().state();
        NodeState after = change.after().state();
        long epochMillis = epochMillis(change.before().table());
        return new Object[] {
            after.leased() ? 1 : 0,
            after.floor() + epochMillis,
            after.ceiling() + epochMillis,
            after.version(),
            change.before().table().name(),
            before.logicalNodeId(),
            before.version(),
            before.holder().toString(),
            before.ceiling() + epochMillis
        };
    }

    // --- SQL texts

    static String insert(String table, String columns) {
        int count = columns.split(",").length;
        return "INSERT INTO " + table + " (" + columns + ") VALUES (" + "?, ".repeat(count - 1) + "?)";
    }

    /** Returns {@code a = ?, b = ?} for all columns except the last ones, which are the key. */
    static String assignments(String columns, int keys) {
        String[] names = columns.split(", ");
        List<String> changed = List.of(names).subList(0, names.length - keys);
        return String.join(" = ?, ", changed) + " = ?";
    }

    static Object[] and(Object[] values, Object last) {
        Object[] all = Arrays.copyOf(values, values.length + 1);
        all[values.length] = last;
        return all;
    }
}
