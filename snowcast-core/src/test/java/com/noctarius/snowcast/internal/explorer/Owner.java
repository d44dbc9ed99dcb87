// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.owner.TableWatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a holder's call on the owner's table, like the handlers of sequencers, or with the deviation of a
 * {@link Mutation}. It caches results, because the same call on an equal table is frequent.
 */
final class Owner {
    private final TableRules rules;
    private final Mutation mutation;
    private final TableWatch watch;
    private final Map<Asked, Optional<Outcome>> known = new HashMap<>();

    /**
     * The result of a call.
     *
     * @param table the owner's table after the call
     * @param reply the answer to the holder; null for a detach
     * @param change the change for the backup; null if there is none
     */
    record Outcome(
            FrozenTable table,
            @Nullable Object reply,
            @Nullable Snapshot change) {}

    private record Asked(Replica replica, Message.Call call, long clusterMillis, long newTableId) {}

    Owner(TableRules rules, Mutation mutation, TableWatch watch) {
        this.rules = rules;
        this.mutation = mutation;
        this.watch = watch;
    }

    /** Returns the result of a call; empty if the owner rejects it. */
    Optional<Outcome> run(Replica replica, Message.Call call, long clusterMillis, long newTableId) {
        Asked asked = new Asked(replica, call, clusterMillis, newTableId);
        Optional<Outcome> outcome = known.get(asked);
        if (outcome == null) {
            outcome = Optional.ofNullable(run(FrozenTable.of(replica.thawed(newTableId)), call, clusterMillis));
            known.put(asked, outcome);
        }
        return outcome;
    }

    private @Nullable Outcome run(FrozenTable table, Message.Call call, long clusterMillis) {
        try {
            if (call instanceof Message.Call.Attach attach) {
                return attach(table, attach.request(), clusterMillis);
            }
            if (call instanceof Message.Call.Renew renew) {
                return renew(table, renew.request(), clusterMillis);
            }
            return detach(table, ((Message.Call.Detach) call).request());
        } catch (SnowcastException e) {
            return null;
        }
    }

    private @Nullable Outcome attach(FrozenTable before, AttachRequest request, long clusterMillis) {
        FrozenTable start = mutation == Mutation.FLOORS_DROPPED ? withoutFree(before, clusterMillis) : before;
        ReplicatedTable table = start.thaw();
        boolean isKnown = before.nodes().values().stream()
                .anyMatch(state ->
                        state.holder().equals(request.holder()) && state.requestNumber() == request.requestNumber());
        AttachRequest bent = mutation == Mutation.FORMER_USE_FORGOTTEN ? forgetful(request) : request;
        Decision<Optional<Grant>> decision = watch.attach(table.table(), bent, clusterMillis, rules);
        Grant grant = decision.answered() == null ? null : decision.answer().orElse(null);
        if (grant == null) {
            return null;
        }
        FrozenTable after = FrozenTable.of(table);
        boolean isBackedUp = mutation != Mutation.KNOWN_REQUEST_NOT_BACKED_UP || !isKnown;
        return new Outcome(after, grant, isBackedUp ? change(table, decision) : null);
    }

    private Outcome renew(FrozenTable before, RenewRequest request, long clusterMillis) {
        NodeState state = before.node(request.logicalNodeId());
        ReplicatedTable table = before.thaw();
        RenewRequest bent = request;
        boolean isForeign = request.token().tableId() != before.number("tableId");
        if (mutation == Mutation.TOKEN_NOT_CHECKED || (mutation == Mutation.EPOCH_NOT_CHECKED && isForeign)) {
            bent = state == null ? request : with(request, state.token(), request.ceiling());
        } else if (mutation == Mutation.FREE_ADOPTION && isForeign) {
            long ahead = clusterMillis + rules.maxSkewMillis() + 1;
            bent = with(request, request.token(), Math.max(request.ceiling(), ahead));
        } else if (mutation == Mutation.LATE_RENEW_AFTER_DETACH && state != null && !state.leased()) {
            table = before.withNodes(nodes -> nodes.put(state.logicalNodeId(), attachedAgain(state, request)))
                    .thaw();
        }
        Decision<RenewReply> decision = watch.renew(table.table(), bent, clusterMillis, rules);
        RenewReply reply = decision.answer();
        if (reply.outcome() != RenewReply.Outcome.RENEWED) {
            return new Outcome(before, reply, null);
        }
        return new Outcome(FrozenTable.of(table), reply, change(table, decision));
    }

    private @Nullable Outcome detach(FrozenTable before, DetachRequest request) {
        ReplicatedTable table = before.thaw();
        if (table.table().definition() == null) {
            return null;
        }
        Decision<Boolean> decision = watch.detach(table.table(), request);
        return new Outcome(FrozenTable.of(table), null, change(table, decision));
    }

    private static @Nullable Snapshot change(ReplicatedTable table, Decision<?> decision) {
        Set<Integer> changed = decision.changed();
        return changed == null ? null : table.change(changed);
    }

    // --- mutations

    private static AttachRequest forgetful(AttachRequest request) {
        return new AttachRequest(
                request.name(),
                request.definition(),
                request.incarnation(),
                request.holder(),
                request.requestNumber(),
                request.holderNowMillis(),
                request.leaseMillis(),
                -1);
    }

    private static FrozenTable withoutFree(FrozenTable table, long clusterMillis) {
        return table.withNodes(
                nodes -> nodes.values().removeIf(state -> !state.leased() || state.ceiling() <= clusterMillis));
    }

    private static RenewRequest with(RenewRequest request, Token token, long ceiling) {
        return new RenewRequest(
                request.name(),
                request.definition(),
                request.incarnation(),
                request.logicalNodeId(),
                token,
                ceiling,
                request.holderNow(),
                request.leaseMillis());
    }

    private static NodeState attachedAgain(NodeState state, RenewRequest request) {
        return new NodeState(
                state.logicalNodeId(),
                state.version(),
                request.token(),
                state.requestNumber(),
                state.floor(),
                state.ceiling(),
                true);
    }
}
