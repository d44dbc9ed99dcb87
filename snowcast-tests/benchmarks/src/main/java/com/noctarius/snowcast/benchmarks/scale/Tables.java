// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.benchmarks.Result;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.Forms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Measures, without a cluster, the node table that the owner of a partition has for a sequencer. */
final class Tables {
    private static final String HOLDERS = "holders";
    private static final int MANY = SnowcastLayout.MAX_LOGICAL_NODE_COUNT;
    private static final int BLOCK = 1_024;
    private static final long NOW = 1_700_000_000_000L;
    private static final TableRules RULES = new TableRules(300_000, 60_000, 480_000, 0, MANY - 1);
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 13, 9);

    private final List<Result> results;
    private final List<UUID> holders = new ArrayList<>();
    private final List<Grant> grants = new ArrayList<>();
    private final ReplicatedTable replica = new ReplicatedTable("many", 1);
    private final NodeTable table = replica.table();
    private long requests;

    private Tables(List<Result> results) {
        this.results = results;
    }

    static void measure(List<Result> results) throws InterruptedException {
        heap(results, 1);
        heap(results, 3);
        for (int i = 0; i < 20; i++) {
            new Tables(new ArrayList<>()).holders(); // these rounds warm up the code
        }
        new Tables(results).holders();
    }

    private static Definition definition() {
        return new Definition(1_500_000_000_000L, LAYOUT, 1, null);
    }

    private static AttachRequest request(String name, UUID holder, long number) {
        // Make new objects, because requests that arrive from other members share none.
        return new AttachRequest(new String(name), definition(), 0, holder, number, NOW, 0, 0);
    }

    /** Measures the heap of tables that are in a map, as in the container of a partition. */
    private static void heap(List<Result> results, int holderCount) throws InterruptedException {
        int count = 20_000;
        Map<String, ReplicatedTable> tables = new HashMap<>();
        double before = Worker.heap();
        for (int i = 0; i < count; i++) {
            String name = "sequencer-" + i;
            ReplicatedTable each = new ReplicatedTable(name, i);
            for (int holder = 0; holder < holderCount; holder++) {
                each.table().attach(request(name, UUID.randomUUID(), 1), NOW, RULES);
            }
            tables.put(name, each);
        }
        double bytes = (Worker.heap() - before) / tables.size();
        results.add(new Result(
                "sequencers", "table", holderCount + " holders", "heap per copy of the table", bytes, 0, "bytes"));
    }

    private void holders() {
        for (int from = 0; from < MANY; from += BLOCK) {
            int to = from + BLOCK;
            long start = System.nanoTime();
            for (int i = from; i < to; i++) {
                attach(UUID.randomUUID());
            }
            add("holders " + (from + 1) + " to " + to, "attach", nanosEach(start), "ns");
        }
        add(MANY + " holders", "table on the wire", wireBytes(), "bytes");
        // Detach and attach again, after all node IDs have been used.
        long start = System.nanoTime();
        for (int i = 0; i < BLOCK; i++) {
            int last = holders.size() - 1;
            Grant grant = grants.remove(last);
            UUID holder = holders.remove(last);
            Decision<Boolean> decision =
                    table.detach(new DetachRequest("many", grant.logicalNodeId(), grant.token(), grant.floor()));
            replica.change(Objects.requireNonNull(decision.changed()));
            attach(holder);
        }
        add("all " + MANY + " used before", "detach and attach", nanosEach(start), "ns");
        start = System.nanoTime();
        for (int i = 0; i < BLOCK; i++) {
            attach(holders.get(i)); // as if the detach request was lost
        }
        add("all " + MANY + " used before", "attach of a holder that has one", nanosEach(start), "ns");
        start = System.nanoTime();
        replica.snapshotFor(1);
        add(MANY + " holders", "snapshot for a replica", (double) (System.nanoTime() - start), "ns");
    }

    private void attach(UUID holder) {
        Decision<Optional<Grant>> decision = table.attach(request("many", holder, ++requests), NOW, RULES);
        replica.change(Objects.requireNonNull(decision.changed()));
        holders.add(holder);
        grants.add(Objects.requireNonNull(decision.answer().orElse(null)));
    }

    private static double nanosEach(long start) {
        return (System.nanoTime() - start) / (double) BLOCK;
    }

    private int wireBytes() {
        InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
        try (BufferObjectDataOutput out = serialization.createObjectDataOutput()) {
            Forms.TABLE.write(out, replica.snapshotFor(1));
            return out.toByteArray().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            serialization.dispose();
        }
    }

    private void add(String setting, String metric, double value, String unit) {
        results.add(new Result(HOLDERS, "table", setting, metric, value, 0, unit));
    }
}
