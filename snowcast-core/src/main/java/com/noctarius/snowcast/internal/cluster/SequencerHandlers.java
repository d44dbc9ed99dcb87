// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Life;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What owners do for the requests of sequencers; each is described at its {@code Call}. */
final class SequencerHandlers {
    private SequencerHandlers() {}

    static Optional<Grant> attach(AttachRequest request, Changes changes, FloorKeeper floor) {
        changes.goToAllReplicas();
        floor.gone.asked(request.holder());
        floor.requireWritten();
        NodeTable table = changes.givingTable(request.name());
        table.requirePossible(request.incarnation(), floor.latestIncarnation());
        long nowMillis = floor.clusterMillis();
        if (request.incarnation() == 0 && table.definition() == null) {
            // Not backed up if it has to wait: a backup that does not hear of it takes IDs as issued that were not.
            table.releaseFormer(request);
            if (table.isSettling(request, nowMillis)) {
                throw new RetryableHazelcastException("sequencer " + request.name() + " is being destroyed");
            }
        }
        Set<Integer> touched = new HashSet<>();
        table.nodeOf(request.holder()).ifPresent(touched::add);
        Grant grant = table.attach(request, nowMillis, floor.rules());
        table.nodeOf(request.holder()).ifPresent(touched::add);
        changes.container.put(request.name(), table);
        changes.add(table.change(touched));
        return Optional.ofNullable(grant);
    }

    static Optional<Definition> find(String name, Changes changes, FloorKeeper floor) {
        return Optional.ofNullable(changes.container.table(name).definition());
    }

    static List<ExtendReply> extend(List<ExtendRequest> requests, Changes changes, FloorKeeper floor) {
        floor.requireWritableFor(requests);
        List<ExtendReply> replies = new ArrayList<>();
        for (ExtendRequest request : requests) {
            floor.gone.asked(request.token().holder());
            NodeTable table = changes.givingTable(request.name());
            boolean isUnknown = table.definition() == null;
            ExtendReply reply = table.extend(request, floor.clusterMillis(), floor.rules());
            if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
                changes.container.put(request.name(), table);
                changes.add(table.change(List.of(request.logicalNodeId())));
                if (isUnknown) {
                    changes.goToAllReplicas(); // Taken over after a loss.
                }
            }
            replies.add(reply);
        }
        return replies;
    }

    static List<Boolean> detach(List<DetachRequest> requests, Changes changes, FloorKeeper floor) {
        List<Boolean> released = new ArrayList<>();
        for (DetachRequest request : requests) {
            NodeTable table = changes.container.table(request.name());
            released.add(table.detach(request));
            changes.add(table.change(List.of(request.logicalNodeId())));
        }
        return released;
    }

    static Boolean destroy(Life life, Changes changes, FloorKeeper floor) {
        changes.goToAllReplicas();
        NodeTable table = changes.container.table(life.name());
        long nowMillis = floor.clusterMillis();
        boolean destroyed = table.destroy(life.incarnation(), nowMillis);
        if (!destroyed && nowMillis < changes.container.recoveringUntilMillis()) {
            // A holder whose extension is still to come could bring the sequencer back.
            throw new RetryableHazelcastException(
                    "sequencer " + life.name() + ": its partition lost its data and does not know it yet");
        }
        if (destroyed) {
            changes.add(table.change(List.of()));
            changes.container.destroyed(table, nowMillis);
        }
        return destroyed;
    }

    /** Unites tables of the losing side of a split network with those of this partition. */
    static List<List<Overlap>> merge(List<TableSnapshot> losing, Changes changes, FloorKeeper floor) {
        changes.goToAllReplicas();
        List<List<Overlap>> overlaps = new ArrayList<>();
        for (TableSnapshot snapshot : losing) {
            NodeTable table = changes.container.table(snapshot.name());
            overlaps.add(table.merge(snapshot, floor.clusterMillis()));
            changes.container.put(snapshot.name(), table);
            changes.add(table.snapshotFor(0));
        }
        return overlaps;
    }
}
