// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.explorer.Message.Call;
import com.noctarius.snowcast.internal.explorer.Message.Done;
import com.noctarius.snowcast.internal.explorer.Message.Request;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.Reached;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.owner.TableState;
import com.noctarius.snowcast.internal.owner.TableWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A model of two holders, the owner of a table, and its backups: it computes from each {@link State} the possible steps
 * and the states after them.
 *
 * <p><b>Real code:</b> {@code NodeTable} decides about grants, renewals, detaches, promotion and recovery, and its
 * copies accept changes; {@code Attachment} issues the IDs, is renewed and sealed; for a node lease, {@code Guard}
 * takes its place and checks IDs. The code around them is modelled: {@link Holder} handles answers like
 * {@code GrantHolder} and {@code LeaseKeeper}, {@link Replica} handles copies like {@code PartitionContainer} and
 * {@code SnowcastService}, and {@link Owner} runs calls like {@code Handlers}.
 *
 * <p><b>Steps.</b> At any moment
 *
 * <ul>
 *   <li>a tick of time passes; a scope has few ticks, and a lease lasts one or two;
 *   <li>a holder requests a grant, repeats the request, or gives it up; it requests a renewal when half of the lease is
 *       used; it issues an ID if its attachment allows it; it seals and detaches. A paused holder takes no step for a
 *       while, and a crashed holder takes none again;
 *   <li>a request reaches the owner, a change reaches a backup, or an answer reaches the holder: in any order, at any
 *       later time, never, or twice if the {@link Scope} allows that. While the network is whole, an answer arrives
 *       only after the backups have received the change of its call;
 *   <li>the clock of a holder or of the owner steps by a tick;
 *   <li>the owner crashes and a backup takes over with its copy; a backup crashes; a new member receives a full copy;
 *       all replicas are lost at once;
 *   <li>an owner that was removed had only been paused, and wakes up. It does not act while other members run, and
 *       continues without its data when all others are gone (see {@link Membership});
 *   <li>the network splits: holders reach both sides, but the sides do not reach each other, and the backup promotes
 *       itself. Later one side may merge the other: the report of the merge must contain every ID that was issued
 *       twice, and no ID of a later grant may be issued twice. If the former owner gives no answer without its backup,
 *       no ID is issued twice at all.
 * </ul>
 *
 * <p><b>Left out</b>, because they hide no duplicate or other tests cover them:
 *
 * <ul>
 *   <li>Lost messages: a lost message is one that never arrives. There are two exceptions. While as many messages are
 *       pending as the {@link Scope} allows, a step may remove any of them, so that others can be sent. A step may also
 *       remove a renewal request, so that its holder can request another renewal.
 *   <li>Answers that no longer change their holder, which are removed at once.
 *   <li>The counter: a millisecond has one ID. An ID therefore has the time that its holder reads, and the model can
 *       forget IDs of times that no clock shows again.
 *   <li>Time-outs: the real holder waits only some time for an answer, such as 10 seconds for a renewal. The model also
 *       uses later answers, and thus has more states.
 *   <li>Changes of a former owner after a promotion: Hazelcast runs a backup operation only on the member that holds
 *       the replica for which the operation is meant.
 *   <li>A backup that cannot become the owner within the scope.
 *   <li>Destruction; copies that lack some node IDs (see {@code NodeTablePropertyTest}); splits into three sides, and
 *       crashes during a split (see {@code MergeFuzzTest}).
 * </ul>
 */
final class Model {
    /** All replicas, as a set of bits. */
    private static final int ALL = -1;

    private static final List<Integer> DIRECTIONS = List.of(1, -1);

    private final Scope scope;
    private final Mutation mutation;
    private final Definition definition;
    private final TableRules rules;
    private final Owner owner;
    private final TableWatch watch;

    /**
     * Counts the rare states of the table. A call on an equal table counts once, because {@link Owner} caches the
     * result.
     */
    final Reached<TableState> tableStates = new Reached<>(TableState.class);

    final Reached<ModelState> modelStates = new Reached<>(ModelState.class);

    @FunctionalInterface
    interface Steps {
        void add(Supplier<String> label, State next);
    }

