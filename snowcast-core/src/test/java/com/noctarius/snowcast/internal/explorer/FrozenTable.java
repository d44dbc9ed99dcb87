// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of a {@link ReplicatedTable} with all its fields, including the fields that no snapshot contains. A
 * table that is made from this copy behaves like the original. The fields are copied by reflection, so that new fields
 * are included.
 */
final class FrozenTable {
    private static final List<Field> FIELDS = Stream.of(NodeTable.class, ReplicatedTable.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
            .filter(field -> !Modifier.isStatic(field.getModifiers()) && field.getType() != NodeTable.class)
            .peek(field -> field.setAccessible(true))
            .toList();

    private static final int ENTRIES = indexOf("entries");

    private static final Set<String> CHANGE_NUMBERS = Set.of("lastFullChange", "lastIncompleteChange");

    private final @Nullable Object[] values;
    private final int hash;

    private FrozenTable(@Nullable Object[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    static FrozenTable of(ReplicatedTable table) {
        @Nullable Object[] values = new @Nullable Object[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            Field field = FIELDS.get(i);
            Object value = get(field, ownerOf(field, table));
            values[i] = value instanceof Map<?, ?> entries ? new TreeMap<>(entries) : value;
        }
        return new FrozenTable(values);
    }

    ReplicatedTable thaw() {
        ReplicatedTable table = new ReplicatedTable(Holder.NAME, 0);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            set(
                    FIELDS.get(i),
                    ownerOf(FIELDS.get(i), table),
                    value instanceof Map<?, ?> entries ? new TreeMap<>(entries) : value);
        }
        return table;
    }

    /** Returns the object that a field belongs to: the node table, or the replicated table that contains it. */
    private static Object ownerOf(Field field, ReplicatedTable table) {
        return field.getDeclaringClass() == NodeTable.class ? table.table() : table;
    }

    static @Nullable Object get(Field field, Object target) {
        try {
            return field.get(target);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static void set(Field field, Object target, @Nullable Object value) {
        try {
            field.set(target, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    // --- reads and changes of single fields, for mutations

    long number(String field) {
        return values[indexOf(field)] instanceof Long number ? number : 0;
    }

    Lifecycle lifecycle() {
        return (Lifecycle) Objects.requireNonNull(values[indexOf("lifecycle")]);
    }

    @Nullable
    NodeState node(int logicalNodeId) {
        return nodes().get(logicalNodeId);
    }

    @SuppressWarnings("unchecked")
    Map<Integer, NodeState> nodes() {
        return values[ENTRIES] instanceof Map<?, ?> map ? (Map<Integer, NodeState>) map : Map.of();
    }

    FrozenTable withNodes(Consumer<Map<Integer, NodeState>> change) {
        Map<Integer, NodeState> nodes = new TreeMap<>(nodes());
        change.accept(nodes);
        return with(ENTRIES, nodes);
    }

    FrozenTable with(String field, Object value) {
        return with(indexOf(field), value);
    }

    private FrozenTable with(int index, Object value) {
        @Nullable Object[] changed = values.clone();
        changed[index] = value;
        return new FrozenTable(changed);
    }

    private static int indexOf(String field) {
        return indexOf(FIELDS, field);
    }

    static int indexOf(List<Field> fields, String name) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).getName().equals(name)) {
                return i;
            }
        }
        throw new AssertionError("no field " + name + " in " + fields);
    }

    // --- description and comparison

    void describe(Fingerprint to) {
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value instanceof Long number) {
                if (CHANGE_NUMBERS.contains(FIELDS.get(i).getName())) {
                    to.change(number);
                } else {
                    to.number(number);
                }
            } else if (value instanceof Map<?, ?> map) {
                to.unordered(map.values(), state -> describe((NodeState) state, to));
            } else if (value instanceof Lifecycle lifecycle) {
                describe(lifecycle, to);
            } else if (value != null && FIELDS.get(i).getName().equals("merged")) {
                Message.Done.describe(losing(value), to);
            } else if (value != null) {
                throw new AssertionError("not understood: " + value);
            }
        }
    }

    private static Snapshot losing(Object merged) {
        try {
            Field losing = merged.getClass().getDeclaredField("losing");
            losing.setAccessible(true);
            return (Snapshot) Objects.requireNonNull(get(losing, merged));
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    static void describe(Lifecycle lifecycle, Fingerprint to) {
        to.flag(lifecycle.definition() != null); // All holders have the same definition.
        to.number(lifecycle.incarnation());
        to.number(lifecycle.destroyedUpTo());
        to.change(lifecycle.changeNumber());
    }

    static void describe(NodeState state, Fingerprint to) {
        to.number(state.logicalNodeId());
        to.version(state.logicalNodeId(), state.version());
        to.token(state.token());
        to.holder(state.holder());
        to.number(state.requestNumber());
        to.number(state.floor());
        to.number(state.ceiling());
        to.flag(state.leased());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FrozenTable table && hash == table.hash && Arrays.equals(values, table.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
