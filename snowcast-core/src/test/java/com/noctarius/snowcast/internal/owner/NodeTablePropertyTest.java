// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests random schedules of holders, messages, owners and clocks: no two grants may include the same ID. The message of
 * a failure contains the seed, which {@code -Dsnowcast.seed=} repeats.
 */
@Tag("integration")
class NodeTablePropertyTest {
    private static final long START = 1_700_000_000_000L;
    private static final long LEASE = 1_000;
    private static final long SKEW = 200;
    private static final long MAX_OWNER_OFFSET = 50;
    private static final TableRules RULES =
            new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 2 * MAX_OWNER_OFFSET, 0, 8_191);
    private static final int BACKUPS = 2;
    private static final int REPLICAS = 4;
    /** An ID whose time is half a second after the start. */
    private static final long START_ABOVE = 100_500L << 3;

    private static final List<Definition> DEFINITIONS = List.of(
            definition(0, 2, 1),
            definition(0, 1, 2),
            definition(0, 1, 0),
            definition(300, 2, 2),
            definition(-90, 3, 0),
            new Definition(START - 100_000, new SnowcastLayout(41, 2, 1), BACKUPS, START_ABOVE));

    private static Definition definition(long epochShift, int nodeBits, int counterBits) {
        return new Definition(
                START - 100_000 + epochShift, new SnowcastLayout(41, nodeBits, counterBits), BACKUPS, null);
    }

    private enum Faults {
        /** Cluster time jumps both ways; owners move gracefully. */
        CLUSTER_CLOCK,
        /** Owners crash in the middle of operations; copies that lack some node IDs are promoted. */
        OWNERS,
        /**
         * Owners crash in the middle of operations, even directly after a promotion, and their clocks may be far apart.
         * Only complete copies are promoted.
         */
        OWNERS_WITH_ANY_CLOCK,
        /** Like {@link #OWNERS}, and all copies may be lost at once. All incarnations have the same definition. */
        ALL_REPLICAS;

        /**
         * Returns the states that the schedules must reach. The states of merges are not among them, because a merge
         * needs several sides: see {@link SplitSchedule}.
         */
        Set<TableState> states() {
            Set<TableState> states =
                    EnumSet.range(TableState.ATTACH_TO_DESTROYED_LIFE, TableState.PROMOTED_BEHIND_CHANGES);
            // These two states need two incarnations, one of them lost: see NodeTableMergeTest and NodeTableTest.
            states.remove(TableState.RENEWAL_WITH_OTHER_DEFINITION);
            states.remove(TableState.RENEWAL_WITHOUT_LIFE);
            if (this == ALL_REPLICAS) {
                states.remove(TableState.ATTACH_WITH_OTHER_DEFINITION);
            } else {
                states.removeAll(OF_LOST_LIVES);
            }
            if (this == CLUSTER_CLOCK || this == OWNERS_WITH_ANY_CLOCK) {
                states.removeAll(OF_LOSSES);
            }
            if (this != OWNERS_WITH_ANY_CLOCK) {
                states.removeAll(OF_OTHER_CLOCKS);
            }
            states.remove(this == CLUSTER_CLOCK ? TableState.DESTRUCTION_UNDONE : TableState.RENEWAL_OF_FORMER_GRANT);
            return states;
        }

        private static final Set<TableState> OF_LOST_LIVES =
                EnumSet.of(TableState.LOST_LIFE_GOES_ON, TableState.TAKEN_OVER_WITH_LIFE);

        private static final Set<TableState> OF_LOSSES = EnumSet.of(
                TableState.ATTACH_WHILE_RECOVERING,
                TableState.FLOOR_OF_TABLE_ABOVE_NODE,
                TableState.GRANTED_FROM_RECOVERY_TIME,
                TableState.RENEWAL_NOT_OF_LOST_TABLE,
                TableState.TAKEN_OVER_AFTER_LOSS,
                TableState.CHANGE_OF_OTHER_EPOCH,
                TableState.COPY_OF_NEW_EPOCH,
                TableState.PROMOTED_INCOMPLETE,
                TableState.PROMOTED_BEYOND_BACKUPS);

        /** States in which an owner's clock is behind the clock of the previous owner. */
        private static final Set<TableState> OF_OTHER_CLOCKS =
                EnumSet.of(TableState.COPY_REPLACED_BY_LOWER, TableState.PROMOTED_BEHIND_CHANGES);
    }

    @ParameterizedTest
    @EnumSource
    void noIdCanBeIssuedTwiceAndAllNodeIdsComeFree(Faults faults) {
        Long repeated = Long.getLong("snowcast.seed");
        long first = repeated == null ? 1 : repeated;
        int rounds = repeated == null ? 1_000 : 1;
        int grants = 0;
        Reached<TableState> reached = new Reached<>(TableState.class);
        for (long seed = first; seed < first + rounds; seed++) {
            Schedule schedule = new Schedule(seed, faults, new TableWatch(reached));
            try {
                schedule.run(600);
                schedule.checkThatAllNodeIdsComeFree();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(faults + ": repeat with -Dsnowcast.seed=" + seed, e);
            }
            grants += schedule.uses.size();
        }
        assertThat(grants).as("grants of all schedules").isGreaterThan(5 * rounds);
        System.out.println(faults + ": " + grants + " grants, " + reached);
        reached.require(faults.states());
    }

    /** The timestamps that a holder may use, according to the answers that it has received. */
    private static final class Use {
        final Definition definition;
        final Grant grant;
        long ceiling;
        long last;
        boolean sealed;

        Use(Definition definition, Grant grant) {
            this.definition = definition;
            this.grant = grant;
            this.ceiling = grant.ceiling();
            this.last = grant.floor() - 1;
        }

        long end() {
            return sealed ? last + 1 : ceiling;
        }

        long firstId() {
            return definition.layout().compose(grant.floor(), grant.logicalNodeId(), 0);
        }

        long lastId() {
            SnowcastLayout layout = definition.layout();
            return layout.compose(end() - 1, grant.logicalNodeId(), layout.idsPerMillisecond() - 1);
        }

        boolean sharesAnIdWith(Use other) {
            if (grant.floor() >= end() || other.grant.floor() >= other.end()) {
                return false;
            }
            if (definition.equals(other.definition)) {
                return grant.logicalNodeId() == other.grant.logicalNodeId()
                        && grant.floor() < other.end()
                        && other.grant.floor() < end();
            }
            return Long.compareUnsigned(firstId(), other.lastId()) <= 0
                    && Long.compareUnsigned(other.firstId(), lastId()) <= 0;
        }

        @Override
        public String toString() {
            return definition + " " + grant + " last " + last + " ceiling " + ceiling + (sealed ? " sealed" : "");
        }
    }

    private static final class Holder {
        final UUID id;
        Definition definition;
        long clockOffset;
        long incarnation;
        long requestNumber;
        /** The highest timestamp that a sealed grant of this holder has used. */
        long lastIdTime = -1;

        @Nullable
        Use use;

        Holder(UUID id, Definition definition) {
            this.id = id;
            this.definition = definition;
        }

        Requester requester(long now) {
            return new Requester(id, now + clockOffset, definition, incarnation, 0, lastIdTime);
        }
    }

    private static final class Schedule {
        private final Random random;
        private final Faults faults;
        private final TableWatch watch;
        private final List<Runnable> messages = new ArrayList<>();
        private final List<Holder> holders = new ArrayList<>();
        private final List<Use> uses = new ArrayList<>();
        private final Set<Long> incarnations = new HashSet<>();

        /** The owner's table, followed by the copies of the other replicas; null if a replica has no copy yet. */
        private final @Nullable ReplicatedTable[] replicas = new @Nullable ReplicatedTable[REPLICAS];

        private long now = START;
        private long latest = START;
        private long ownerOffset;
        private UUID sender = new UUID(0, 0);

        Schedule(long seed, Faults faults, TableWatch watch) {
            this.random = new Random(seed);
            this.faults = faults;
            this.watch = watch;
            replicas[0] = new ReplicatedTable(Requester.NAME, random.nextLong());
            for (int i = 0; i < 6; i++) {
                holders.add(newHolder());
            }
        }

        private Holder newHolder() {
            int kinds = faults == Faults.ALL_REPLICAS ? 1 : DEFINITIONS.size();
            Holder holder =
                    new Holder(new UUID(random.nextLong(), random.nextLong()), DEFINITIONS.get(random.nextInt(kinds)));
            holder.clockOffset = random.nextInt(3) == 0 ? random.nextLong(-3 * SKEW, 3 * SKEW) : 0;
            return holder;
        }

        void run(int steps) {
            for (int i = 0; i < steps; i++) {
                step();
            }
        }

        private void step() {
            now += random.nextInt(random.nextInt(30) == 0 ? 1_500 : 30);
            latest = Math.max(latest, now + ownerOffset);
            int index = random.nextInt(holders.size());
            Holder holder = holders.get(index);
            switch (random.nextInt(24)) {
                case 0 -> holders.set(index, newHolder());
                case 1 -> holder.clockOffset += random.nextLong(-2 * SKEW, 2 * SKEW);
                case 2 -> breakSomething();
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        destroy();
                    } else {
                        watch.forgetDestroyed(owner(), clusterNow());
                    }
                }
                case 4, 5 -> detach(holder);
                case 6, 7, 8 -> attach(holder);
                case 9, 10, 11, 12 -> renew(holder);
                case 13, 14 -> synchronise(1 + random.nextInt(REPLICAS - 1));
                default -> deliver();
            }
        }

        private void deliver() {
            if (messages.isEmpty()) {
                return;
            }
            int index = random.nextInt(messages.size());
            int fate = random.nextInt(10);
            Runnable message = fate == 0 ? messages.get(index) : messages.remove(index);
            if (fate != 1) {
                message.run();
            }
        }

        // --- holders

        private void attach(Holder holder) {
            if (holder.use != null && !holder.use.sealed) {
                if (random.nextInt(4) != 0) {
                    return;
                }
                seal(holder, holder.use); // The detach is lost.
            }
            Definition present = owner().definition();
            if (present != null && random.nextInt(8) != 0) {
                holder.definition = present;
            }
            holder.incarnation = random.nextBoolean() ? holder.incarnation : 0;
            // The owner rejects clocks that are far from cluster time. In most requests, the holder's clock is
            // therefore cluster time plus the holder's offset, which is often 0.
            long clock = random.nextInt(4) == 0 ? now : clusterNow();
            AttachRequest request = holder.requester(clock).attach(++holder.requestNumber);
            messages.add(() -> ask(
                    table -> watch.attach(table, request, clusterNow(), RULES),
                    reply -> granted(holder, request, reply.orElse(null))));
        }

        private void granted(Holder holder, AttachRequest request, @Nullable Grant grant) {
            if (grant == null) {
                return;
            }
            boolean expected = holder.requestNumber == request.requestNumber()
                    && (holder.use == null || holder.use.sealed)
                    && uses.stream().noneMatch(use -> use.grant.token().equals(grant.token()));
            if (expected) {
                holder.use = new Use(request.definition(), grant);
                holder.incarnation = grant.incarnation();
                incarnations.add(grant.incarnation());
                uses.add(holder.use);
                Long above = request.definition().startAbove();
                assertThat(above == null || holder.use.firstId() > above)
                        .as("%s", grant)
                        .isTrue();
                check(holder.use);
            }
        }

        private void renew(Holder holder) {
            Use use = holder.use;
            if (use == null || use.sealed) {
                return;
            }
            use.last = random.nextLong(use.last, use.ceiling);
            RenewRequest request = holder.requester(now).renew(use.grant, use.ceiling);
            messages.add(() -> ask(
                    table -> watch.renew(table, request, clusterNow(), RULES), reply -> renewed(holder, use, reply)));
        }

        private void renewed(Holder holder, Use use, RenewReply reply) {
            if (use.sealed) {
                return;
            }
            if (reply.outcome() == Outcome.RENEWED) {
                use.ceiling = Math.max(use.ceiling, reply.ceiling());
                check(use);
                return;
            }
            seal(holder, use);
            if (reply.outcome() == Outcome.DESTROYED) {
                giveBack(use);
                holder.incarnation = 0;
            }
        }

        private void detach(Holder holder) {
            Use use = holder.use;
            if (use != null && !use.sealed) {
                seal(holder, use);
                giveBack(use);
            }
        }

        private void giveBack(Use use) {
            DetachRequest request = Requester.detach(use.grant, use.last);
            messages.add(() -> ask(table -> watch.detach(table, request), done -> {}));
        }

        private void seal(Holder holder, Use use) {
            use.last = random.nextLong(use.last, use.ceiling);
            use.sealed = true;
            holder.lastIdTime = Math.max(holder.lastIdTime, use.last);
        }

        private void destroy() {
            if (incarnations.isEmpty()) {
                return;
            }
            List<Long> known = List.copyOf(incarnations);
            long present = owner().lifecycle.incarnation();
            long incarnation = random.nextBoolean() ? present : known.get(random.nextInt(known.size()));
            messages.add(() -> ask(table -> watch.destroy(table, incarnation, clusterNow()), reply -> {
                if (reply) {
                    holders.forEach(holder -> sealIfReached(holder, incarnation));
                }
            }));
        }

        private void sealIfReached(Holder holder, long incarnation) {
            Use use = holder.use;
            boolean reached = random.nextInt(4) != 0;
            if (use != null && reached && use.grant.incarnation() == incarnation && !use.sealed) {
                seal(holder, use);
                if (random.nextInt(4) != 0) {
                    giveBack(use);
                }
                holder.incarnation = 0;
                holder.definition = newHolder().definition;
            }
        }

        // --- the cluster

        private NodeTable owner() {
            return ownersReplica().table();
        }

        private ReplicatedTable ownersReplica() {
            return Objects.requireNonNull(replicas[0]);
        }

        private long clusterNow() {
            return now + ownerOffset;
        }

        /**
         * Executes an operation on the owner. Unless the owner crashes, it answers when all replicas have accepted the
         * change.
         */
        private <T> void ask(Function<NodeTable, Decision<T>> operation, Consumer<T> answer) {
            Decision<T> decision;
            try {
                decision = operation.apply(owner());
            } catch (SnowcastException e) {
                return;
            }
            if (decision.answered() == null) {
                return;
            }
            Set<Integer> changed = decision.changed();
            if (changed == null) {
                messages.add(() -> answer.accept(decision.answer()));
                return;
            }
            Snapshot change = ownersReplica().change(changed);
            boolean crashes = faults != Faults.CLUSTER_CLOCK && random.nextInt(40) == 0;
            boolean acknowledged = true;
            for (int replica = 1; replica < REPLICAS; replica++) {
                if (!crashes || random.nextBoolean()) {
                    acknowledged &= join(replica, change.forReplica(replica));
                }
            }
            if (crashes) {
                crash();
            } else if (acknowledged) {
                messages.add(() -> answer.accept(decision.answer()));
            }
        }

        private boolean join(int replica, Snapshot snapshot) {
            ReplicatedTable copy = replicas[replica];
            if (copy == null) {
                replicas[replica] = Copies.of(snapshot);
                return true;
            }
            try {
                watch.join(copy, snapshot, sender, true);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        private void synchronise(int replica) {
            join(replica, ownersReplica().snapshotFor(replica));
        }

        private void breakSomething() {
            switch (faults) {
                case CLUSTER_CLOCK -> {
                    ownerOffset = random.nextBoolean() ? 0 : random.nextLong(-3 * LEASE, 3 * LEASE);
                    replicas[0] = Copies.of(ownersReplica().snapshotFor(0));
                }
                case OWNERS -> {
                    moveCopy();
                    crash();
                }
                case OWNERS_WITH_ANY_CLOCK -> crash();
                case ALL_REPLICAS -> {
                    moveCopy();
                    if (random.nextInt(3) == 0) {
                        Arrays.fill(replicas, null);
                    }
                    crash();
                }
            }
        }

        /**
         * In one of four cases, moves a backup's copy to a place beyond the backup count. The replica that takes its
         * place gets a full copy.
         */
        private void moveCopy() {
            if (random.nextInt(4) == 0) {
                ReplicatedTable copy = replicas[BACKUPS];
                replicas[BACKUPS] = replicas[BACKUPS + 1];
                replicas[BACKUPS + 1] = copy;
                synchronise(BACKUPS);
            }
        }

        /**
         * Lets the owner crash, and sometimes also the replicas after it, if the faults permit the loss. The first
         * replica that is left becomes the owner, usually some time later, and the others move up.
         */
        private void crash() {
            boolean anyClock = faults == Faults.OWNERS_WITH_ANY_CLOCK;
            now += anyClock ? 0 : 2 * MAX_OWNER_OFFSET;
            ownerOffset = anyClock ? random.nextLong(-3 * LEASE, 3 * LEASE) : random.nextLong(MAX_OWNER_OFFSET);
            int from = 1 + (random.nextInt(6) == 0 ? random.nextInt(anyClock ? BACKUPS : REPLICAS - 1) : 0);
            ReplicatedTable next = replicas[from];
            // Only ALL_REPLICAS may lose all copies. OWNERS_WITH_ANY_CLOCK may lose no node IDs, because the wait after
            // a loss relies on clocks.
            if (next == null ? faults != Faults.ALL_REPLICAS : anyClock && !next.isComplete()) {
                return;
            }
            for (int replica = 0; replica < REPLICAS; replica++) {
                replicas[replica] = replica + from < REPLICAS ? replicas[replica + from] : null;
            }
            sender = new UUID(random.nextLong(), 0);
            ReplicatedTable promoted = replicas[0];
            if (promoted != null) {
                watch.promoting(promoted, from, clusterNow());
                promoted.becomeOwner(from, random.nextLong(), clusterNow(), clusterNow() + RULES.lossWaitMillis());
            } else {
                promoted = new ReplicatedTable(Requester.NAME, random.nextLong());
                promoted.table().startWait(random.nextLong(), clusterNow() + RULES.lossWaitMillis());
                replicas[0] = promoted;
            }
        }

        // --- invariants

        private void check(Use changed) {
            for (Use other : uses) {
                if (other != changed && changed.sharesAnIdWith(other)) {
                    throw new AssertionError("one ID in two grants: " + changed + ", " + other);
                }
            }
        }

        void checkThatAllNodeIdsComeFree() {
            now = latest + LEASE + 2 * SKEW + RULES.lossWaitMillis();
            ownerOffset = 0;
            Definition definition = owner().definition();
            if (definition == null) {
                return;
            }
            Set<Integer> nodes = new HashSet<>();
            for (int i = 0; i < definition.layout().logicalNodeCount(); i++) {
                Grant grant = owner().attach(new Requester(i, now, definition).attach(1), now, RULES)
                        .answer()
                        .orElse(null);
                nodes.add(Objects.requireNonNull(grant).logicalNodeId());
            }
            assertThat(nodes).hasSize(definition.layout().logicalNodeCount());
        }
    }
}
