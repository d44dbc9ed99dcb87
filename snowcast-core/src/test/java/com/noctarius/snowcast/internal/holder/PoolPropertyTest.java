// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.IntegerPool;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.PoolState;
import com.noctarius.snowcast.internal.owner.PoolWatch;
import com.noctarius.snowcast.internal.owner.Reached;
import com.noctarius.snowcast.internal.owner.RememberedReply;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TestOwner;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of holders, lost answers, late copies of messages, owners that crash in the middle, losses and
 * splits, with the real pools and the real holders. A schedule that failed is repeated with {@code -Dsnowcast.seed=}.
 */
@Tag("integration")
class PoolPropertyTest {
    private static final String NAME = "orders";
    private static final int BACKUPS = 2;
    private static final int REPLICAS = 4;
    private static final int MAX_SIZE = 20;
    private static final int ROUNDS = 2_000;

    @Test
    void noIntegerIsHandedOutTwice() {
        Long repeated = Long.getLong("snowcast.seed");
        long first = repeated == null ? 1 : repeated;
        int rounds = repeated == null ? ROUNDS : 1;
        long handedOut = 0;
        int losses = 0;
        int merges = 0;
        int givenBack = 0;
        Reached<PoolState> reached = new Reached<>(PoolState.class);
        for (long seed = first; seed < first + rounds; seed++) {
            Schedule schedule = new Schedule(seed, new PoolWatch(reached));
            try {
                schedule.run(300);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("repeat with -Dsnowcast.seed=" + seed, e);
            }
            handedOut += schedule.used.cardinality();
            losses += schedule.losses;
            merges += schedule.merges;
            givenBack += schedule.givenBack;
        }
        System.out.println(handedOut + " integers, " + reached);
        if (repeated == null) {
            reached.require(states());
            assertThat(handedOut).isGreaterThan(100L * rounds);
            assertThat(losses).isGreaterThan(rounds / 2);
            assertThat(merges).isGreaterThan(rounds / 2);
            assertThat(givenBack).isGreaterThan(rounds);
        }
    }

    /**
     * A side that never heard of the sequence, and one after 16 owners, are too rare here: see
     * {@link PoolMergeFuzzTest}.
     */
    private static Set<PoolState> states() {
        Set<PoolState> states = EnumSet.range(PoolState.RESERVE_OF_DESTROYED_LIFE, PoolState.MERGED_WITH_DUPLICATES);
        states.remove(PoolState.MERGED_UNKNOWN_THERE);
        return states;
    }

    /** One side of the network. */
    private static final class Side {
        /** By index; the first is the owner's. */
        final List<PartitionContainer> replicas = new ArrayList<>();

        UUID owner = UUID.randomUUID();
        /** What its holders were given since it is on its own. */
        final BitSet handedOut = new BitSet();
    }

    private static final class Schedule {
        final Random random;
        final PoolWatch watch;
        final BitSet used = new BitSet();
        final List<Holder> holders = new ArrayList<>();
        final List<Runnable> lateCopies = new ArrayList<>();
        Side winning = new Side();

        @Nullable
        Side losing;

        long nowMillis = 1_700_000_000_000L;
        long highest;
        int losses;
        int merges;
        int givenBack;

        Schedule(long seed, PoolWatch watch) {
            this.random = new Random(seed);
            this.watch = watch;
            for (int i = 0; i < REPLICAS; i++) {
                winning.replicas.add(new PartitionContainer());
            }
        }

        IntegerSequenceConfig.Builder config() {
            return IntegerSequenceConfig.builder(NAME).lastValue(Long.MAX_VALUE).backupCount(BACKUPS);
        }

