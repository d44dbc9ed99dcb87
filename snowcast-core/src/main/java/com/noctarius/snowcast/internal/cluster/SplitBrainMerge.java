// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Unites what this member owned on the losing side of a split network with the cluster that it has joined. */
final class SplitBrainMerge {
    private final MemberCalls calls;
    private final ILogger logger;
    private final List<PossibleDuplicates> ids = new ArrayList<>();
    private final List<PossibleDuplicateIntegers> integers = new ArrayList<>();
    private boolean isComplete = true;

    SplitBrainMerge(MemberCalls calls, ILogger logger) {
        this.calls = calls;
        this.logger = logger;
    }

    /** Merges partitions; returns whether the cluster has heard of everything. Blocks. */
    boolean merge(Collection<ContainerSnapshot> owned) {
        for (ContainerSnapshot partition : owned) {
            List<TableSnapshot> tables = partition.tables();
            if (!tables.isEmpty()) {
                attempt("granted, of " + tables.size() + " sequencers", () -> mergeTables(tables));
            }
            List<PoolSnapshot> pools = partition.pools().pools();
            if (!pools.isEmpty()) {
                attempt(
                        "handed out, of " + pools.size() + " integer sequences",
                        () -> integers.addAll(calls.ask(Call.MERGE_INTEGERS, "the merge of integer sequences", pools)));
            }
        }
        if (!ids.isEmpty() || !integers.isEmpty()) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids + integers);
            CompletableFuture<Void> unused = calls.tellAll(new DuplicatesReported(ids, integers));
        }
        return isComplete;
    }

    private void attempt(String what, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            isComplete = false;
            logger.warning("Could not tell the cluster what the other side of the split " + what, e);
        }
    }

    private void mergeTables(List<TableSnapshot> losing) {
        List<List<Overlap>> overlaps = calls.ask(Call.MERGE, "the merge of sequencers", losing);
        for (int i = 0; i < losing.size(); i++) {
            String name = losing.get(i).name();
            for (Overlap overlap : overlaps.get(i)) {
                Instant from = Instant.ofEpochMilli(overlap.fromMillis());
                Instant to = Instant.ofEpochMilli(overlap.toMillis());
                ids.add(new PossibleDuplicates(name, overlap.logicalNodeId(), from, to));
            }
        }
    }
}
