// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule: a network splits into several sides and becomes one again, and the schedule records all grants of
 * the holders of one name. Each step has its own random generator, so a schedule without some of its steps is much the
 * same.
 */
abstract class SplitSchedule implements Schedules.Schedule {
    static final long START = 1_700_000_000_000L;

    /** The time within which a side notices a split. */
    static final long MAX_UNNOTICED = 1_000;

    /** The number of pairs of grants on two sides that overlap; the merges reported all of them. */
    int duplicates;

    int merges;

    /**
     * The number of requests that an owner executed in vain, because it had not noticed that a backup was on another
     * side.
     */
    int unnoticed;

    final boolean isProtected;
    final List<Side> sides = new ArrayList<>();
    final List<Holder> holders = new ArrayList<>();
    Random random;
    long now = START;
    /** When each member saw others leave, by the clock of its side. */
    private final Map<UUID, Map<UUID, Long>> removals = new HashMap<>();

    private final List<String> trace = new ArrayList<>();
    private final long seed;
    private final int maxSides;
    private final int stepCount;
    private final int stepsAfterLastMerge;
    private int periods;

    /** Creates a schedule; with protection, the side below a quorum stops as soon as it notices the split. */
    SplitSchedule(long seed, boolean isProtected, int maxSides, int stepCount, int stepsAfterLastMerge) {
        this.seed = seed;
        this.isProtected = isProtected;
        this.random = new Random(seed);
        this.maxSides = maxSides;
        this.stepCount = stepCount;
        this.stepsAfterLastMerge = stepsAfterLastMerge;
    }

    @Override
    public final int steps() {
        return stepCount + stepsAfterLastMerge;
    }

    @Override
    public final List<String> trace() {
        return trace;
    }

