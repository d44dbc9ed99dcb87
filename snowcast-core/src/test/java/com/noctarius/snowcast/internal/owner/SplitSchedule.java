// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule in which a network splits into several sides that merge again, while holders of one name send
 * requests to the owners. A {@link Piece} is a stretch of ID time that a holder got by a grant or a renewal. The
 * schedule checks:
 *
 * <ul>
 *   <li>a side makes no grant that overlaps a former piece of another holder with the same node ID, if that piece is
 *       from this side or from a side that was merged into it; a renewal may overlap such a piece only if a loss has
 *       removed the piece from the side's table;
 *   <li>if pieces of two holders overlap, merges have reported the overlap, unless losses have removed one of the
 *       pieces from the tables of all sides;
 *   <li>with split-brain protection, no pieces of two holders overlap, because at most one side answers
 *       ({@code MergeFuzzTest} checks this by {@link #duplicates});
 *   <li>after a loss of data, the side, and a side into which it is merged, make no grant before the recovery time, and
 *       no new grant that begins below the recovery time.
 * </ul>
 */
final class SplitSchedule {
    private static final long START = 1_700_000_000_000L;
    private static final long EPOCH = 1_600_000_000_000L;
    private static final long LEASE = 1_000;
    private static final long SKEW = 200;
    private static final long MAX_OFFSET = SKEW / 2;
    /** The maximum time in milliseconds until a side notices a split. */
    private static final long MAX_UNNOTICED = 1_000;
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

    /** The number of overlaps between the granted times of two holders. Merges have reported all of these overlaps. */
    int duplicates;

    int merges;

    /** The number of requests that an owner executed before it noticed that a backup was on another side. */
    int unnoticed;
    /** The number of reports that are needless, because no two holders have an ID of the reported time in common. */
    int needless;

    int losses;
    final Reached<TableState> reached = new Reached<>(TableState.class);
    private final TableWatch watch = new TableWatch(reached);

    int reports;

    private final TableRules rules;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<PossibleDuplicates> reported = new ArrayList<>();

    private final boolean isProtected;
    private final List<Side> sides = new ArrayList<>();
    private final List<Holder> holders = new ArrayList<>();
    private Random random;
    private long now = START;
    /** When each member saw other members leave, by the clock of its side. */
    private final Map<UUID, Map<UUID, Long>> removals = new HashMap<>();

    private final List<String> trace = new ArrayList<>();
    private final long seed;
    private int periods;

    SplitSchedule(long seed) {
        this(seed, false);
    }

    /** Creates a schedule. With protection, a side below the quorum stops as soon as it notices the split. */
    SplitSchedule(long seed, boolean isProtected) {
        this.seed = seed;
        this.isProtected = isProtected;
        this.random = new Random(seed);
        rules = new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 4 * MAX_OFFSET, 0, random.nextInt(3));
        Set<UUID> members = new HashSet<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(newId());
        }
        UUID owner = members.iterator().next();
        sides.add(new Side(new ReplicatedTable(Requester.NAME, random.nextLong()), owner, members, newOffset()));
        for (int i = 0; i < 5; i++) {
            holders.add(new Holder(i));
        }
    }

    int steps() {
        return STEPS + STEPS_AFTER_LAST_MERGE;
    }

    /** Returns what happened in the run, in order. */
    List<String> trace() {
        return trace;
    }

    /**
     * Runs the steps whose bit is set; called once. Each step has its own random generator, so that omitting a step
     * hardly changes the other steps.
     */
    void run(BitSet steps) {
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

    private long newOffset() {
        return random.nextLong(-MAX_OFFSET, MAX_OFFSET);
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

    /** Runs a step that needs only one side. */
    private void stepAlone() {
        now += random.nextInt(6) == 0 ? random.nextInt(1_500) : random.nextInt(200);
        Holder holder = anyHolder();
        switch (random.nextInt(12)) {
            case 0 -> holder.offset = -holder.lag + random.nextLong(-MAX_OFFSET, MAX_OFFSET);
            case 1, 2, 3 -> holder.detach();
            case 4, 5, 6, 7 -> holder.attach();
            default -> holder.renew();
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

    /** One side of a split network: an owner and its backups. Also records which grants the side must not repeat. */
    private final class Side {
        ReplicatedTable owner;
        /** The copies of the backups. Each contains all answered grants and renewals, and some of the other changes. */
        final List<ReplicatedTable> backups = new ArrayList<>();
        /** All members, including the owner and the backups. */
        final Set<UUID> members;
        /** The members that have the copies of {@link #backups}, in the same order. */
        final List<UUID> backupIds = new ArrayList<>();
        /** A backup on another side. The owner waits for this backup's answer until the owner notices the split. */
        @Nullable
        UUID missedBackup;
        /** The members that have split off together with the missed backup. */
        Set<UUID> missed = Set.of();

        long missedSince;

        UUID ownerId;
        boolean hasQuorum = true;

        long offset;
        /**
         * The periods whose grants this side must not repeat. A split, a merge or a loss ends a period of a side and
         * begins the next one.
         */
        final Set<Integer> known = new HashSet<>();
        /** The periods whose node IDs are still in this side's table, so that a merge can report them. */
        final Set<Integer> remembered = new HashSet<>();

        int period;
        long recoveringUntil;
        /** Whether holders have moved here from another side. */
        boolean hasGuests;

        Side(ReplicatedTable owner, UUID ownerId, Set<UUID> members, long offset) {
            this.owner = owner;
            this.ownerId = ownerId;
            this.members = members;
            this.offset = offset;
            backupIds.add(newBackup());
            backupIds.add(newBackup());
            synchronise();
            begin();
        }

        void begin() {
            period = ++periods;
            known.add(period);
            remembered.add(period);
        }

        /** Returns a new backup: a member without a copy, possibly one that has just joined. */
        UUID newBackup() {
            List<UUID> others = members.stream()
                    .filter(member -> !member.equals(ownerId) && !backupIds.contains(member))
                    .toList();
            UUID next = others.isEmpty() || chance(4) ? newId() : others.get(random.nextInt(others.size()));
            members.add(next);
            return next;
        }

        /** Removes members from the lists of this side, and records when its other members saw the removal. */
        void noteRemoval(Set<UUID> gone, long removedAt) {
            members.removeAll(gone);
            for (UUID member : members) {
                Map<UUID, Long> seen = removals.computeIfAbsent(member, unseen -> new HashMap<>());
                gone.forEach(each -> seen.put(each, removedAt + offset));
            }
        }

        long clusterNow() {
            return now + offset;
        }

        /** Makes a member the owner, with a copy, or with an empty table if the copy does not contain the name. */
        void promote(ReplicatedTable copy, UUID member) {
            becomeOwnedBy(member);
            Snapshot sent = copy.snapshotFor(0);
            if (sent.lifecycle().definition() == null) {
                replace(empty(sent.header().waitEndMillis())); // Like PartitionContainer.
            } else {
                SplitSchedule.this.promote(this, copy);
            }
        }

        void becomeOwnedBy(UUID member) {
            notice();
            if (!member.equals(ownerId)) {
                noteRemoval(Set.of(ownerId), now);
                ownerId = member;
            }
            if (backupIds.remove(member)) {
                backupIds.add(newBackup());
            }
        }

        void replace(ReplicatedTable other) {
            owner = other;
            synchronise();
        }

        /**
         * If a backup is on another side, lets the owner notice the split, and replaces that backup by another member.
         */
        void notice() {
            if (missedBackup != null) {
                note(this + " notices that a backup is gone");
                noteRemoval(missed, Math.min(now, missedSince + MAX_UNNOTICED));
                backupIds.set(backupIds.indexOf(missedBackup), newBackup());
                missedBackup = null;
            }
        }

        void synchronise() {
            backups.clear();
            backups.add(Copies.of(owner.snapshotFor(1)));
            backups.add(Copies.of(owner.snapshotFor(1)));
        }

        /** Returns whether this side grants nothing, because it has noticed that it is below the quorum. */
        boolean isStopped() {
            return isProtected && !hasQuorum && missedBackup == null;
        }

        @Override
        public String toString() {
            return "side " + period;
        }
    }

    private UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private void split() {
        Side one = anySide();
        // A guest is a holder that has moved here, and has used IDs on another side before. If this side split, its
        // halves could not distinguish that use from the guest's present use.
        if (sides.size() == MAX_SIDES || one.hasGuests) {
            return;
        }
        boolean isOwnerDead = chance(4);
        one.notice();
        int first = random.nextInt(2);
        ReplicatedTable copy = one.backups.get(first);
        ReplicatedTable secondCopy = one.backups.get(1 - first);
        UUID member = one.backupIds.get(first);
        Set<UUID> leaving = new HashSet<>(Set.of(member));
        one.members.stream()
                .filter(each -> !each.equals(one.ownerId) && !one.backupIds.contains(each) && random.nextBoolean())
                .forEach(leaving::add);
        Set<UUID> staying = new HashSet<>(one.members);
        staying.removeAll(leaving);
        one.missed = Set.copyOf(leaving);
        one.missedSince = now;
        Side other = new Side(copy, member, leaving, newOffset());
        other.noteRemoval(staying, now);
        boolean isOtherLarger = random.nextBoolean();
        other.hasQuorum = one.hasQuorum && isOtherLarger;
        one.hasQuorum = one.hasQuorum && !isOtherLarger;
        other.known.addAll(one.known);
        other.remembered.addAll(one.remembered);
        other.recoveringUntil = one.recoveringUntil;
        String before = one.toString();
        one.missedBackup = member;
        if (isOwnerDead) {
            one.promote(secondCopy, one.backupIds.get(1 - first));
        }
        one.synchronise();
        one.begin();
        sides.add(other);
        takeOver(other, copy, member, 15);
        holders.stream()
                .filter(holder -> holder.side == one && random.nextBoolean())
                .forEach(holder -> {
                    holder.side = other;
                    note(holder + " is on the new one");
                });
        note(before + (isOwnerDead ? " without its owner" : "") + " becomes " + one + " and " + other);
    }

    private void crash(Side side) {
        int index = random.nextInt(2);
        ReplicatedTable successor = side.backups.get(index);
        side.notice();
        note("the owner of " + side + " crashes");
        side.offset = newOffset();
        takeOver(side, successor, side.backupIds.get(index), 10);
    }

    /**
     * Promotes a copy. If the sequencer exists and the copy may lack node IDs, the promotion removes all entries of the
     * copy and starts a recovery.
     */
    private void promote(Side side, ReplicatedTable copy) {
        watch.promoting(copy, 1, side.clusterNow());
        copy.becomeOwner(1, random.nextLong(), side.clusterNow(), side.clusterNow() + rules.lossWaitMillis());
        side.replace(copy);
        if (copy.snapshotFor(0).header().waitEndMillis() == side.clusterNow() + rules.lossWaitMillis()) {
            lost(side);
        }
    }

    /** Makes a member the owner of a side. In one of {@code oneLossIn} cases, the side loses its data instead. */
    private void takeOver(Side side, ReplicatedTable copy, UUID member, int oneLossIn) {
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
        empty.table().startWait(random.nextLong(), waitEndMillisIfKnown);
        return empty;
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
    }

    private void merge(Side winning, Side losing) {
        merges++;
        winning.notice();
        losing.notice();
        String before = winning.toString();
        Map<UUID, Long> seen = removals.getOrDefault(losing.ownerId, Map.of());
        String found = unite(
                winning,
                losing,
                winning.members.stream()
                        .filter(seen::containsKey)
                        .mapToLong(seen::get)
                        .min()
                        .orElse(0));
        losing.members.forEach(member -> winning.members.add(newId())); // Each member joins with a new UUID.
        winning.hasQuorum |= losing.hasQuorum;
        winning.synchronise();
        winning.known.addAll(losing.known);
        winning.remembered.addAll(losing.remembered);
        winning.recoveringUntil = Math.max(winning.recoveringUntil, losing.recoveringUntil);
        winning.hasGuests = sides.size() > 1 && (winning.hasGuests || losing.hasGuests);
        winning.begin();
        note(losing + " is merged into " + before + ", which becomes " + winning + ": " + found);
        holders.stream().filter(holder -> holder.side == losing).forEach(holder -> holder.hearOfMerge(winning));
    }

    /**
     * Merges the tables of two owners, and returns the reports as text.
     *
     * @param apartSince when the losing side's owner saw the first member of the winning side leave; 0 if it saw none
     */
    private String unite(Side winning, Side losing, long apartSince) {
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
        Use use = anyHolder().use;
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

    /** Executes an operation on the owner of a holder's side; returns null if the holder gets no answer. */
    private <T> @Nullable T ask(Holder holder, boolean isGiving, Function<Side, Decision<T>> operation) {
        Side side = holder.side;
        if (chance(4) || now - side.missedSince >= MAX_UNNOTICED) {
            side.notice();
        }
        if (isGiving && side.isStopped()) {
            return null;
        }
        Decision<T> decision;
        try {
            decision = operation.apply(side);
        } catch (SnowcastException e) {
            return null;
        }
        Set<Integer> changed = decision.changed();
        Snapshot change = changed == null ? null : side.owner.change(changed);
        boolean isAcknowledged = !chance(15) && side.missedBackup == null;
        unnoticed += side.missedBackup == null ? 0 : 1;
        for (int i = 0; i < side.backups.size(); i++) {
            boolean isMissed = side.backupIds.get(i).equals(side.missedBackup);
            if (change != null && (isAcknowledged || (!isMissed && random.nextBoolean()))) {
                side.backups.get(i).join(change, null, false);
            }
        }
        if (!isAcknowledged && isGiving) {
            note(holder + " is not answered by " + side);
            return null;
        }
        return decision.answered();
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

    /**
     * A request that a side has executed, with the values of {@link Side#period} and {@link Side#known} at that time,
     * and the granted ceiling.
     */
    private record Executed(int period, Set<Integer> known, long ceiling) {}

    /** A grant that has arrived at its holder, with the ceiling of the renewals whose answers have arrived. */
    private static final class Use {
        final Holder holder;
        final Grant grant;
        final long from;
        long ceiling;
        /** The renewals that were executed after the last renewal whose answer arrived. */
        final List<Executed> unheard = new ArrayList<>();
        /** The holder uses only timestamps below this one. */
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
        final UUID unused = newId(); // Seeds of earlier failures repeat them only with this draw.
        Side side = sides.get(0);

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

        Holder(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "h" + number;
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
                // A renewal may overlap grants that the side's table has lost, because the table takes over each grant
                // whose holder renews it. A new grant must not overlap them, because the side grants nothing below its
                // recovery time.
                boolean counts = known.contains(other.period) && (isGrant || side.remembered.contains(other.period));
                if (counts && piece.overlaps(other)) {
                    throw new AssertionError("granted again: " + piece + ", but granted before: " + other);
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

    private void checkReports() {
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
