// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule: a network that splits into up to three sides and becomes one again, with the blocks of one integer
 * sequence that its holders were given meanwhile. What is checked:
 *
 * <ul>
 *   <li>a side hands out no integer that this side, or a side that it was merged with, has handed out before;
 *   <li>where two holders were given one integer, some merge has reported it;
 *   <li>with split-brain protection, by which one side at most answers anything, no merge reports anything.
 * </ul>
 */
final class PoolSplitSchedule implements Schedules.Schedule {
    private static final String NAME = "orders";
    private static final long START = 1_700_000_000_000L;
    private static final int MAX_SIDES = 3;
    private static final int STEPS = 60;
    private static final int STEPS_AFTER_LAST_MERGE = 15;

    /** How many blocks of two sides shared integers, all of them reported. */
    int duplicates;

    int merges;
    final Reached<PoolState> reached = new Reached<>(PoolState.class);
    private final PoolWatch watch = new PoolWatch(reached);

    /** How many requests an owner carried out for nothing: it had not noticed yet that a backup was on another side. */
    int unnoticed;

    private final List<String> trace = new ArrayList<>();
    private final long seed;
    private final boolean isProtected;
    private final PoolDefinition definition;
    private final List<Side> sides = new ArrayList<>();
    private final List<Holder> holders = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<PossibleDuplicateIntegers> reported = new ArrayList<>();
    private Random random;
    private long now = START;
    private int periods;

    PoolSplitSchedule(long seed) {
        this(seed, false);
    }

