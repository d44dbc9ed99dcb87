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
 * A random schedule in which a network splits into several sides that merge again, while holders of one name send
 * requests to the owners.
 */
abstract class SplitSchedule implements Schedules.Schedule {
    static final long START = 1_700_000_000_000L;

    /** The maximum time in milliseconds until a side notices a split. */
    static final long MAX_UNNOTICED = 1_000;

    /** The number of overlaps between the granted times of two holders. Merges have reported all of these overlaps. */
    int duplicates;

    int merges;

    /** The number of requests that an owner executed before it noticed that a backup was on another side. */
    int unnoticed;

    final boolean isProtected;
    final List<Side> sides = new ArrayList<>();
    final List<Holder> holders = new ArrayList<>();
    Random random;
    long now = START;
    /** When each member saw other members leave, by the clock of its side. */
    private final Map<UUID, Map<UUID, Long>> removals = new HashMap<>();

    private final List<String> trace = new ArrayList<>();
    private final long seed;
    private final int maxSides;
    private final int stepCount;
    private final int stepsAfterLastMerge;
    private int periods;

    /** Creates a schedule. With protection, a side below the quorum stops as soon as it notices the split. */
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

    /** Creates the table of a new owner whose copy does not contain the name. */
    abstract ReplicatedTable ofUnknown(Snapshot copy);

    /** Promotes a copy, and makes it the table of a side's owner. */
    abstract void promote(Side side, ReplicatedTable copy);

    /** Makes a member the owner of a side. In one of {@code oneLossIn} cases, the side loses its data instead. */
    abstract void takeOver(Side side, ReplicatedTable copy, UUID member, int oneLossIn);

    /**
     * Merges the tables of two owners, and returns the reports as text.
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

    /** One side of a split network: an owner and its backups. Also records which grants the side must not repeat. */
    final class Side {
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
            backups.add(copyOf(owner.snapshotFor(1)));
            backups.add(copyOf(owner.snapshotFor(1)));
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
        // A guest is a holder that has moved here, and has used IDs on another side before. If this side split, its
        // halves could not distinguish that use from the guest's present use.
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
        holders.stream().filter(holder -> holder.side == losing).forEach(holder -> comeOverAfterMerge(holder, winning));
    }

    /** Executes an operation on the owner of a holder's side; returns null if the holder gets no answer. */
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
                side.backups.get(i).join(change, null, false);
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
