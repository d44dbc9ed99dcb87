// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of splits and merges with the holders of one sequencer. A {@link Piece} is a stretch of ID time that a
 * holder got by a grant or a renewal. The schedule checks:
 *
 * <ul>
 *   <li>no grant of a side overlaps a former piece of another holder on this side, or on a side that it has merged; a
 *       renewal may do so only after the side has lost its table;
 *   <li>if pieces of two holders overlap, merges have reported the overlap, unless losses have removed one of the
 *       pieces from the tables of all sides;
 *   <li>with split-brain protection, no pieces of two holders overlap, because at most one side answers
 *       ({@code MergeFuzzTest} checks this by {@link #duplicates});
 *   <li>after a loss of data, neither the side nor a side that has merged it grants anything before or below the
 *       recovery time.
 * </ul>
 */
final class TableSplitSchedule extends SplitSchedule {
    private static final long EPOCH = 1_600_000_000_000L;
    private static final long LEASE = 1_000;
    private static final long SKEW = 200;
    private static final long MAX_OFFSET = SKEW / 2;
    /**
     * The maximum time between the separation of two members and the removal of one from the other's list, plus a bound
     * for the difference of the clocks.
     */
    private static final long UNNOTICED = MAX_UNNOTICED + 2 * SKEW;

    private static final Definition DEFINITION = new Definition(EPOCH, new SnowcastLayout(41, 2, 2), 1, null);
    private static final int MAX_SIDES = 4;
    private static final int MEMBERS = 8;
    private static final int STEPS = 70;

    private static final int STEPS_AFTER_LAST_MERGE = 20;

    /** The number of reports that are needless, because no two holders have an ID of the reported time in common. */
    int needless;

    int losses;
    final Reached<TableState> reached = new Reached<>(TableState.class);
    private final TableWatch watch = new TableWatch(reached);

    int reports;

    private final TableRules rules;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<PossibleDuplicates> reported = new ArrayList<>();

    TableSplitSchedule(long seed) {
        this(seed, false);
    }

    TableSplitSchedule(long seed, boolean isProtected) {
        super(seed, isProtected, MAX_SIDES, STEPS, STEPS_AFTER_LAST_MERGE);
        rules = new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 4 * MAX_OFFSET, 0, random.nextInt(3));
        Set<UUID> members = new HashSet<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(newId());
        }
        UUID owner = members.iterator().next();
        sides.add(new Side(new ReplicatedTable(Requester.NAME, random.nextLong()), owner, members, newOffset()));
        for (int i = 0; i < 5; i++) {
            holders.add(new TableHolder(i));
        }
    }

    @Override
    long newOffset() {
        return random.nextLong(-MAX_OFFSET, MAX_OFFSET);
    }

    @Override
    void step() {
        switch (random.nextInt(24)) {
            case 0, 1 -> split();
            case 2 -> merge();
            case 3 -> crash(anySide());
            case 6 -> anySide().synchronise();
            case 4 -> holder().comeOver(anySide());
            case 5 -> destroy();
            default -> stepAlone();
        }
    }

    @Override
    void stepAlone() {
        now += random.nextInt(6) == 0 ? random.nextInt(1_500) : random.nextInt(200);
        TableHolder holder = holder();
        switch (random.nextInt(12)) {
            case 0 -> holder.offset = -holder.lag + random.nextLong(-MAX_OFFSET, MAX_OFFSET);
            case 1, 2, 3 -> holder.detach();
            case 4, 5, 6, 7 -> holder.attach();
            default -> holder.renew();
        }
    }

    private TableHolder holder() {
        return (TableHolder) anyHolder();
    }

    @Override
    void note(String what) {
        super.note((now - START) + ": " + what);
    }

    // --- the sides

    @Override
    ReplicatedTable copyOf(Snapshot snapshot) {
        return Copies.of(snapshot);
    }

    /** Returns an empty table with the recovery time of the copy, as {@code PartitionContainer} does. */
    @Override
    ReplicatedTable ofUnknown(Snapshot copy) {
        return empty(copy.header().waitEndMillis());
    }

    /**
     * Promotes a copy. If the sequencer exists and the copy may lack node IDs, the promotion removes all entries of the
     * copy and starts a recovery.
     */
    @Override
    void promote(Side side, ReplicatedTable copy) {
        watch.promoting(copy, 1, side.clusterNow());
        copy.becomeOwner(1, random.nextLong(), side.clusterNow(), side.clusterNow() + rules.lossWaitMillis());
        side.replace(copy);
        if (copy.snapshotFor(0).header().waitEndMillis() == side.clusterNow() + rules.lossWaitMillis()) {
            lost(side);
        }
    }

    @Override
    void takeOver(Side side, ReplicatedTable copy, UUID member, int oneLossIn) {
        if (chance(oneLossIn)) {
            lose(side);
        } else {
            side.promote(copy, member);
        }
    }

    private void lost(Side side) {
        note(side + " has lost its table");
        losses++;
        side.recoveringUntil = side.clusterNow() + rules.lossWaitMillis();
        side.remembered.clear();
        side.begin();
        forget();
    }

    /** Loses the owner's grants, and sometimes the whole sequencer. */
    private void lose(Side side) {
        Snapshot copy = side.owner.snapshotFor(1);
        if (copy.lifecycle().definition() != null && random.nextBoolean()) {
            side.promote(Copies.of(copy.forReplica(2)), side.newBackup());
        } else {
            side.becomeOwnedBy(side.newBackup());
            side.replace(empty(side.clusterNow() + rules.lossWaitMillis()));
            lost(side);
        }
    }

    /**
     * Marks the pieces of all periods whose node IDs are in no side's table any more, so that no merge can report them.
     */
    private void forget() {
        for (Piece piece : pieces) {
            piece.isForgotten |= sides.stream().noneMatch(side -> side.remembered.contains(piece.period));
        }
    }

    private ReplicatedTable empty(long waitEndMillisIfKnown) {
        ReplicatedTable empty = new ReplicatedTable(Requester.NAME, random.nextLong());
        empty.table().startOverUntil(random.nextLong(), waitEndMillisIfKnown);
        return empty;
    }

    @Override
    String unite(Side winning, Side losing, long apartSince) {
        Snapshot lost = losing.owner.snapshotFor(0);
        long since = Math.max(apartSince - UNNOTICED, 0);
        // An owner does not send a table that has never received a request.
        boolean isEmpty = lost.lifecycle().definition() == null && lost.header().waitEndMillis() == 0;
        List<PossibleDuplicates> found = isEmpty
                ? List.of()
                : watch.merge(
                        winning.owner.table(),
                        lost,
                        since,
                        () -> winning.owner.merge(lost, since, winning.clusterNow()));
        reported.addAll(found);
        return shown(found);
    }

    @Override
    void comeOverAfterMerge(Holder holder, Side winning) {
        ((TableHolder) holder).hearOfMerge(winning);
    }

    private static String shown(List<PossibleDuplicates> found) {
        StringBuilder shown = new StringBuilder();
        found.forEach(overlap -> shown.append("node ")
                .append(overlap.logicalNodeId())
                .append(' ')
                .append(overlap.from().toEpochMilli() - START)
                .append("..")
                .append(overlap.to().toEpochMilli() - START)
                .append("; "));
        return shown.toString();
    }

    private void destroy() {
        Use use = holder().use;
        boolean mayDestroy = use != null && !use.holder.side.isStopped() && use.holder.side.missedBackup == null;
        if (use != null && mayDestroy && chance(3)) {
            Side side = use.holder.side;
            if (Boolean.TRUE.equals(watch.destroy(side.owner.table(), use.grant.incarnation(), side.clusterNow())
                    .answered())) {
                side.synchronise();
                note(side + " destroys it");
            }
        }
    }

    // --- the holders

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

    /** A request that a side has executed, with the side's period, its known periods, and the granted ceiling. */
    private record Executed(int period, Set<Integer> known, long ceiling) {}

    /** A grant that has arrived at its holder, with the ceiling of the renewals whose answers have arrived. */
    private static final class Use {
        final TableHolder holder;
        final Grant grant;
        final long from;
        long ceiling;
        /** The renewals that were executed after the last renewal whose answer arrived. */
        final List<Executed> unheard = new ArrayList<>();
        /** The holder uses only timestamps below this one. */
        long end = Long.MAX_VALUE;

        Use(TableHolder holder, Grant grant, long from) {
            this.holder = holder;
            this.grant = grant;
            this.from = from;
            this.ceiling = grant.ceiling();
        }
    }

    private final class TableHolder extends Holder {
        /** The clocks of some holders always lag, by less than three leases. */
        final long lag = chance(8) ? random.nextLong(3 * LEASE) : 0;

        long offset = -lag;
        long incarnation;
        long requestNumber;
        boolean isAnswered = true;
        /**
         * The executions of the present attach request. The holder repeats this request until it gets an answer, if
         * need be on another side.
         */
        final List<Executed> executed = new ArrayList<>();

        long last = -1;

        @Nullable
        Use use;

        TableHolder(int number) {
            super(number);
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
            if (isAnswered) {
                requestNumber++;
                executed.clear();
            }
            isAnswered = false;
            AttachRequest request = requester().attach(requestNumber);
            Optional<Grant> reply = ask(this, true, asked -> {
                Decision<Optional<Grant>> decision =
                        watch.attach(asked.owner.table(), request, asked.clusterNow(), rules);
                Grant given =
                        decision.answered() == null ? null : decision.answer().orElse(null);
                if (given != null && knownWhenFirstGiven() == null) {
                    executed.add(new Executed(side.period, Set.copyOf(side.known), given.ceiling()));
                }
                return decision;
            });
            Grant grant = reply == null ? null : reply.orElse(null);
            incarnation = grant == null ? 0 : grant.incarnation();
            if (grant != null) {
                isAnswered = true;
                attached(grant);
            }
        }

        /**
         * Looks at this holder's side and at the sides that were merged into it. Returns the periods that were known to
         * the first of these sides that executed the present request; null if none of them has executed it.
         */
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

        void renew() {
            Use held = use;
            if (held == null) {
                return;
            }
            RenewRequest request = requester().renew(held.grant, held.ceiling);
            int node = held.grant.logicalNodeId();
            RenewReply reply = ask(this, true, asked -> {
                Decision<RenewReply> decision = watch.renew(asked.owner.table(), request, asked.clusterNow(), rules);
                long ceiling = decision.answer().ceiling();
                held.unheard.add(new Executed(side.period, Set.copyOf(side.known), ceiling));
                return decision;
            });
            if (reply == null) {
                return;
            }
            if (reply.outcome() != Outcome.RENEWED) {
                note(this + " is " + reply.outcome() + " on " + side + " of node " + node);
                seal();
            } else if (reply.ceiling() > held.ceiling) {
                note(this + " is renewed on " + side + " of node " + node + " to " + (reply.ceiling() + EPOCH - START));
                long from = Math.max(held.from, held.ceiling);
                held.ceiling = reply.ceiling();
                for (Executed each : held.unheard) {
                    if (side.known.contains(each.period) && Math.min(each.ceiling, reply.ceiling()) > from) {
                        // The holder uses a renewal without an answer only up to the ceiling of the next answered
                        // renewal.
                        long to = Math.min(each.ceiling, reply.ceiling());
                        given(held, from, to, each.known, false);
                        from = to;
                    }
                }
                held.unheard.clear();
            }
        }

        private void given(Use to, long from, long ceiling, Set<Integer> known, boolean isGrant) {
            Piece piece = new Piece(to, side.period, from, ceiling);
            for (Piece other : pieces) {
                // A side that has lost its table takes over renewed grants, but grants nothing below its recovery time.
                boolean counts = known.contains(other.period) && (isGrant || side.remembered.contains(other.period));
                if (counts && piece.overlaps(other)) {
                    throw new AssertionError("given anew: " + piece + ", but before: " + other);
                }
            }
            pieces.add(piece);
        }

        /** Issues some more IDs or none, and seals the grant. */
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
                    ask(this, false, asked -> watch.detach(asked.owner.table(), Requester.detach(held.grant, last)));
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

        /**
         * Moves to the winning side. Holders on members seal their grants at once, holders on clients some time later.
         */
        void hearOfMerge(Side winning) {
            side = winning;
            if (!chance(3)) {
                seal();
            }
        }
    }

    // --- invariants

    @Override
    void checkReports() {
        forget();
        Set<PossibleDuplicates> needed = new HashSet<>();
        for (int i = 0; i < pieces.size(); i++) {
            for (Piece other : pieces.subList(0, i)) {
                Piece piece = pieces.get(i);
                if (piece.overlaps(other)) {
                    long from = Math.max(piece.from, other.from) + EPOCH;
                    long to = Math.min(piece.to(), other.to()) + EPOCH;
                    reported.stream()
                            .filter(each -> isAbout(each, piece)
                                    && each.from().toEpochMilli() < to
                                    && from < each.to().toEpochMilli())
                            .forEach(needed::add);
                    if (!piece.isForgotten && !other.isForgotten) {
                        duplicates++;
                        checkReported(piece, other, from, to);
                    }
                }
            }
        }
        reports = reported.size();
        needless =
                (int) reported.stream().filter(each -> !needed.contains(each)).count();
    }

    /** A report for node ID -1 is about all node IDs: a side that has destroyed the sequencer no longer knows them. */
    private static boolean isAbout(PossibleDuplicates finding, Piece piece) {
        return finding.logicalNodeId() == -1 || finding.logicalNodeId() == piece.use.grant.logicalNodeId();
    }

    private void checkReported(Piece one, Piece other, long from, long to) {
        long reportedTo = from;
        for (int i = 0; i < reported.size() && reportedTo < to; i++) {
            for (PossibleDuplicates overlap : reported) {
                if (isAbout(overlap, one) && overlap.from().toEpochMilli() <= reportedTo) {
                    reportedTo = Math.max(reportedTo, overlap.to().toEpochMilli());
                }
            }
        }
        if (reportedTo < to) {
            throw new AssertionError("not reported: " + (reportedTo - START) + ".." + (to - START) + " of "
                    + Objects.toString(one) + " and " + other);
        }
    }
}
