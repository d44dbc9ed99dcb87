// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.explorer.Message.Call;
import com.noctarius.snowcast.internal.explorer.Message.Done;
import com.noctarius.snowcast.internal.explorer.Message.Request;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.TableRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** What can happen: holders, an owner, a backup, the messages between them, and what goes wrong. */
final class Model {
    private static final List<Integer> DIRECTIONS = List.of(1, -1);

    private final Scope scope;
    private final Mutation mutation;
    private final TableRules rules;
    private final Owner owner;

    /** Is told what can happen next. */
    @FunctionalInterface
    interface Steps {
        void add(Supplier<String> label, State next);
    }

    Model(Scope scope, Mutation mutation) {
        this.scope = scope;
        this.mutation = mutation;
        this.rules = scope.rules();
        this.owner = new Owner(rules, mutation);
    }

    State initial() {
        return State.initial(scope);
    }

    /** Tells all that can happen in a state, in the same order each time. */
    void steps(State state, Steps steps) {
        allSteps(state, (label, next) -> steps.add(label, withoutVainReplies(withoutThePast(next))));
    }

    /** What was issued in milliseconds that no clock shows again makes no difference: nobody issues them again. */
    private State withoutThePast(State state) {
        return state.forgetting(earliestClock(state));
    }

    private long earliestClock(State state) {
        int least = -scope.clocks();
        if (state.left().clockSteps() == 0) {
            least = Math.min(
                    state.holders().get(0).clockOffset(), state.holders().get(1).clockOffset());
        }
        return state.now() + least;
    }

    /** Replies that change nothing when they arrive, now or later, make no difference. */
    private static State withoutVainReplies(State state) {
        List<Message> messages = new ArrayList<>();
        boolean changes = false;
        for (Message message : state.messages()) {
            if (message instanceof Done done
                    && done.reply() != null
                    && !state.holders().get(done.holder()).awaits(done.reply(), done.call())) {
                changes = true;
                if (!done.isAcknowledged()) {
                    messages.add(done.unanswered());
                }
            } else {
                messages.add(message);
            }
        }
        return changes ? state.with(List.copyOf(messages)) : state;
    }

    private void allSteps(State state, Steps steps) {
        if (state.now() < State.START + scope.ticks()) {
            steps.add(() -> "-- tick " + (state.now() + 1 - State.START), state.at(state.now() + 1));
        }
        for (Holder holder : state.holders()) {
            holderSteps(state, holder, steps);
        }
        for (int i = 0; i < state.messages().size(); i++) {
            messageSteps(state, i, steps);
        }
        memberSteps(state, steps);
    }

    // --- holders

    private void holderSteps(State state, Holder holder, Steps steps) {
        String name = "holder " + holder.index();
        Holder.Held held = holder.held();
        if (held != null && !held.sealed()) {
            issue(state, holder, held, steps);
        }
        boolean mayIssueMore = state.messages().size() < scope.messages();
        if (holder.waits()) {
            Request again = new Request(holder.index(), new Call.Attach(holder.attachRequest()));
            if (mayIssueMore && !state.messages().contains(again)) {
                steps.add(() -> name + " sends again: " + again.call(), state.with(again));
            }
            steps.add(() -> name + " gives up its attach", state.with(holder.giveUp()));
        } else if (!holder.attached()) {
            if (mayIssueMore && state.left().attaches() > 0) {
                Holder asking = holder.ask(state.now());
                Request request = new Request(holder.index(), new Call.Attach(asking.attachRequest()));
                steps.add(
                        () -> name + " sends " + request.call(),
                        state.with(asking).with(request).with(state.left().lessAttaches()));
            }
        } else if (held != null && mayIssueMore) {
            Request extend = new Request(holder.index(), new Call.Extend(holder.extendRequest(held, state.now())));
            if (!isExtending(state, holder) && holder.isExtensionDue(held, state.now(), scope.lease())) {
                steps.add(() -> name + " sends " + extend.call(), state.with(extend));
            }
            Holder sealed = holder.seal(held, state.now(), mutation == Mutation.SEAL_SKIPPED);
            Request detach = new Request(
                    holder.index(), new Call.Detach(Holder.detachRequest(Objects.requireNonNull(sealed.held()))));
            steps.add(
                    () -> name + " seals and sends " + detach.call(),
                    state.with(sealed).with(detach));
        }
        if (state.left().clockSteps() > 0) {
            for (int step : DIRECTIONS) {
                int offset = holder.clockOffset() + step;
                if (Math.abs(offset) <= scope.clocks()) {
                    steps.add(
                            () -> name + "'s clock goes to " + offset,
                            state.with(holder.withClock(offset))
                                    .with(state.left().lessClockSteps()));
                }
            }
        }
    }

