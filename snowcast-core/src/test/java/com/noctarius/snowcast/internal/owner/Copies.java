// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Makes copies of tables, for tests. */
public final class Copies {
    private Copies() {}

    /** Returns a new copy that has received one snapshot. */
    public static ReplicatedTable of(Snapshot snapshot) {
        ReplicatedTable copy =
                new ReplicatedTable(snapshot.name(), snapshot.header().tableId());
        copy.join(snapshot, null, false);
        return copy;
    }
}
