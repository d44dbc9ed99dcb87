// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.UUID;

/** Makes copies of tables and grants of containers, for tests. */
public final class Copies {
    private Copies() {}

    /** Returns a new copy that has received one snapshot. */
    public static ReplicatedTable of(Snapshot snapshot) {
        ReplicatedTable copy =
                new ReplicatedTable(snapshot.name(), snapshot.header().tableId());
        copy.join(snapshot, null, false);
        return copy;
    }

    /** Attaches a new holder to a name of a container, with the skew of the cluster; creates the name if need be. */
    public static Grant attach(
            PartitionContainer container, String name, int backupCount, long nowMillis, long maxSkewMillis) {
        ReplicatedTable table = container.table(name);
        container.put(name, table);
        Definition definition = new Definition(0, SnowcastLayout.DEFAULT, backupCount, null);
        AttachRequest request = new AttachRequest(name, definition, 0, UUID.randomUUID(), 1, nowMillis, 0, -1);
        TableRules rules = new TableRules(60_000, maxSkewMillis, 60_000, 0, 8_191);
        return table.table().attach(request, nowMillis, rules).answer().orElseThrow();
    }
}