    private static boolean isExtending(State state, Holder holder) {
        for (Message message : state.messages()) {
            if (message.holder() == holder.index()
                    && message instanceof Request request
                    && request.call() instanceof Call.Extend) {
                return true;
            }
        }
        return false;
    }

    private static void issue(State state, Holder holder, Holder.Held held, Steps steps) {
        Attachment attachment = held.attachment(state.now() + holder.clockOffset());
        long slot = attachment.tryNext();
        if (slot >= 0) {
            long id = attachment.idOf(slot);
            int node = Holder.LAYOUT.logicalNodeId(id);
            long millis = Holder.LAYOUT.timestampValue(id);
            if (millis < state.now() + holder.clockOffset()) {
                throw new AssertionError("an attachment that is never saturated has issued an ID of the past");
            }
            steps.add(
                    () -> "holder " + holder.index() + " issues ID of node " + node + ", tick "
                            + (millis - State.START),
                    state.with(holder.used(held.after(attachment))).issuing(node, millis));
        }
    }

    // --- messages

    private void messageSteps(State state, int index, Steps steps) {
        Message message = state.messages().get(index);
        State rest = state.with(Message.without(state.messages(), index));
        boolean hasSuccessors = message instanceof Request request && request.call() instanceof Call.Extend;
        if (hasSuccessors || state.messages().size() == scope.messages()) {
            steps.add(() -> "lost: " + message, rest);
        }
        deliver(rest, message, steps);
        if (state.left().duplicates() > 0) {
            State kept = state.with(state.left().lessDuplicates());
            deliver(kept, message, (label, next) -> steps.add(() -> label.get() + " (and once more later)", next));
        }
    }

    private void deliver(State rest, Message message, Steps steps) {
        if (message instanceof Request request) {
            for (int index = 0; index < 2; index++) {
                if (rest.replicas().get(index).isOwner()) {
                    run(rest, index, request, steps);
                }
            }
        } else if (message instanceof Done done) {
            if (done.isAcknowledged()) {
                steps.add(() -> "holder " + done.holder() + " hears " + done.reply(), reply(rest, done));
            } else {
                backUp(rest, done, steps);
            }
        }
    }

    private void run(State rest, int index, Request request, Steps steps) {
        Replica replica = rest.replicas().get(index);
        if (!mayRun(rest, replica, index, request.call())) {
            return;
        }
        Optional<Owner.Outcome> outcome =
                owner.run(replica, request.call(), replica.clusterMillis(rest.now()), rest.nextEpoch());
        if (outcome.isEmpty()) {
            return; // the same as if it were lost
        }
        Owner.Outcome result = outcome.get();
        State next = rest.with(index, replica.with(result.table()));
        if (replica.table() == null) {
            next = next.usedEpoch();
        }
        boolean hasBackup = rest.replicas().get(1 - index).role() == Replica.Role.BACKUP && !rest.isSplit();
        Done done = new Done(
                request.holder(),
                request.call(),
                result.reply(),
                hasBackup ? result.change() : null,
                hasBackup && result.change() != null ? replica.recoveringUntil() : 0,
                index);
        if (mutation == Mutation.ANSWER_BEFORE_BACKUP && done.reply() != null && !done.isAcknowledged()) {
            next = next.with(done.acknowledged());
            done = done.unanswered();
        }
        if (done.reply() != null || !done.isAcknowledged()) {
            next = next.with(done);
        }
        steps.add(
                () -> "owner " + index + " does " + request.call() + " of holder " + request.holder() + ": "
                        + (result.reply() == null ? "done" : result.reply()),
                next);
    }

    /** Whether the owner may do it as far as a split of the network is concerned. */
    private boolean mayRun(State state, Replica replica, int index, Call call) {
        Scope.SplitRule rule = scope.split();
        if (!state.isSplit() || !rule.isProtected()) {
            return true;
        }
        if (index == 0) {
            return state.now() <= state.cutAt() + rule.freshness();
        }
        return !(call instanceof Call.Attach) || state.now() >= replica.promotedAt() + rule.attachPause();
    }

    private static void backUp(State rest, Done done, Steps steps) {
        int index = 1 - done.owner();
        Replica backup = rest.replicas().get(index);
        if (backup.role() != Replica.Role.BACKUP || rest.isSplit()) {
            return;
        }
        Replica joined;
        try {
            joined = backup.joined(done.recoveringUntil(), List.of(Objects.requireNonNull(done.change())));
        } catch (IllegalStateException e) {
            return;
        }
        State next = rest.with(index, joined);
        steps.add(
                () -> "backup " + index + " has " + done.call() + " of holder " + done.holder(),
                done.reply() == null ? next : next.with(done.acknowledged()));
    }

