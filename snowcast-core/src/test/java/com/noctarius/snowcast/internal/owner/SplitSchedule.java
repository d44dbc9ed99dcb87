// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.ExtendReply.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule: a network that splits into up to four sides and becomes one again, with all that holders were
 * given meanwhile. Each step draws from a generator of its own, so a schedule without some of its steps is still much
 * the same schedule.
 *
 * <p>A {@link Piece} is a stretch of ID time that a holder was given, by a grant or by an extension. What is checked:
 *
 * <ul>
 *   <li>what a side gives overlaps no piece that this side, or a side that it was merged with, has given before;
 *   <li>where pieces of two holders overlap, some merge has reported it;
 *   <li>with split-brain protection, by which one side at most answers anything, no merge reports anything;
 *   <li>no side grants anything before the recovery time of a side that it was merged with, or below it.
 * </ul>
 */
final class SplitSchedule implements Schedules.Schedule {
    private static final long EPOCH = 1_600_000_000_000L;
    private static final long START = 1_700_000_000_000L;
    private static final long LEASE = 1_000;
    private static final long SKEW = 200;
    private static final long MAX_OFFSET = SKEW / 2;
    private static final Definition DEFINITION = new Definition(EPOCH, new SnowcastLayout(41, 2, 2), 1, null);
    private static final int MAX_SIDES = 4;
    private static final int STEPS = 70;

    private static final int STEPS_AFTER_LAST_MERGE = 20;

    /** How many pairs of pieces overlapped, and were reported. */
    int duplicates;

    /** How many reports there were of node IDs of which nothing was given on one of the sides. */
    int needless;

    int merges;
    int losses;
    final Reached<TableState> reached = new Reached<>(TableState.class);
    private final TableWatch watch = new TableWatch(reached);

    /** How many requests an owner carried out for nothing: it had not noticed yet that a backup was on another side. */
    int unnoticed;

    /** How many merges had something to report but for what is known of the backups that acknowledged. */
    int reports;

    private final List<String> trace = new ArrayList<>();
    private final long seed;
    private final boolean isProtected;
    private final TableRules rules;
    private final List<Side> sides = new ArrayList<>();
    private final List<Holder> holders = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Overlap> reported = new ArrayList<>();
    private Random random;
    private long now = START;
    private int periods;

    SplitSchedule(long seed) {
        this(seed, false);
    }

