// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import java.util.stream.Stream;

/**
 * An immutable copy of what a member has of a partition, or of some of it.
 *
 * @param state what is known of the names that are not in it
 * @param nameCount how many names the member has
 */
public record ContainerSnapshot(
        ContainerState state,
        int nameCount,
        List<Snapshot<Definition, NodeState>> tables,
        List<Snapshot<PoolDefinition, RememberedReply>> pools) {

    public ContainerSnapshot {
        tables = List.copyOf(tables);
        pools = List.copyOf(pools);
    }

    /** Returns all that is in it, whether of sequencers or of integer sequences. */
    public Stream<Snapshot<?, ?>> all() {
        return Stream.concat(tables.stream(), pools.stream());
    }

    /** Returns what a replica is to have of it. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var ofTables = tables.stream().map(table -> table.forReplica(replicaIndex));
        var ofPools = pools.stream().map(pool -> pool.forReplica(replicaIndex));
        return new ContainerSnapshot(state, nameCount, ofTables.toList(), ofPools.toList());
    }
}