    private State reply(State rest, Done done) {
        Holder holder = rest.holders().get(done.holder());
        if (done.reply() instanceof Grant grant && done.call() instanceof Call.Attach attach) {
            boolean expected = holder.waits() && attach.request().requestNumber() == holder.requestNumber();
            return expected ? rest.with(holder.granted(grant, rest.now(), mutation == Mutation.FLOOR_IGNORED)) : rest;
        }
        if (done.reply() instanceof ExtendReply reply && done.call() instanceof Call.Extend extend) {
            return rest.with(extended(holder, extend.request(), reply, rest.now()));
        }
        return rest;
    }

    private Holder extended(Holder holder, ExtendRequest request, ExtendReply reply, long now) {
        Holder.Held held = holder.held();
        if (held == null || !held.token().equals(request.token())) {
            return holder;
        }
        if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
            return holder.extended(held, reply.ceiling(), now);
        }
        return holder.attached() ? holder.seal(held, now, mutation == Mutation.SEAL_SKIPPED) : holder;
    }

    // --- members

    private void memberSteps(State state, Steps steps) {
        for (int i = 0; i < 2; i++) {
            int index = i;
            Replica replica = state.replicas().get(index);
            Replica other = state.replicas().get(1 - index);
            if (replica.isOwner() && other.role() == Replica.Role.BACKUP && !state.isSplit()) {
                if (state.left().crashes() > 0) {
                    steps.add(() -> "owner " + index + " crashes", ownerCrashes(state, index));
                    steps.add(
                            () -> "backup " + (1 - index) + " crashes",
                            withoutUnacknowledged(state)
                                    .with(1 - index, Replica.GONE)
                                    .with(state.left().lessCrashes()));
                }
                if (state.left().losses() > 0) {
                    steps.add(() -> "all replicas are lost", allAreLost(state));
                }
                if (state.left().splits() > 0) {
                    steps.add(
                            () -> "the network is split",
                            withoutUnacknowledged(state).cut().with(state.left().lessSplits()));
                }
            }
            if (replica.isOwner() && other.role() == Replica.Role.GONE) {
                steps.add(
                        () -> "a new member becomes backup " + (1 - index),
                        state.with(1 - index, replica.copyForBackup()));
            }
            if (replica.role() == Replica.Role.BACKUP && state.isSplit()) {
                steps.add(
                        () -> "backup " + index + " promotes itself",
                        state.with(index, promoted(state, replica)).usedEpoch());
            }
            if (replica.isOwner() && state.left().clockSteps() > 0) {
                for (int step : DIRECTIONS) {
                    int offset = replica.clockOffset() + step;
                    if (Math.abs(offset) <= scope.clocks()) {
                        steps.add(
                                () -> "owner " + index + "'s clock goes to " + offset,
                                state.with(index, replica.withClock(offset))
                                        .with(state.left().lessClockSteps()));
                    }
                }
            }
        }
    }

    private State ownerCrashes(State state, int index) {
        Replica backup = state.replicas().get(1 - index);
        return withoutUnacknowledged(state)
                .with(index, Replica.GONE)
                .with(1 - index, promoted(state, backup))
                .usedEpoch()
                .with(state.left().lessCrashes());
    }

    private Replica promoted(State state, Replica backup) {
        Replica promoted = backup.promoted(state.nextEpoch(), state.now(), rules);
        FrozenTable table = promoted.table();
        Scope.SplitRule rule = scope.split();
        if (!rule.isProtected() || rule.floor() == 0 || table == null) {
            return promoted;
        }
        long floor = promoted.clusterMillis(state.now()) + rule.floor();
        return promoted.with(table.with("floor", Math.max(floor, table.number("floor"))));
    }

    private State allAreLost(State state) {
        Replica lost = mutation == Mutation.LOSS_NOT_NOTICED
                ? Replica.empty(Replica.Role.OWNER)
                : state.replicas().get(0).lost(state.now(), rules);
        return withoutUnacknowledged(state)
                .with(0, lost)
                .with(1, lost.copyForBackup())
                .with(state.left().lessLosses());
    }

    /** What a backup had not heard of when its owner or itself went, it will not hear of, and nobody gets an answer. */
    private static State withoutUnacknowledged(State state) {
        return state.with(state.messages().stream()
                .filter(message -> message instanceof Request || ((Done) message).isAcknowledged())
                .toList());
    }
}
