// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.AttachReply;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DestroyReply;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.Incarnation;
import java.util.List;
import java.util.Optional;

/** What owners do for the requests of sequencers; each is described at its {@code RequestType}. */
final class SequencerHandlers {
    private SequencerHandlers() {}

    static Optional<Grant> attach(AttachRequest request, ReplicatedChanges changes) {
        TableRules rules = changes.bounds.rulesToAttach(request);
        AttachReply reply = changes.ofTable(request.name(), (table, owner) -> table.attach(request, owner, rules));
        if (reply.outcome() == AttachReply.Outcome.SETTLING) {
            throw new RetryableHazelcastException(request.definition().called(request.name()) + " is being destroyed");
        }
        return Optional.ofNullable(reply.grant());
    }

    static List<ExtendReply> extend(List<ExtendRequest> requests, ReplicatedChanges changes) {
        TableRules rules = changes.bounds.rulesToExtend(requests);
        return requests.stream()
                .map(request -> changes.ofTable(request.name(), (table, owner) -> table.extend(request, owner, rules)))
                .toList();
    }

    static List<Boolean> detach(List<DetachRequest> requests, ReplicatedChanges changes) {
        return requests.stream()
                .map(request -> changes.ofTable(request.name(), (table, owner) -> table.detach(request)))
                .toList();
    }

    static boolean destroy(Incarnation destroyed, ReplicatedChanges changes) {
        DestroyReply reply =
                changes.ofTable(destroyed.name(), (table, owner) -> table.destroy(destroyed.number(), owner));
        if (reply == DestroyReply.NOT_KNOWN_YET) {
            throw new RetryableHazelcastException(destroyed + ": its partition lost its data a moment ago");
        }
        if (reply == DestroyReply.DESTROYED) {
            changes.container.destroyed(destroyed.name(), changes.owner().nowMillis());
        }
        return reply == DestroyReply.DESTROYED;
    }

    /** Unites tables of the losing side of a split network with those of this partition. */
    static List<PossibleDuplicates> merge(List<Snapshot<Definition, NodeState>> losing, ReplicatedChanges changes) {
        return losing.stream()
                .map(snapshot ->
                        changes.ofTable(snapshot.name(), (table, owner) -> table.merge(snapshot, owner.nowMillis())))
                .flatMap(List::stream)
                .toList();
    }
}
