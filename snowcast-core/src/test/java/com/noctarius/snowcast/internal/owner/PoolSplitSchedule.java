// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.owner.ReserveRequest.AfterLoss;
import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of an integer sequence. What is checked:
 *
 * <ul>
 *   <li>a side hands out no integer that this side, or a side that it was merged with, has handed out before;
 *   <li>where two holders were given one integer, some merge has reported it, unless a side has lost what it handed
 *       out;
 *   <li>with split-brain protection, by which one side at most answers anything, no merge reports anything.
 * </ul>
 */
final class PoolSplitSchedule extends SplitSchedule<PoolDefinition, RememberedReply, IntegerPool> {
    private static final String NAME = "orders";
    private static final int MAX_SIDES = 3;
    private static final int STEPS = 60;
    private static final int STEPS_AFTER_LAST_MERGE = 15;

    final Reached<PoolState> reached = new Reached<>(PoolState.class);
    private final PoolWatch watch = new PoolWatch(reached);

    private final PoolDefinition definition = new PoolDefinition(1, Integer.MAX_VALUE, 1, false);
    private final List<Piece> pieces = new ArrayList<>();
    /** The periods that a side knew that has lost them: no merge reports what it handed out. */
    private final Set<Integer> forgotten = new HashSet<>();

    int losses;
    private final List<PossibleDuplicateIntegers> reported = new ArrayList<>();

    PoolSplitSchedule(long seed) {
        this(seed, false);
    }

    PoolSplitSchedule(long seed, boolean isProtected) {
        super(seed, isProtected, MAX_SIDES, STEPS, STEPS_AFTER_LAST_MERGE);
        sides.add(new Side(new IntegerPool(NAME), newOffset()));
        for (int i = 0; i < 4; i++) {
            holders.add(new PoolHolder(i));
        }
    }

    @Override
    void step() {
        switch (random.nextInt(20)) {
            case 0, 1 -> split();
            case 2 -> merge();
            case 3 -> crash(anySide());
            case 4 -> holder().comeOver(anySide());
            case 5 -> holder().destroy();
            case 6 -> anySide().synchronise();
            default -> stepAlone();
        }
    }

    @Override
    void stepAlone() {
        now += random.nextInt(100) - 20;
        PoolHolder holder = holder();
        if (chance(4)) {
            holder.giveBack();
        } else {
            holder.reserve();
        }
    }

    private PoolHolder holder() {
        return (PoolHolder) anyHolder();
    }

    // --- the sides

    @Override
    IntegerPool copyOf(Snapshot<PoolDefinition, RememberedReply> snapshot) {
        return Copies.of(snapshot);
    }

    @Override
    IntegerPool ofUnknown(Snapshot<PoolDefinition, RememberedReply> copy) {
        return new IntegerPool(NAME);
    }

    @Override
    void promote(Side side, IntegerPool copy, UUID member) {
        copy.promoted(1, member, random.nextLong(), now, 0);
        side.replace(copy);
    }

    @Override
    boolean mayCrash(Side side, IntegerPool successor) {
        return successor.snapshotFor(0).lifecycle().definition() != null;
    }

    /** After a loss an operator resumes it at once: a merge before that would take an older value over. */
    @Override
    void takeOver(Side side, IntegerPool copy, UUID member, int oneLossIn) {
        if (copy.definition() == null || isProtected || !chance(oneLossIn)) {
            side.promote(copy, member);
            return;
        }
        note(side + " loses it");
        losses++;
        forgotten.addAll(side.known);
        copy.promoted(2, member, random.nextLong(), now, 0);
        side.becomeOwnedBy(member);
        side.replace(chance(2) ? IntegerPool.unknownBefore(NAME, now) : copy);
        side.begin();
        now += 10_000; // the resumption is for losses before a moment that is over
        long first = 1 + pieces.stream().mapToLong(PoolSplitSchedule::lastOf).reduce(0, Math::max);
        note("an operator resumes it at " + first);
        side.owner.reserve(
                ReserveRequest.toOpen(NAME, definition, newId(), -1, new AfterLoss(first, now - 1)), side.context());
        side.synchronise();
    }

    private static long lastOf(Piece piece) {
        return piece.block == null ? 0 : piece.block.last();
    }

    @Override
    String unite(Side winning, Side losing) {
        Snapshot<PoolDefinition, RememberedReply> lost = losing.owner.snapshotFor(0);
        List<PossibleDuplicateIntegers> found = watch.merge(
                        winning.owner, lost, () -> winning.owner.merge(lost, random.nextLong(), now))
                .answer();
        reported.addAll(found);
        return found.toString();
    }

    @Override
    void comeOverAfterMerge(Holder holder, Side winning) {
        ((PoolHolder) holder).comeOver(winning);
    }

    @Override
    void refused(Holder holder) {
        ((PoolHolder) holder).incarnation = 0;
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

    private final class PoolHolder extends Holder {
        long incarnation;
        long requestNumber;
        long highestGiven = -1;

        @Nullable
        ReserveRequest unanswered;

        @Nullable
        Piece last;

        long version;

        PoolHolder(int number) {
            super(number);
        }

        void reserve() {
            ReserveRequest again = unanswered;
            if (again == null || again.incarnation() != incarnation) {
                again = newRequest();
            }
            ReserveRequest request = again;
            unanswered = request;
            Optional<Reservation> answer = ask(this, true, asked -> asked.owner.reserve(request, asked.context()));
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
            Long kept = ask(
                    this,
                    false,
                    asked -> asked.owner.giveBack(new GiveBackRequest(NAME, incarnation, id, rest, version)));
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
    }

    // --- what must hold

    @Override
    void checkReports() {
        if (isProtected && !reported.isEmpty()) {
            throw new AssertionError("reported, though one side only has answered: " + reported);
        }
        for (int i = 0; i < pieces.size(); i++) {
            for (Piece other : pieces.subList(0, i)) {
                Piece piece = pieces.get(i);
                boolean isForgotten = forgotten.contains(piece.period) || forgotten.contains(other.period);
                if (piece.overlaps(other) && !isForgotten) {
                    duplicates++;
                    checkReported(piece, other);
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