        boolean chance(int oneIn) {
            return random.nextInt(oneIn) == 0;
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                nowMillis += random.nextInt(100) - 20;
                switch (random.nextInt(20)) {
                    case 0 -> addHolder();
                    case 1 -> crash(random.nextBoolean() ? winning : sideOf(null), 1 + random.nextInt(BACKUPS));
                    case 2 -> lateCopy();
                    case 3 -> lose();
                    case 4 -> split();
                    case 5 -> merge();
                    case 6 -> destroy();
                    case 7, 8, 9 -> giveBack();
                    default -> reserve();
                }
            }
        }

        Side sideOf(@Nullable Holder holder) {
            Side other = losing;
            return other != null && (holder == null || holder.isOnLosingSide) ? other : winning;
        }

        // --- holders

        void addHolder() {
            if (holders.size() < 6) {
                Holder holder = new Holder(losing != null && random.nextBoolean());
                if (holder.opens(null)) {
                    holders.add(holder);
                }
            } else {
                holders.remove(random.nextInt(holders.size()));
            }
        }

        void reserve() {
            if (!holders.isEmpty()) {
                Holder holder = holders.get(random.nextInt(holders.size()));
                holder.reserve();
                if (holder.store.isDestroyed()) {
                    holders.remove(holder);
                }
            }
        }

        void giveBack() {
            if (!holders.isEmpty()) {
                holders.get(random.nextInt(holders.size())).giveBack();
            }
        }

        void destroy() {
            if (chance(5) && !holders.isEmpty()) {
                Holder holder = holders.get(random.nextInt(holders.size()));
                try {
                    onOwner(
                            sideOf(holder),
                            true,
                            pool -> watch.destroy(pool, holder.store.incarnation(), TestOwner.at(nowMillis)));
                } catch (SnowcastException e) {
                    // It crashed.
                }
            }
        }

        void lateCopy() {
            if (!lateCopies.isEmpty()) {
                Runnable copy = lateCopies.get(random.nextInt(lateCopies.size()));
                try {
                    copy.run();
                } catch (SnowcastException | BlockStoreException e) {
                    // Nobody hears of it.
                }
            }
        }

        void add(Holder holder, Block block) {
            Side side = sideOf(holder);
            for (long i = 0; i < block.count(); i++) {
                int integer = (int) block.at(i);
                boolean isElsewhere = losing != null && (side == winning ? losing : winning).handedOut.get(integer);
                if (used.get(integer) && !isElsewhere) {
                    throw new AssertionError(integer + " of " + block + " was handed out before");
                }
                if (side.handedOut.get(integer)) {
                    throw new AssertionError(integer + " of " + block + " was handed out before on the same side");
                }
                used.set(integer);
                side.handedOut.set(integer);
            }
            highest = Math.max(highest, block.last());
        }

        void remove(Holder holder, Block rest) {
            for (long i = 0; i < rest.count(); i++) {
                int integer = (int) rest.at(i);
                sideOf(holder).handedOut.clear(integer);
                boolean isElsewhere =
                        losing != null && (sideOf(holder) == winning ? losing : winning).handedOut.get(integer);
                used.set(integer, isElsewhere);
            }
        }

        /** What a sequence of one process does with its store. */
        private final class Holder implements PoolCoordinator {
            final ClusterBlockStore store = new ClusterBlockStore(NAME, definition(), this);
            boolean isOnLosingSide;

            @Nullable
            Block last;

            Holder(boolean isOnLosingSide) {
                this.isOnLosingSide = isOnLosingSide;
            }

            boolean opens(ReserveRequest.@Nullable AfterLoss afterLoss) {
                try {
                    store.open(afterLoss);
                    return true;
                } catch (IntegerSequenceNotLostException | IntegerSequenceUnknownException e) {
                    return true; // A former try had its effect, and its answer was lost; or it is known to be
                    // destroyed.
                } catch (SnowcastException | BlockStoreException e) {
                    return false;
                }
            }

            void reserve() {
                try {
                    Block block = store.reserve(NAME, 1 + random.nextInt(MAX_SIZE));
                    add(this, block);
                    last = block;
                } catch (SnowcastException | BlockStoreException e) {
                    // The next one.
                }
            }