    Model(Scope scope, Mutation mutation) {
        this.scope = scope;
        this.mutation = mutation;
        this.definition = scope.definition();
        this.rules = scope.rules();
        this.watch = new TableWatch(tableStates);
        this.owner = new Owner(rules, mutation, watch);
    }

    State initial() {
        return State.initial(scope);
    }

    boolean hasMerges() {
        return scope.faults().merges() > 0;
    }

    /** Adds all possible steps of a state to {@code steps}, in the same order each time. */
    void steps(State state, Steps steps) {
        allSteps(state, (label, next) -> steps.add(label, withoutVainReplies(withoutThePast(next))));
    }

    /** Forgets the issued IDs of milliseconds that no clock shows again, because no holder can repeat them. */
    private State withoutThePast(State state) {
        return state.forgetting(earliestClock(state));
    }

    private long earliestClock(State state) {
        int least = -scope.clocks();
        if (state.left().clockSteps() == 0) {
            least = Math.min(
                    state.holders().get(0).clockOffset(), state.holders().get(1).clockOffset());
        }
        return state.now() + least - scope.lag();
    }

    /** Removes replies that can no longer change the state of their holder. */
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
            Request again = new Request(holder.index(), new Call.Attach(holder.attachRequest(definition)));
            if (mayIssueMore && !state.messages().contains(again)) {
                steps.add(() -> name + " sends again: " + again.call(), state.with(again));
            }
            steps.add(() -> name + " gives up its attach", state.with(holder.giveUp()));
        } else if (!holder.attached()) {
            if (mayIssueMore && state.left().attaches() > 0) {
                Holder asking = holder.ask(state.now());
                Request request = new Request(holder.index(), new Call.Attach(asking.attachRequest(definition)));
                steps.add(
                        () -> name + " sends " + request.call(),
                        state.with(asking).with(request).with(state.left().lessAttaches()));
            }
        } else if (held != null && mayIssueMore) {
            Request renew =
                    new Request(holder.index(), new Call.Renew(holder.renewRequest(definition, held, state.now())));
            if (!isRenewing(state, holder) && holder.isRenewalDue(held, state.now(), scope.lease())) {
                steps.add(() -> name + " sends " + renew.call(), state.with(renew));
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

    private static boolean isRenewing(State state, Holder holder) {
        for (Message message : state.messages()) {
            if (message.holder() == holder.index()
                    && message instanceof Request request
                    && request.call() instanceof Call.Renew) {
                return true;
            }
        }
        return false;
    }

    private void issue(State state, Holder holder, Holder.Held held, Steps steps) {
        for (int lag = 0; lag <= scope.lag(); lag++) {
            issue(state, holder, held, state.now() + holder.clockOffset() - lag, steps);
        }
    }

    /**
     * Adds the step in which the holder issues the ID of the time that it reads, if the grant allows this ID and has
     * not issued it yet.
     */
    private void issue(State state, Holder holder, Holder.Held held, long ticked, Steps steps) {
        Holder.Issued issued = holder.issue(held, ticked);
        if (issued != null) {
            steps.add(
                    () -> "holder " + holder.index() + " issues an ID of node " + issued.node() + ", "
                            + State.tick(issued.millis()),
                    issued(state, held.token(), issued.node(), issued.millis()).with(holder.used(issued.after())));
        }
    }

    private State issued(State state, Token token, int node, long millis) {
        State.Split split = state.split();
        State.Merge merge = split == null ? null : split.merge();
        if (!state.isIssued(node, millis)) {
            State issuing = state.issuing(node, millis);
            return split != null && merge != null && merge.granted().contains(token)
                    ? issuing.with(split.with(merge.issued(node, millis)))
                    : issuing;
        }
        if (split != null && merge == null && !scope.isProtected()) {
            return state.with(split.withTwice(node, millis)); // The merge must report this duplicate.
        }
        if (split != null && merge != null && merge.excuses(token, node, millis)) {
            return state.with(split.withReport());
        }
        return state.withDuplicate("node " + node + ", " + State.tick(millis));
    }

    // --- messages

    private void messageSteps(State state, int index, Steps steps) {
        Message message = state.messages().get(index);
        State rest = state.with(Message.without(state.messages(), index));
        boolean hasSuccessors = message instanceof Request request && request.call() instanceof Call.Renew;
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
            for (int index = 0; index < rest.replicas().size(); index++) {
                boolean mayAct = index != rest.former() || mutation == Mutation.FORMER_OWNER_ACTS;
                if (mayAct && rest.replicas().get(index).isOwner()) {
                    run(rest, index, request, steps);
                }
            }
        } else if (message instanceof Done done) {
            if (done.isAcknowledged()) {
                steps.add(() -> "holder " + done.holder() + " hears: " + Message.text(done.reply()), reply(rest, done));
            } else {
                for (int index = 0; index < rest.former(); index++) {
                    backUp(rest, done, index, steps);
                }
            }
        }
    }

    private void run(State rest, int index, Request request, Steps steps) {
        Replica replica = rest.replicas().get(index);
        if (index == 0 && rest.isSplit() && scope.isProtected()) {
            modelStates.add(ModelState.FORMER_SIDE_STOPPED);
            return;
        }
        int acknowledging = index == rest.former() || rest.isSplit() ? 0 : rest.backups();
        Optional<Owner.Outcome> outcome =
                owner.run(replica, request.call(), replica.clusterMillis(rest.now()), rest.nextEpoch());
        if (outcome.isEmpty()) {
            return; // A rejected call has no effect, like a lost request.
        }
        Owner.Outcome result = outcome.get();
        State next = rest.with(index, replica.with(result.table()));
        if (replica.table() == null) {
            next = next.usedEpoch();
        }
        State.Split split = rest.split();
        if (split != null && !scope.isProtected() && result.reply() instanceof Grant grant) {
            next = next.with(granted(split, replica, grant));
        }
        int backups = result.change() == null ? 0 : acknowledging;
        Done done = new Done(
                request.holder(),
                request.call(),
                result.reply(),
                backups == 0 ? null : result.change(),
                backups == 0 ? 0 : replica.recoveringUntil(),
                backups);
        if (mutation == Mutation.ANSWER_BEFORE_BACKUP && done.reply() != null && !done.isAcknowledged()) {
            next = next.with(done.acknowledged());
            done = done.unanswered();
        }
        if (done.reply() != null || !done.isAcknowledged()) {
            next = next.with(done);
        }
        State after = next;
        steps.add(() -> "owner " + index + " does " + request + ": " + Message.text(result.reply()), after);
    }

    private State.Split granted(State.Split split, Replica replica, Grant grant) {
        State.Merge merge = split.merge();
        if (merge == null) {
            return split;
        }
        FrozenTable before = replica.table();
        NodeState known = before == null ? null : before.node(grant.logicalNodeId());
        boolean isNew = known == null || !known.token().equals(grant.token());
        return isNew ? split.with(merge.granted(grant.token())) : split;
    }

    private void backUp(State rest, Done done, int index, Steps steps) {
        Replica backup = rest.replicas().get(index);
        if (!done.isAwaitedFrom(index) || backup.role() != Replica.Role.BACKUP || rest.isSplit()) {
            return;
        }
        Replica joined;
        try {
            Snapshot change = Objects.requireNonNull(done.change());
            Replica before = mutation == Mutation.COPY_REPLACED ? backup.knowingNothingNewer(change) : backup;
            joined = before.joined(done.recoveringUntil(), List.of(change), watch);
        } catch (IllegalStateException e) {
            return;
        }
        State next = rest.with(index, joined);
        Done heard = done.without(1 << index);
        Done after = heard.missing() == 0 ? heard.acknowledged() : heard;
        steps.add(
                () -> "backup " + index + " has " + done.call() + " of holder " + done.holder(),
                after.reply() == null && after.isAcknowledged() ? next : next.with(after));
    }

    private State reply(State rest, Done done) {
        Holder holder = rest.holders().get(done.holder());
        if (done.reply() instanceof Grant grant && done.call() instanceof Call.Attach attach) {
            boolean expected = holder.waits() && attach.request().requestNumber() == holder.requestNumber();
            return expected ? rest.with(holder.granted(grant, rest.now(), mutation == Mutation.FLOOR_IGNORED)) : rest;
        }
        if (done.reply() instanceof RenewReply reply && done.call() instanceof Call.Renew renew) {
            return rest.with(renewed(holder, renew.request(), reply, rest.now()));
        }
        return rest;
    }

    private Holder renewed(Holder holder, RenewRequest request, RenewReply reply, long now) {
        Holder.Held held = holder.held();
        if (held == null || !held.token().equals(request.token())) {
            return holder;
        }
        if (reply.outcome() == RenewReply.Outcome.RENEWED) {
            return holder.renewed(held, reply.ceiling(), now);
        }
        return holder.attached() ? holder.seal(held, now, mutation == Mutation.SEAL_SKIPPED) : holder;
    }

    // --- members

    private void memberSteps(State state, Steps steps) {
        formerOwnerSteps(state, steps);
        State.Split split = state.split();
        if (split != null && state.isSplit() && state.left().merges() > 0) {
            mergeSteps(state, split, steps);
        }
        for (int i = 0; i < state.former(); i++) {
            int index = i;
            Replica replica = state.replicas().get(index);
            if (replica.isOwner() && !state.isSplit()) {
                ownerSteps(state, index, steps);
            }
            if (replica.isOwner() && state.left().needBackup()) {
                newBackupSteps(state, replica, steps);
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

    /** Adds the possible steps of the owner and its backups while the network is whole. */
    private void ownerSteps(State state, int index, Steps steps) {
        if (state.left().losses() > 0) {
            steps.add(() -> "all replicas are lost", allAreLost(state, index));
        }
        if (state.backups() != 0 && state.left().splits() > 0) {
            steps.add(
                    () -> "the network is split",
                    withoutUnacknowledged(state, ALL)
                            .with(State.Split.at(hasMerges() ? state.now() : 0))
                            .with(state.left().lessSplits()));
        }
        for (int i = 0; i < state.former() && state.left().crashes() > 0; i++) {
            int backup = i;
            if (state.replicas().get(backup).role() == Replica.Role.BACKUP) {
                steps.add(
                        () -> "owner " + index + " crashes, and backup " + backup + " goes on",
                        ownerCrashes(state, index, backup));
                steps.add(
                        () -> "backup " + backup + " crashes",
                        withoutUnacknowledged(state, 1 << backup)
                                .with(backup, Replica.GONE)
                                .with(state.left().lessCrashes()));
            }
        }
    }

    private void newBackupSteps(State state, Replica owner, Steps steps) {
        for (int i = 0; i < state.former(); i++) {
            int index = i;
            if (state.replicas().get(index).role() == Replica.Role.GONE) {
                steps.add(() -> "a new member becomes backup " + index, state.with(index, owner.copyForBackup(watch)));
            }
        }
    }

    /**
     * Adds the possible merges of the two sides, in both directions. Any subset of the holders seals its grants at
     * once, as members do; the other holders seal theirs some time later, as clients may.
     */
    private void mergeSteps(State state, State.Split split, Steps steps) {
        if (!state.replicas().get(0).isOwner() || !state.replicas().get(1).isOwner()) {
            return;
        }
        for (int side = 0; side < 2; side++) {
            for (int sealing = 0; sealing < 1 << state.holders().size(); sealing++) {
                State next = merged(state, split, side);
                for (Holder holder : state.holders()) {
                    if ((sealing & 1 << holder.index()) != 0) {
                        next = next.with(holder.lost(state.now()));
                    }
                }
                State merged = next;
                String text = "side " + side + " takes the other in, holders that seal: " + sealing;
                steps.add(() -> text, merged);
            }
        }
    }

    private State merged(State state, State.Split split, int side) {
        Replica winning = state.replicas().get(side);
        Replica losing = state.replicas().get(1 - side);
        Replica.Merged merged = winning.merge(losing, split.cutAt(), state.nextEpoch(), state.now(), mutation, watch);
        List<PossibleDuplicates> report = scope.isProtected() ? List.of() : merged.report();
        String missing = split.missingIn(report);
        State next = state.with(side, merged.replica())
                .with(1 - side, Replica.GONE)
                .usedEpoch()
                .with(state.left().lessMerges())
                .with(split.with(State.Merge.of(report)));
        return missing == null ? next : next.withDuplicate(missing);
    }

    /** Adds the step in which all other members crash and a removed owner, which was only paused, continues. */
    private void formerOwnerSteps(State state, Steps steps) {
        Replica former = state.replicas().get(state.former());
        for (int index = 0; index < state.former(); index++) {
            boolean isWhole = state.replicas().get(index).isOwner() && !state.isSplit();
            if (former.isOwner() && isWhole && state.left().crashes() > 0) {
                modelStates.add(ModelState.FORMER_OWNER_GOES_ON);
                Replica goesOn =
                        mutation == Mutation.FORMER_OWNER_KEEPS_DATA ? former : former.lost(state.now(), rules);
                State next = withoutUnacknowledged(state, ALL).with(state.left().lessCrashes());
                for (int other = 0; other <= state.former(); other++) {
                    next = next.with(other, other == index ? goesOn : Replica.GONE);
                }
                State after = next;
                steps.add(() -> "all others crash, and the former owner goes on", after);
            }
        }
    }

    /**
     * Keeps the copy of a removed owner if this owner may wake up within the scope: it may have been paused, not
     * crashed.
     */
    private State withFormerOwner(State state, Replica owner) {
        boolean canComeBack = state.left().crashes() > 0 || mutation == Mutation.FORMER_OWNER_ACTS;
        return canComeBack ? state.with(state.former(), owner) : state;
    }

    private State ownerCrashes(State state, int index, int backup) {
        modelStates.addIf(
                state.messages().stream()
                        .anyMatch(message -> message instanceof Done done && done.isAwaitedFrom(backup)),
                ModelState.CHANGE_LOST_WITH_OWNER);
        modelStates.addIf(
                state.replicas().stream()
                        .anyMatch(other -> other.role() == Replica.Role.BACKUP
                                && other.isAheadOf(state.replicas().get(backup))),
                ModelState.OWNER_BEHIND_BACKUP);
        State next = withoutUnacknowledged(state, 1 << index | 1 << backup)
                .with(index, Replica.GONE)
                .with(backup, promoted(state, state.replicas().get(backup)))
                .usedEpoch()
                .with(state.left().lessCrashes());
        return withFormerOwner(next, state.replicas().get(index));
    }

    private Replica promoted(State state, Replica backup) {
        Replica promoted = backup.promoted(state.nextEpoch(), state.now(), rules, watch);
        return mutation == Mutation.CHANGES_NOT_ABOVE ? promoted.countingOnFrom(backup) : promoted;
    }

    private State allAreLost(State state, int index) {
        Replica lost = mutation == Mutation.LOSS_NOT_NOTICED
                ? Replica.empty(Replica.Role.OWNER)
                : state.replicas().get(index).lost(state.now(), rules);
        State next = withoutUnacknowledged(state, ALL)
                .with(0, lost)
                .with(state.left().lessLosses());
        Replica backup = state.left().needBackup() ? lost.copyForBackup(watch) : Replica.GONE;
        for (int other = 1; other < state.former(); other++) {
            next = next.with(other, backup);
        }
        return withFormerOwner(next, state.replicas().get(index));
    }

    /**
     * Handles pending changes that the given replicas can no longer receive. Such a change no longer waits for these
     * replicas, and its holder gets no answer. Other backups may still receive the change.
     */
    private static State withoutUnacknowledged(State state, int replicas) {
        List<Message> rest = new ArrayList<>();
        for (Message message : state.messages()) {
            if (message instanceof Done done && (done.missing() & replicas) != 0) {
                Done cut = done.without(replicas).unanswered();
                if (cut.missing() != 0) {
                    rest.add(cut);
                }
            } else {
                rest.add(message);
            }
        }
        return state.with(List.copyOf(rest));
    }
}