    @Override
    public final void run(BitSet steps) {
        for (int step = steps.nextSetBit(0); step >= 0; step = steps.nextSetBit(step + 1)) {
            random = new Random(seed * 1_000 + step);
            if (step < stepCount) {
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

    abstract void step();

    /** Runs a step that needs only one side. */
    abstract void stepAlone();

    abstract void checkReports();

    // --- replicas

    abstract ReplicatedTable copyOf(Snapshot snapshot);

    /** Creates the replica of an owner without a copy of a name that was created. */
    abstract ReplicatedTable ofUnknown(Snapshot copy);

    /** Promotes a copy to the owner's. */
    abstract void promote(Side side, ReplicatedTable copy);

    /** Makes a member of a side its owner, which may lose its data. */
    abstract void takeOver(Side side, ReplicatedTable copy, UUID member, int oneLossIn);

    /**
     * Merges the owners of two sides, and returns the reports as text.
     *
     * @param apartSince when the losing side's owner saw the first member of the winning side leave; 0 if it saw none
     */
    abstract String unite(Side winning, Side losing, long apartSince);

    abstract void comeOverAfterMerge(Holder holder, Side winning);

    final Side anySide() {
        return sides.get(random.nextInt(sides.size()));
    }

    final Holder anyHolder() {
        return holders.get(random.nextInt(holders.size()));
    }

    final boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    void note(String what) {
        trace.add(what);
    }

    // --- the sides

    /** A part of the network: an owner, its backups, and the grants of this side and of the sides merged into it. */
    final class Side {
        ReplicatedTable owner;
        /** All backups have the answered changes; each also has some of the others. */
        final List<ReplicatedTable> backups = new ArrayList<>();
        /** All members, including the owner and the backups. */
        final Set<UUID> members;
        /** The members of the backups. */
        final List<UUID> backupIds = new ArrayList<>();
        /** A backup that is on another side, which the owner has not noticed: it waits for that backup in vain. */
        @Nullable
        UUID missedBackup;
        /** The members that left with it. */
        Set<UUID> missed = Set.of();

        long missedSince;

        UUID ownerId;
        boolean hasQuorum = true;

        long offset;
        /** The periods of this side, in sequence, whose grants it may not repeat. */
        final Set<Integer> known = new HashSet<>();
        /** The periods of which its table has the node IDs, so that a merge can report them. */
        final Set<Integer> remembered = new HashSet<>();

        int period;
        long recoveringUntil;
        /** While the network is split, no destroyed name is created again. */
        boolean isDestroyed;
        /** Holders have moved over from a separate side. */
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

        /** Returns a member without a copy, which may have just joined. */
        UUID newBackup() {
            List<UUID> others = members.stream()
                    .filter(member -> !member.equals(ownerId) && !backupIds.contains(member))
                    .toList();
            UUID next = others.isEmpty() || chance(4) ? newId() : others.get(random.nextInt(others.size()));
            members.add(next);
            return next;
        }

        DecisionTime context() {
            return new DecisionTime(clusterNow(), Long.MAX_VALUE);
        }

        /** The members of a side have left the list of this side. */
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

        /**
         * Promotes another owner from a copy. There is no copy of a name that was not created: each owner creates its
         * own table.
         */
        void promote(ReplicatedTable copy, UUID member) {
            becomeOwnedBy(member);
            Snapshot sent = copy.snapshotFor(0);
            if (sent.lifecycle().definition() == null) {
                replace(ofUnknown(sent));
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

        /** The backup is on another side; another member replaces it. */
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
            backups.add(copyOf(owner.snapshotFor(1)));
            backups.add(copyOf(owner.snapshotFor(1)));
        }

        /** Returns whether the side grants nothing, because it has noticed that it is below the quorum. */
        boolean isStopped() {
            return isProtected && !hasQuorum && missedBackup == null;
        }

        @Override
        public String toString() {
            return "side " + period;
        }
    }

    /** A sender of requests to an owner. */
    class Holder {
        final int number;
        final UUID id = newId();
        Side side = sides.get(0);

        Holder(int number) {
            this.number = number;
        }

        @Override
        public final String toString() {
            return "h" + number;
        }
    }

    final UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    long newOffset() {
        return 0;
    }

    final void split() {
        Side one = anySide();
        // A third side knows what a guest used before it moved: the two halves could not distinguish that from its
        // present use.
        if (sides.size() == maxSides || one.hasGuests) {
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
        other.isDestroyed = one.isDestroyed;
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

    final void crash(Side side) {
        int index = random.nextInt(2);
        ReplicatedTable successor = side.backups.get(index);
        side.notice();
        note("the owner of " + side + " crashes");
        side.offset = newOffset();
        takeOver(side, successor, side.backupIds.get(index), 10);
    }

    final void merge() {
        if (sides.size() > 1) {
            Side losing = sides.remove(random.nextInt(sides.size()));
            merge(anySide(), losing);
        }
    }

    final void mergeAll() {
        while (sides.size() > 1) {
            merge();
        }
        sides.get(0).isDestroyed = false;
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
        losing.members.forEach(member -> winning.members.add(newId())); // Each joins under another name.
        winning.hasQuorum |= losing.hasQuorum;
        winning.synchronise();
        winning.known.addAll(losing.known);
        winning.remembered.addAll(losing.remembered);
        winning.recoveringUntil = Math.max(winning.recoveringUntil, losing.recoveringUntil);
        // The name has the losing side's definition, unless the winning side has destroyed it.
        winning.isDestroyed = winning.owner.table().definition() == null && (winning.isDestroyed || losing.isDestroyed);
        winning.hasGuests = sides.size() > 1 && (winning.hasGuests || losing.hasGuests);
        winning.begin();
        note(losing + " is merged into " + before + ", which becomes " + winning + ": " + found);
        holders.stream().filter(holder -> holder.side == losing).forEach(holder -> comeOverAfterMerge(holder, winning));
    }

    /** Runs an operation of an owner; returns null if the holder gets no answer. */
    final <T> @Nullable T ask(Holder holder, boolean isGiving, Function<Side, Decision<T>> operation) {
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
            refused(holder);
            return null;
        }
        Set<Integer> changed = decision.changed();
        Snapshot change = changed == null ? null : side.owner.change(changed);
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
        return decision.answered();
    }

    void refused(Holder holder) {}
}