            void giveBack() {
                Block block = last;
                if (block != null) {
                    Block rest = block.part(random.nextInt((int) block.count()), block.count());
                    last = null;
                    remove(this, rest);
                    try {
                        store.giveBack(NAME, rest);
                    } catch (BlockStoreException e) {
                        // A gap, or not.
                    }
                }
            }

            @Override
            public @Nullable Reservation reserve(ReserveRequest request) {
                Side side = sideOf(this);
                remember(() ->
                        onOwner(present(side), false, pool -> watch.reserve(pool, request, TestOwner.at(nowMillis))));
                return onOwner(side, true, pool -> watch.reserve(pool, request, TestOwner.at(nowMillis)))
                        .orElse(null);
            }

            @Override
            public long giveBack(GiveBackRequest request) {
                Side side = sideOf(this);
                remember(() -> onOwner(present(side), false, pool -> watch.giveBack(pool, request)));
                long version = onOwner(side, true, pool -> watch.giveBack(pool, request));
                givenBack += version == GiveBackRequest.REFUSED ? 0 : 1;
                return version;
            }

            @Override
            public void destroyIntegers(String name, long incarnation) {
                throw new AssertionError("not by a holder");
            }
        }

        PoolDefinition definition() {
            return PoolDefinition.of(config().build(), () -> BACKUPS);
        }

        /** Where a message arrives that was sent on a side. */
        Side present(Side sent) {
            return sent == losing ? sent : winning;
        }

        void remember(Runnable copy) {
            if (chance(2)) {
                lateCopies.add(copy);
            }
            if (lateCopies.size() > 50) {
                lateCopies.remove(random.nextInt(50));
            }
        }

        // --- the cluster

        private interface Change<T> {
            Decision<T, Snapshot<PoolDefinition, RememberedReply>> of(IntegerPool pool);
        }

        /** Runs a change on the owner of a side, with all that may go wrong on the way there and back. */
        <T> T onOwner(Side side, boolean withFaults, Change<T> change) {
            if (withFaults && chance(20)) {
                throw new SnowcastException("the request was lost");
            }
            PartitionContainer owner = side.replicas.get(0);
            IntegerPool pool = owner.pool(NAME);
            Decision<T, Snapshot<PoolDefinition, RememberedReply>> decision = change.of(pool);
            Snapshot<PoolDefinition, RememberedReply> changed = decision.change();
            if (changed != null) {
                owner.put(NAME, pool);
            }
            ContainerSnapshot snapshot = owner.snapshot(List.of(), changed == null ? List.of() : List.of(changed));
            boolean crashes = withFaults && chance(20);
            for (int index = 1; index < side.replicas.size(); index++) {
                if (!crashes || random.nextBoolean()) {
                    side.replicas.get(index).join(snapshot.forReplica(index), side.owner, true);
                }
            }
            if (crashes) {
                crash(side, 1 + random.nextInt(BACKUPS));
                throw new SnowcastException("the owner crashed");
            }
            if (withFaults && chance(10)) {
                throw new SnowcastException("the answer was lost");
            }
            return decision.answer();
        }

        /**
         * The owner and maybe some backups go. The first that is left takes over, whatever its clock shows; the others
         * keep what they have, and are brought up to date.
         */
        void crash(Side side, int successor) {
            PartitionContainer promoted = side.replicas.get(successor);
            long clusterMillis = nowMillis + random.nextInt(2_000) - 1_000;
            for (Snapshot<PoolDefinition, RememberedReply> copy :
                    promoted.snapshotFor(0).pools()) {
                watch.promoting(copy, successor, clusterMillis);
            }
            promoted.promoted(successor, new UUID(0, 1), random.nextLong(), clusterMillis, 0);
            side.owner = UUID.randomUUID();
            List<PartitionContainer> left = List.copyOf(side.replicas.subList(successor, side.replicas.size()));
            side.replicas.clear();
            side.replicas.add(promoted);
            for (int index = 1; index < REPLICAS; index++) {
                PartitionContainer copy = index < left.size() ? left.get(index) : new PartitionContainer();
                copy.join(promoted.snapshotFor(index), side.owner, true);
                side.replicas.add(copy);
            }
        }