    /** Makes a schedule, also one in which the side below a quorum stops as soon as it notices the split. */
    PoolSplitSchedule(long seed, boolean isProtected) {
        this.seed = seed;
        this.isProtected = isProtected;
        this.random = new Random(seed);
        this.definition = new PoolDefinition(1, Integer.MAX_VALUE, 1, false);
        sides.add(new Side(new IntegerPool(NAME)));
        for (int i = 0; i < 4; i++) {
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
        switch (random.nextInt(20)) {
            case 0, 1 -> split();
            case 2 -> merge();
            case 3 -> crash(anySide());
            case 4 -> anyHolder().comeOver(anySide());
            case 5 -> anyHolder().destroy();
            case 6 -> anySide().synchronise();
            default -> stepAlone();
        }
    }

    private void stepAlone() {
        now += random.nextInt(100) - 20;
        Holder holder = anyHolder();
        if (chance(4)) {
            holder.giveBack();
        } else {
            holder.reserve();
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
        trace.add(what);
    }

    // --- the sides

    /** A part of the network: an owner and its backups. */
    private final class Side {
        IntegerPool owner;
        /** What is answered they both have; of the rest, each its own share. */
        final List<IntegerPool> backups = new ArrayList<>();
        /** Which members they are. */
        final List<UUID> backupIds = new ArrayList<>(List.of(newMember(), newMember()));
        /** A backup that is on another side, which the owner has not noticed: it waits for it in vain. */
        @Nullable
        UUID missedBackup;

        UUID ownerId = newMember();
        boolean hasQuorum = true;
        /** The periods, one on its own after the other, whose pieces it may give to nobody else. */
        final Set<Integer> known = new HashSet<>();

        int period;

        Side(IntegerPool owner) {
            this.owner = owner;
            synchronise();
            begin();
        }

        private OwnerContext context() {
            return new OwnerContext(ownerId, backupIds, now, Long.MAX_VALUE);
        }

        private void begin() {
            period = ++periods;
            known.add(period);
        }

        private UUID newMember() {
            return new UUID(random.nextLong(), random.nextLong());
        }

        /** Whether nothing is given, since the side knows that it is below the quorum. */
        boolean isStopped() {
            return isProtected && !hasQuorum && missedBackup == null;
        }

        /** The backup is on another side; another member takes its place. */
        void notice() {
            UUID missed = missedBackup;
            if (missed != null) {
                note(this + " notices that a backup is gone");
                backupIds.set(backupIds.indexOf(missed), newMember());
                missedBackup = null;
            }
        }

        private void promote(IntegerPool copy, UUID member) {
            missedBackup = null;
            ownerId = member;
            if (backupIds.remove(member)) {
                backupIds.add(newMember());
            }
            long epoch = random.nextLong();
            if (copy.snapshotFor(0).lifecycle().definition() == null) {
                owner = new IntegerPool(NAME); // No replica has one for a name that was never created.
            } else {
                copy.promoted(1, member, epoch, now, 0);
                owner = copy;
            }
            synchronise();
        }

        private void synchronise() {
            backups.clear();
            backups.add(IntegerPool.of(owner.snapshotFor(1)));
            backups.add(IntegerPool.of(owner.snapshotFor(1)));
        }

        @Override
        public String toString() {
            return "side " + period;
        }
    }

    private void split() {
        // What a merge with a third side reports may be more than what was given.
        if (sides.size() == (isProtected ? 2 : MAX_SIDES)) {
            return;
        }
        Side one = anySide();
        one.notice();
        int first = random.nextInt(2);
        IntegerPool copy = one.backups.get(first);
        IntegerPool secondCopy = one.backups.get(1 - first);
        Side other = new Side(copy);
        other.known.addAll(one.known);
        String before = one.toString();
        boolean isOtherLarger = random.nextBoolean();
        other.hasQuorum = one.hasQuorum && isOtherLarger;
        one.hasQuorum = one.hasQuorum && !isOtherLarger;
        UUID member = one.backupIds.get(first);
        // With protection, see guarantees.md: it is not known of an owner that is gone what it answered.
        boolean isOwnerDead = chance(4) && !isProtected;
        if (isOwnerDead) {
            one.promote(secondCopy, one.backupIds.get(1 - first));
        }
        one.missedBackup = member;
        if (isOwnerDead) {
            one.notice(); // It owns the pool because of that.
        }
        one.synchronise();
        one.begin();
        other.promote(copy, member);
        sides.add(other);
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
        IntegerPool successor = side.backups.get(index);
        // As above; and which member would have heard of a name that is not there is known of its first owner only.
        boolean isCreated = successor.snapshotFor(0).lifecycle().definition() != null;
        if (isProtected && (!side.hasQuorum || !isCreated)) {
            return;
        }
        side.notice();
        note("the owner of " + side + " crashes");
        side.promote(successor, side.backupIds.get(index));
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
        String before = winning.toString();
        Snapshot<PoolDefinition, RememberedReply> lost = losing.owner.snapshotFor(0);
        List<PossibleDuplicateIntegers> found = watch.merge(
                        winning.owner, lost, () -> winning.owner.merge(lost, random.nextLong(), now))
                .answer();
        winning.hasQuorum |= losing.hasQuorum;
        winning.notice();
        winning.synchronise();
        reported.addAll(found);
        winning.known.addAll(losing.known);
        winning.begin();
        note(losing + " is merged into " + before + ", which becomes " + winning + ": " + found);
        holders.stream().filter(holder -> holder.side == losing).forEach(holder -> holder.comeOver(winning));
    }

    /** Runs an operation of an owner; returns null if the holder gets no answer. */
    private <T> @Nullable T ask(
            Holder holder,
            boolean isGiving,
            Function<IntegerPool, Decision<T, Snapshot<PoolDefinition, RememberedReply>>> operation) {
        Side side = holder.side;
        if (chance(4)) {
            side.notice();
        }
        if (isGiving && side.isStopped()) {
            return null;
        }
        Decision<T, Snapshot<PoolDefinition, RememberedReply>> decision;
        try {
            decision = operation.apply(side.owner);
        } catch (SnowcastException | BlockStoreException e) {
            holder.incarnation = 0;
            return null;
        }
        Snapshot<PoolDefinition, RememberedReply> change = decision.change();
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

    /** A block that a holder was given, without what it gave back. */
    private static final class Piece {
        final Holder holder;
        final int period;

        @Nullable
        Block block;

        Piece(Holder holder, int period, Block block) {
            this.holder = holder;
            this.period = period;
            this.block = block;
        }

        boolean overlaps(Piece other) {
            return block != null
                    && other.block != null
                    && block.first() <= other.block.last()
                    && other.block.first() <= block.last();
        }

        @Override
        public String toString() {
            return block + " of " + holder + " by side " + period;
        }
    }

    private final class Holder {
        final int number;
        final UUID id = new UUID(random.nextLong(), random.nextLong());
        Side side = sides.get(0);
        long incarnation;
        long requestNumber;
        long highestGiven = -1;

        @Nullable
        ReserveRequest unanswered;

        @Nullable
        Piece last;

        long version;

        Holder(int number) {
            this.number = number;
        }

        void reserve() {
            ReserveRequest again = unanswered;
            if (again == null || again.incarnation() != incarnation) {
                again = newRequest();
            }
            ReserveRequest request = again;
            unanswered = request;
            Optional<Reservation> answer = ask(this, true, pool -> pool.reserve(request, side.context()));
            if (answer != null) {
                Reservation reservation = answer.orElse(new Reservation(0, null, 0));
                unanswered = null;
                incarnation = reservation.incarnation();
                version = reservation.version();
                if (reservation.block() != null) {
                    given(reservation.block());
                }
            }
        }

        private ReserveRequest newRequest() {
            int size = incarnation == 0 ? 0 : 1 + random.nextInt(10);
            return new ReserveRequest(
                    NAME,
                    definition,
                    incarnation,
                    id,
                    incarnation == 0 ? 0 : ++requestNumber,
                    size,
                    highestGiven,
                    null);
        }

        private void given(Block block) {
            note(this + " is given " + block + " on " + side);
            highestGiven = Math.max(highestGiven, block.last());
            Piece piece = new Piece(this, side.period, block);
            for (Piece other : pieces) {
                if (side.known.contains(other.period) && piece.overlaps(other)) {
                    throw new AssertionError("given anew: " + piece + ", but before: " + other);
                }
            }
            pieces.add(piece);
            last = piece;
        }

        void giveBack() {
            Piece piece = last;
            last = null;
            if (piece == null || piece.block == null) {
                return;
            }
            Block block = piece.block;
            long used = random.nextLong(block.count());
            Block rest = block.part(used, block.count());
            piece.block = used == 0 ? null : block.part(0, used);
            note(this + " gives back " + rest + " on " + side);
            Long kept =
                    ask(this, false, pool -> pool.giveBack(new GiveBackRequest(NAME, incarnation, id, rest, version)));
            note("  " + (kept == null ? "not answered" : kept == GiveBackRequest.REFUSED ? "refused" : "taken back"));
        }

        void destroy() {
            boolean mayDestroy = !isProtected || (side.hasQuorum && side.missedBackup == null);
            if (incarnation != 0 && mayDestroy && chance(3)) {
                note(this + " destroys it on " + side);
                note("  " + side.owner.destroy(incarnation, side.context()).answer() + " " + definition);
                side.synchronise();
            }
        }

        void comeOver(Side other) {
            if (other != side) {
                note(this + " comes over from " + side + " to " + other);
                side = other;
                last = null;
            }
        }

        @Override
        public String toString() {
            return "h" + number;
        }
    }

    // --- what must hold

    private void checkReports() {
        if (isProtected && !reported.isEmpty()) {
            throw new AssertionError("reported, though one side only has answered: " + reported);
        }
        for (int i = 0; i < pieces.size(); i++) {
            for (Piece other : pieces.subList(0, i)) {
                if (pieces.get(i).overlaps(other)) {
                    duplicates++;
                    checkReported(pieces.get(i), other);
                }
            }
        }
    }

    private void checkReported(Piece one, Piece other) {
        Block first = one.block;
        Block second = other.block;
        if (first == null || second == null) {
            return;
        }
        for (long integer = Math.max(first.first(), second.first());
                integer <= Math.min(first.last(), second.last());
                integer++) {
            long twice = integer;
            if (reported.stream().noneMatch(each -> each.first() <= twice && twice <= each.last())) {
                throw new AssertionError("not reported: " + twice + " of " + one + " and " + other);
            }
        }
    }
}