    /** Makes a schedule, also one in which the side below a quorum stops as soon as it notices the split. */
    SplitSchedule(long seed, boolean isProtected) {
        this.seed = seed;
        this.isProtected = isProtected;
        this.random = new Random(seed);
        this.rules = new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 4 * MAX_OFFSET, 0, random.nextInt(3));
        sides.add(new Side(new NodeTable(Requester.NAME, random.nextLong())));
        for (int i = 0; i < 5; i++) {
            holders.add(new Holder(i));
        }
    }

    @Override
    public int steps() {
        return STEPS + STEPS_AFTER_LAST_MERGE;
    }

    @Override
    public List<String> trace() {
        return trace;
    }

    @Override
    public void run(BitSet steps) {
        for (int step = steps.nextSetBit(0); step >= 0; step = steps.nextSetBit(step + 1)) {
            random = new Random(seed * 1_000 + step);
            if (step < STEPS) {
                step();
            } else {
                mergeAll();
                stepAlone();
            }
        }
        random = new Random(seed * 1_000 + steps());
        mergeAll();
        checkReports();
    }

    private void step() {
        switch (random.nextInt(24)) {
            case 0, 1 -> split();
            case 2 -> merge();
            case 3 -> crash(anySide());
            case 6 -> anySide().synchronise();
            case 4 -> anyHolder().comeOver(anySide());
            case 5 -> destroy();
            default -> stepAlone();
        }
    }

    /** Nothing that needs more than one side. */
    private void stepAlone() {
        now += random.nextInt(6) == 0 ? random.nextInt(1_500) : random.nextInt(200);
        Holder holder = anyHolder();
        switch (random.nextInt(12)) {
            case 0 -> holder.offset = -holder.lag + random.nextLong(-MAX_OFFSET, MAX_OFFSET);
            case 1, 2, 3 -> holder.detach();
            case 4, 5, 6, 7 -> holder.attach();
            default -> holder.extend();
        }
    }

    private Side anySide() {
        return sides.get(random.nextInt(sides.size()));
    }

    private Holder anyHolder() {
        return holders.get(random.nextInt(holders.size()));
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private void note(String what) {
        trace.add((now - START) + ": " + what);
    }

    // --- the sides

    /** A part of the network: an owner, its backups, and what it and the sides that it was merged with have given. */
    private final class Side {
        NodeTable owner;
        /** What is answered they both have; of the rest, each its own share. */
        final List<NodeTable> backups = new ArrayList<>();
        /** Which members they are. */
        final List<UUID> backupIds = new ArrayList<>(List.of(newMember(), newMember()));
        /** A backup that is on another side, which the owner has not noticed: it waits for it in vain. */
        @Nullable
        UUID missedBackup;

        UUID ownerId = newMember();
        boolean hasQuorum = true;

        long offset = random.nextLong(-MAX_OFFSET, MAX_OFFSET);
        /** The periods, one on its own after the other, whose pieces it may give to nobody else. */
        final Set<Integer> known = new HashSet<>();
        /** Those of which its table has the node IDs, so that a merge can report them. */
        final Set<Integer> remembered = new HashSet<>();

        int period;
        long recoveringUntil;
        /** While the network is split, what was destroyed is not created anew. */
        boolean isDestroyed;
        /** Holders came over from a side that is apart. */
        boolean hasGuests;

        Side(NodeTable owner) {
            this.owner = owner;
            synchronise();
            begin();
        }

        private void begin() {
            period = ++periods;
            known.add(period);
            remembered.add(period);
        }

        private OwnerContext context() {
            return new OwnerContext(ownerId, backupIds, clusterNow(), Long.MAX_VALUE);
        }

        private long clusterNow() {
            return now + offset;
        }

        /**
         * Another owner, from a copy; one that may lack node IDs begins anew. A table without a definition is nobody's copy:
         * each owner makes its own, as {@code PartitionContainer} does.
         */
        private void promote(NodeTable copy, UUID member) {
            missedBackup = null;
            ownerId = member;
            if (backupIds.remove(member)) {
                backupIds.add(newMember());
            }
            if (copy.snapshotFor(0).lifecycle().definition() == null) {
                replace(empty(copy.snapshotFor(0).lossMillis()));
                return;
            }
            watch.promoting(copy, 1, clusterNow());
            copy.promoted(1, member, random.nextLong(), clusterNow(), rules.recoveryMillis());
            replace(copy);
            if (copy.snapshotFor(0).lossMillis() == clusterNow() + rules.recoveryMillis()) {
                lost();
            }
        }

        private void replace(NodeTable table) {
            owner = table;
            synchronise();
        }

        private void lost() {
            note(this + " has lost its table");
            losses++;
            recoveringUntil = clusterNow() + rules.recoveryMillis();
            remembered.clear();
            begin();
            forget();
        }

        /** The backup is on another side; another member takes its place. */
        private void notice() {
            UUID missed = missedBackup;
            if (missed != null) {
                note(this + " notices that a backup is gone");
                backupIds.set(backupIds.indexOf(missed), newMember());
                missedBackup = null;
            }
        }

        private void synchronise() {
            backups.clear();
            backups.add(NodeTable.of(owner.snapshotFor(1)));
            backups.add(NodeTable.of(owner.snapshotFor(1)));
        }

        private UUID newMember() {
            return new UUID(random.nextLong(), random.nextLong());
        }

        /** Whether nothing is given, since the side knows that it is below the quorum. */
        boolean isStopped() {
            return isProtected && !hasQuorum && missedBackup == null;
        }

        private void promoteAnyBackup() {
            int index = random.nextInt(2);
            promote(backups.get(index), backupIds.get(index));
        }

        /**
         * Its owner goes with all that it knew of grants, or also of the sequencer; but not of one that was destroyed: the
         * life that begins then could follow it on another side, unreported.
         */
        private void lose() {
            Snapshot<Definition, NodeState> copy = owner.snapshotFor(1);
            boolean isDestroyedSomewhere =
                    sides.stream().anyMatch(side -> side.isDestroyed || side.owner.definition() == null);
            if (copy.lifecycle().definition() != null && (isDestroyedSomewhere || random.nextBoolean())) {
                promote(NodeTable.of(copy.forReplica(2)), newMember());
            } else {
                replace(empty(clusterNow() + rules.recoveryMillis()));
                lost();
            }
        }

        private NodeTable empty(long recoveringUntilMillis) {
            NodeTable empty = new NodeTable(Requester.NAME, random.nextLong());
            empty.recoverUntil(random.nextLong(), recoveringUntilMillis);
            return empty;
        }

        @Override
        public String toString() {
            return "side " + period;
        }
    }

    /** Marks what no side remembers any more. */
    private void forget() {
        for (Piece piece : pieces) {
            piece.isForgotten |= sides.stream().noneMatch(side -> side.remembered.contains(piece.period));
        }
    }

    private void split() {
        Side one = anySide();
        // What a guest used before it came is known on a third side: the two halves could not tell it from its present
        // use.
        if (sides.size() == MAX_SIDES || one.hasGuests) {
            return;
        }
        if (isProtected && sides.size() == 2) {
            return; // What a merge with a third side reports may be more than what was given.
        }
        // With protection, see guarantees.md: it is not known of an owner that is gone what it answered.
        boolean isOwnerDead = chance(4) && !isProtected;
        one.notice();
        int first = random.nextInt(2);
        NodeTable copy = one.backups.get(first);
        NodeTable secondCopy = one.backups.get(1 - first);
        UUID member = one.backupIds.get(first);
        Side other = new Side(copy);
        boolean isOtherLarger = random.nextBoolean();
        other.hasQuorum = one.hasQuorum && isOtherLarger;
        one.hasQuorum = one.hasQuorum && !isOtherLarger;
        other.known.addAll(one.known);
        other.remembered.addAll(one.remembered);
        other.recoveringUntil = one.recoveringUntil;
        other.isDestroyed = one.isDestroyed;
        String before = one.toString();
        if (isOwnerDead) {
            one.promote(secondCopy, one.backupIds.get(1 - first));
        }
        one.missedBackup = member;
        if (isOwnerDead) {
            one.notice(); // It owns the table because of that.
        }
        one.synchronise();
        one.begin();
        sides.add(other);
        if (chance(15)) {
            other.lose();
        } else {
            other.promote(copy, member);
        }
        holders.stream()
                .filter(holder -> holder.side == one && random.nextBoolean())
                .forEach(holder -> {
                    holder.side = other;
                    note(holder + " is on the new one");
                });
        note(before + (isOwnerDead ? " without its owner" : "") + " becomes " + one + " and " + other);
    }

    private void crash(Side side) {
        // As above; and which member would have heard of a name that is not there is known of its first owner only.
        if (isProtected && (!side.hasQuorum || side.owner.definition() == null)) {
            return;
        }
        side.notice();
        note("the owner of " + side + " crashes");
        side.offset = random.nextLong(-MAX_OFFSET, MAX_OFFSET);
        if (chance(10)) {
            side.lose();
        } else {
            side.promoteAnyBackup();
        }
    }

    private void merge() {
        if (sides.size() > 1) {
            Side losing = sides.remove(random.nextInt(sides.size()));
            merge(anySide(), losing);
        }
    }

    private void mergeAll() {
        while (sides.size() > 1) {
            merge();
        }
        sides.get(0).isDestroyed = false;
    }

    private void merge(Side winning, Side losing) {
        merges++;
        String before = winning.toString();
        Set<Integer> apart = new HashSet<>(winning.remembered);
        apart.removeAll(losing.remembered);
        Set<Integer> apartToo = new HashSet<>(losing.remembered);
        apartToo.removeAll(winning.remembered);
        Snapshot<Definition, NodeState> lost = losing.owner.snapshotFor(0);
        // No owner tells of a table for which nothing was ever asked.
        boolean isEmpty = lost.lifecycle().definition() == null && lost.lossMillis() == 0;
        List<Overlap> found = isEmpty
                ? List.of()
                : watch.merge(
                        winning.owner,
                        lost,
                        () -> winning.owner.merge(lost, winning.clusterNow()).answer());
        winning.hasQuorum |= losing.hasQuorum;
        winning.notice();
        winning.synchronise();
        reported.addAll(found);
        reports += found.isEmpty() ? 0 : 1;
        for (Overlap overlap : found) {
            boolean needed = hasPiece(overlap.logicalNodeId(), apart) && hasPiece(overlap.logicalNodeId(), apartToo);
            needless += needed ? 0 : 1;
        }
        winning.known.addAll(losing.known);
        winning.remembered.addAll(losing.remembered);
        winning.recoveringUntil = Math.max(winning.recoveringUntil, losing.recoveringUntil);
        // Its definition came over, unless the winning side has destroyed it.
        winning.isDestroyed = winning.owner.definition() == null && (winning.isDestroyed || losing.isDestroyed);
        winning.hasGuests = sides.size() > 1 && (winning.hasGuests || losing.hasGuests);
        winning.begin();
        note(losing + " is merged into " + before + ", which becomes " + winning + ": " + shown(found));
        holders.stream().filter(holder -> holder.side == losing).forEach(holder -> holder.hearOfMerge(winning));
    }

    private boolean hasPiece(int node, Set<Integer> given) {
        return pieces.stream()
                .anyMatch(piece -> piece.use.grant.logicalNodeId() == node && given.contains(piece.period));
    }

    private static String shown(List<Overlap> found) {
        StringBuilder shown = new StringBuilder();
        found.forEach(overlap -> shown.append("node ")
                .append(overlap.logicalNodeId())
                .append(' ')
                .append(overlap.fromMillis() - START)
                .append("..")
                .append(overlap.toMillis() - START)
                .append("; "));
        return shown.toString();
    }

    private boolean isOfAllSides(long incarnation) {
        return sides.stream()
                .allMatch(side -> side.owner.snapshotFor(0).lifecycle().incarnation() == incarnation);
    }

    private void destroy() {
        Use use = anyHolder().use;
        // What begins while the network is split is not destroyed: another side's life could follow it, unreported.
        boolean mayDestroy = use != null && !use.holder.side.isStopped() && use.holder.side.missedBackup == null;
        if (use != null && mayDestroy && chance(3) && (sides.size() == 1 || isOfAllSides(use.grant.incarnation()))) {
            Side side = use.holder.side;
            if (watch.destroy(side.owner, use.grant.incarnation(), side.context())
                            .answer()
                    == DestroyReply.DESTROYED) {
                side.synchronise();
                side.isDestroyed = sides.size() > 1;
                note(side + " destroys it");
            }
        }
    }

    /** Runs an operation of an owner; returns null if the holder gets no answer. */
    private <T> @Nullable T ask(
            Holder holder,
            boolean isGiving,
            Function<OwnerContext, Decision<T, Snapshot<Definition, NodeState>>> operation) {
        Side side = holder.side;
        if (chance(4)) {
            side.notice();
        }
        if (isGiving && side.isStopped()) {
            return null;
        }
        Decision<T, Snapshot<Definition, NodeState>> decision;
        try {
            decision = operation.apply(side.context());
        } catch (SnowcastException e) {
            return null;
        }
        Snapshot<Definition, NodeState> change = decision.change();
        boolean isAcknowledged = !chance(15) && side.missedBackup == null;
        unnoticed += side.missedBackup == null ? 0 : 1;
        for (int i = 0; i < side.backups.size(); i++) {
            boolean isMissed = side.backupIds.get(i).equals(side.missedBackup);
            if (change != null && (isAcknowledged || (!isMissed && random.nextBoolean()))) {
                side.backups.get(i).join(change);
            }
        }
        if (!isAcknowledged && isGiving) {
            note(holder + " is not answered by " + side);
            return null;
        }
        return decision.answer();
    }

    // --- the holders

    /** What a holder was given at once. */
    private static final class Piece {
        final Use use;
        final int period;
        final long from;
        private final long to;
        boolean isForgotten;

        Piece(Use use, int period, long from, long to) {
            this.use = use;
            this.period = period;
            this.from = from;
            this.to = to;
        }

        long to() {
            return Math.min(to, use.end);
        }

        boolean overlaps(Piece other) {
            return use.holder != other.use.holder
                    && use.grant.logicalNodeId() == other.use.grant.logicalNodeId()
                    && Math.max(from, other.from) < Math.min(to(), other.to());
        }

        @Override
        public String toString() {
            return use.holder + " node " + use.grant.logicalNodeId() + " " + (from + EPOCH - START) + ".."
                    + (to() + EPOCH - START) + " by side " + period;
        }
    }

    /** A request that a side executed, the periods that it knew then, and the end of what it gave. */
    private record Executed(int period, Set<Integer> known, long ceiling) {}

    /** A grant that arrived at its holder, extended as the holder knows. */
    private static final class Use {
        final Holder holder;
        final Grant grant;
        final long from;
        long ceiling;
        /** Extensions since the last that was answered. */
        final List<Executed> unheard = new ArrayList<>();
        /** From here on nothing is used any more. */
        long end = Long.MAX_VALUE;

        Use(Holder holder, Grant grant, long from) {
            this.holder = holder;
            this.grant = grant;
            this.from = from;
            this.ceiling = grant.ceiling();
        }
    }

    private final class Holder {
        final int number;
        /** Some clocks are far behind, always. */
        final long lag = chance(8) ? random.nextLong(3 * LEASE) : 0;

        long offset = -lag;
        Side side = sides.get(0);
        long incarnation;
        long requestNumber;
        boolean isAnswered = true;
        /** Where the present request was executed: one whose answer was lost may be answered again after a merge. */
        final List<Executed> executed = new ArrayList<>();

        long last = -1;

        @Nullable
        Use use;

        Holder(int number) {
            this.number = number;
        }

        private Requester requester() {
            return new Requester(number, now + offset, DEFINITION)
                    .in(incarnation)
                    .havingUsed(last);
        }

        private long idTime() {
            return now + offset - EPOCH;
        }

        void attach() {
            seal();
            if (side.isDestroyed) {
                return;
            }
            if (isAnswered) {
                requestNumber++;
                executed.clear();
            }
            isAnswered = false;
            AttachRequest request = requester().attach(requestNumber);
            AttachReply reply = ask(this, true, owner -> {
                Decision<AttachReply, Snapshot<Definition, NodeState>> decision =
                        watch.attach(side.owner, request, owner, rules);
                Grant given = decision.answer().grant();
                if (given != null && knownWhenFirstGiven() == null) {
                    executed.add(new Executed(side.period, Set.copyOf(side.known), given.ceiling()));
                }
                return decision;
            });
            Grant grant = reply == null ? null : reply.grant();
            incarnation = grant == null ? 0 : grant.incarnation();
            if (grant != null) {
                isAnswered = true;
                attached(grant);
            }
        }

        /** Returns what was known to the side that executed the present request first, of those that are merged. */
        private @Nullable Set<Integer> knownWhenFirstGiven() {
            return executed.stream()
                    .filter(each -> side.known.contains(each.period))
                    .map(Executed::known)
                    .findFirst()
                    .orElse(null);
        }

        private void attached(Grant grant) {
            long from = Math.max(Math.max(grant.floor(), last + 1), idTime() - SKEW);
            use = new Use(this, grant, from);
            note(this + " attaches on " + side + " to node " + grant.logicalNodeId() + " "
                    + (grant.floor() + EPOCH - START) + ".." + (grant.ceiling() + EPOCH - START));
            Set<Integer> known = Objects.requireNonNull(knownWhenFirstGiven());
            boolean isBelow = grant.floor() < side.recoveringUntil - EPOCH && known.equals(side.known);
            if (side.clusterNow() < side.recoveringUntil || isBelow) {
                throw new AssertionError(side + " grants before or below " + (side.recoveringUntil - START));
            }
            given(use, from, grant.ceiling(), known, true);
        }

        void extend() {
            Use held = use;
            if (held == null) {
                return;
            }
            ExtendRequest request = requester().extend(held.grant, held.ceiling);
            int node = held.grant.logicalNodeId();
            ExtendReply reply = ask(this, true, owner -> {
                Decision<ExtendReply, Snapshot<Definition, NodeState>> decision =
                        watch.extend(side.owner, request, owner, rules);
                long ceiling = decision.answer().ceiling();
                held.unheard.add(new Executed(side.period, Set.copyOf(side.known), ceiling));
                return decision;
            });
            if (reply == null) {
                return;
            }
            if (reply.outcome() != Outcome.EXTENDED) {
                note(this + " is " + reply.outcome() + " on " + side + " of node " + node);
                seal();
            } else if (reply.ceiling() > held.ceiling) {
                note(this + " is extended on " + side + " of node " + node + " to "
                        + (reply.ceiling() + EPOCH - START));
                long from = Math.max(held.from, held.ceiling);
                held.ceiling = reply.ceiling();
                for (Executed each : held.unheard) {
                    if (side.known.contains(each.period) && each.ceiling > from) {
                        given(held, from, each.ceiling, each.known, false);
                        from = each.ceiling;
                    }
                }
                held.unheard.clear();
            }
        }

        private void given(Use to, long from, long ceiling, Set<Integer> known, boolean isGrant) {
            Piece piece = new Piece(to, side.period, from, ceiling);
            for (Piece other : pieces) {
                // A side that has lost its table grants nothing below its recovery time, but takes over what is
                // extended.
                boolean counts = known.contains(other.period) && (isGrant || side.remembered.contains(other.period));
                if (counts && piece.overlaps(other)) {
                    throw new AssertionError("given anew: " + piece + ", but before: " + other);
                }
            }
            pieces.add(piece);
        }

        /** Issues some more IDs, and then none of this grant. */
        void seal() {
            Use held = use;
            if (held == null) {
                return;
            }
            long highest = Math.min(held.ceiling - 1, Math.max(held.from, idTime() + MAX_OFFSET));
            long used = chance(3) ? held.from - 1 : random.nextLong(held.from - 1, Math.max(highest + 1, held.from));
            last = Math.max(last, Math.max(used, held.grant.floor() - 1));
            held.end = used + 1;
            use = null;
            note(this + " seals node " + held.grant.logicalNodeId() + ", last used " + (used + EPOCH - START));
        }

        void detach() {
            Use held = use;
            if (held != null) {
                seal();
                if (!chance(4)) {
                    note(this + " detaches on " + side);
                    ask(this, false, owner -> watch.detach(side.owner, Requester.detach(held.grant, last)));
                }
            }
        }

        void comeOver(Side other) {
            if (other != side) {
                note(this + " comes over from " + side + " to " + other);
                side = other;
                other.hasGuests = true;
            }
        }

        /** Members seal at once, clients when they hear of it. */
        void hearOfMerge(Side winning) {
            side = winning;
            if (!chance(3)) {
                seal();
            }
        }

        @Override
        public String toString() {
            return "h" + number;
        }
    }

    // --- what must hold

    private void checkReports() {
        if (isProtected && losses == 0 && !reported.isEmpty()) {
            throw new AssertionError("reported, though one side only has answered: " + shown(reported));
        }
        forget();
        for (int i = 0; i < pieces.size(); i++) {
            for (Piece other : pieces.subList(0, i)) {
                Piece piece = pieces.get(i);
                if (piece.overlaps(other) && !piece.isForgotten && !other.isForgotten) {
                    duplicates++;
                    checkReported(piece, other);
                }
            }
        }
    }

    private void checkReported(Piece one, Piece other) {
        long from = Math.max(one.from, other.from) + EPOCH;
        long to = Math.min(one.to(), other.to()) + EPOCH;
        long reportedTo = from;
        for (int i = 0; i < reported.size() && reportedTo < to; i++) {
            for (Overlap overlap : reported) {
                // A side that has destroyed it has forgotten of which nodes.
                boolean isOfNode =
                        overlap.logicalNodeId() == -1 || overlap.logicalNodeId() == one.use.grant.logicalNodeId();
                if (isOfNode && overlap.fromMillis() <= reportedTo) {
                    reportedTo = Math.max(reportedTo, overlap.toMillis());
                }
            }
        }
        if (reportedTo < to) {
            throw new AssertionError("not reported: " + (reportedTo - START) + ".." + (to - START) + " of "
                    + Objects.toString(one) + " and " + other);
        }
    }
}