        /** A backup's copy is one of those beyond the backups from now on, and the other way round. */
        void moveCopy() {
            Collections.swap(winning.replicas, BACKUPS, BACKUPS + 1);
            winning.replicas.get(BACKUPS).join(winning.replicas.get(0).snapshotFor(BACKUPS), winning.owner, true);
        }

        void lose() {
            if (!chance(4) || losing != null) {
                return;
            }
            losses++;
            if (random.nextBoolean()) {
                if (random.nextBoolean()) {
                    moveCopy();
                }
                crash(winning, BACKUPS + 1);
            } else {
                winning.replicas.set(1, PartitionContainer.lost(nowMillis, nowMillis));
                crash(winning, 1);
            }
            for (Holder holder : holders) {
                PartitionContainer owner = winning.replicas.get(0);
                IntegerPool pool = owner.pool(NAME);
                try {
                    ReserveRequest request = new ReserveRequest(
                            NAME, definition(), holder.store.incarnation(), UUID.randomUUID(), 1, 1, -1, null);
                    if (watch.reserve(pool, request, TestOwner.at(nowMillis))
                            .answer()
                            .isPresent()) {
                        throw new AssertionError("handed out after a loss");
                    }
                } catch (SnowcastException | BlockStoreException e) {
                    // Refused.
                }
            }
            Holder operator = new Holder(false);
            do {
                nowMillis += 50;
            } while (!operator.opens(new ReserveRequest.AfterLoss(highest + 1, nowMillis)));
        }

        void split() {
            if (losing != null || !chance(3)) {
                return;
            }
            Side other = new Side();
            other.replicas.addAll(List.of(
                    winning.replicas.get(1),
                    new PartitionContainer(),
                    new PartitionContainer(),
                    new PartitionContainer()));
            PartitionContainer own = new PartitionContainer();
            own.join(winning.replicas.get(0).snapshotFor(1), winning.owner, true);
            winning.replicas.set(1, own);
            winning.handedOut.clear();
            other.replicas.add(1, other.replicas.get(0));
            crash(other, 1);
            losing = other;
            for (Holder holder : holders) {
                holder.isOnLosingSide = random.nextBoolean();
            }
        }

        Decision<List<PossibleDuplicateIntegers>, Snapshot<PoolDefinition, RememberedReply>> merge(
                IntegerPool pool, Snapshot<PoolDefinition, RememberedReply> snapshot) {
            return watch.merge(pool, snapshot, () -> pool.merge(snapshot, random.nextLong(), nowMillis));
        }

        void merge() {
            Side other = losing;
            if (other == null || !chance(2)) {
                return;
            }
            merges++;
            List<PossibleDuplicateIntegers> found = new ArrayList<>();
            for (Snapshot<PoolDefinition, RememberedReply> snapshot :
                    other.replicas.get(0).snapshotFor(0).pools()) {
                found.addAll(onOwner(winning, false, pool -> merge(pool, snapshot)));
            }
            BitSet twice = (BitSet) winning.handedOut.clone();
            twice.and(other.handedOut);
            found.forEach(each -> twice.clear((int) each.first(), (int) each.last() + 1));
            if (!twice.isEmpty()) {
                throw new AssertionError("handed out by both sides and not reported: " + twice + ", but " + found);
            }
            losing = null;
            winning.handedOut.clear();
            for (Holder holder : holders) {
                if (holder.isOnLosingSide) {
                    holder.store.clusterChanged();
                    holder.last = null;
                    holder.isOnLosingSide = false;
                }
            }
        }
    }
}
