// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.base.UnawaitedClock;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import com.noctarius.snowcast.internal.vote.Electorate.Ending;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates data members with split-brain protection whose network splits, and which crash, restart, are paused, and
 * move from one cluster to another. The real {@link Electorate} decides which of them may act as an owner.
 *
 * <p>Each place has at most one process at a time. There is one partition: the oldest member of a list owns it, and the
 * next one is its backup. An owner that acts makes a decision and sends it to its backup. An act is wrong if the owner
 * lacks an earlier decision.
 *
 * <p>When data was lost or discarded, its owner makes no decision for {@link Electorate#MAX_AGE_MILLIS}, because a
 * former owner may act for that long. After this wait, the data counts as having all decisions. In a cluster that
 * starts without data, the data counts as having all decisions from the first quorum on.
 */
final class Quorums {
    /** A rule that a search can leave out. Each comment says what happens without the rule. */
    enum Rule {
        NONE,
        /** All members count towards a quorum, including new ones, which know no decisions. */
        MEMBERS_COUNTED,
        /**
         * A member that moves to another cluster already counts as knowing all decisions while it has not sent its data
         * yet.
         */
        COMING,
        /** Discarded data is still used. */
        GIVEN_UP,
        /**
         * A member that has moved and sent its data already counts as knowing all decisions while other members of its
         * former side have not sent their data yet.
         */
        ARRIVED,
        /** A member that has moved, and whose side had lost data, counts for the other members as having sent all. */
        LOST_THERE,
        /** A member that leaves its cluster to join another one, but cannot reach it, counts as a newly started one. */
        ALONE
    }

    enum Reached {
        ACTED,
        GAVE_UP,
        CONTINUED_AFTER_MERGE,
        LOST_BY_ANOTHER
    }

    private static final long TICK_MILLIS = 1_000;
    private static final long MAX_GAP_MILLIS = 5_000;
    private static final long SEARCH_MILLIS = 40_000;

    private final int quorum;
    private final Rule leftOut;
    private final Place[] places;
    private final UnawaitedClock clock = () -> this.nowMillis;
    private final Set<Integer> decisions = new HashSet<>();
    private final List<String> steps = new ArrayList<>();
    final Set<Reached> reached = new HashSet<>();
    private long nowMillis = 1_000_000;
    private int names;

    /**
     * The data of a member: the decisions that it contains, the time of the last discard that it takes into account,
     * and until when the owner of the data makes no decision; 0 if the owner need not wait.
     */
    private record Data(Set<Integer> decisions, long sinceMillis, long waitEndMillis) {
        static final Data NONE = new Data(Set.of(), 0, 0);

        Data with(Set<Integer> more) {
            Set<Integer> all = new HashSet<>(decisions);
            all.addAll(more);
            return new Data(all, sinceMillis, waitEndMillis);
        }
    }

    private Data lost(long sinceMillis) {
        return new Data(Set.of(), sinceMillis, nowMillis + Electorate.MAX_AGE_MILLIS);
    }

    /** Returns the data; if its wait has ended, with all decisions. */
    private Data waited(Data data) {
        return data.waitEndMillis == 0 || data.waitEndMillis > nowMillis
                ? data
                : new Data(Set.copyOf(decisions), data.sinceMillis, 0);
    }

    /** The data that a member of a losing side is about to send, and the name that the member had on that side. */
    private record Sending(UUID former, Set<Integer> decisions, boolean hasAll) {}

    /** A place in the network, with at most one process. Places on the same side of a split reach each other. */
    private final class Place {
        final int number;
        int side;
        boolean runs;
        boolean isPaused;
        boolean isFirst;
        boolean isCopy;
        UUID name = new UUID(0, 0);
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 0);
        List<UUID> list = List.of();
        int version;
        Data data = Data.NONE;

        @Nullable
        Sending sending;

        @Nullable
        UUID cameAs;

        Place(int number) {
            this.number = number;
        }

        boolean isAwake() {
            return runs && !isPaused;
        }

        boolean reaches(Place other) {
            return side == other.side;
        }

        boolean lists(Place other) {
            return list.contains(other.name);
        }

        void newElectorate() {
            electorate =
                    new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, leftOut == Rule.MEMBERS_COUNTED ? 0 : quorum);
        }

        Eligibility look() {
            Eligibility eligibility = electorate.decide(name, list, version);
            if (leftOut != Rule.GIVEN_UP && data.sinceMillis < electorate.discardedMillis()) {
                if (!steps.get(steps.size() - 1).startsWith(number + " gives up")) {
                    reached.add(Reached.LOST_BY_ANOTHER);
                }
                data = lost(electorate.discardedMillis());
            }
            if (eligibility == Eligibility.CONFIRMED
                    && isFirst
                    && electorate.confirming().size() + 1 >= quorum) {
                isFirst = false;
                share(this, decisions);
            }
            return eligibility;
        }

        Vote vote() {
            look();
            Vote vote = electorate.vote();
            boolean claims = leftOut == Rule.COMING && vote.standing() == Standing.COMING;
            return claims
                    ? new Vote(
                            vote.listHash(),
                            vote.isCurrent(),
                            Standing.KNOWS,
                            vote.mostListed(),
                            vote.discardedMillis())
                    : vote;
        }
    }

    Quorums(int size, int quorum, Rule leftOut) {
        this.quorum = quorum;
        this.leftOut = leftOut;
        this.places = IntStream.range(0, size).mapToObj(Place::new).toArray(Place[]::new);
    }

    /** Starts all processes one after the other, and lets them confirm each other. */
    Quorums started() {
        for (int place = 0; place < places.length; place++) {
            start(place);
            pass(1);
        }
        pass(2);
        return this;
    }

    List<String> steps() {
        return steps;
    }

    int size() {
        return places.length;
    }

    private void note(String step) {
        steps.add(step);
    }

    /** Returns the other running, unpaused places that a member reaches and that have the same list as the member. */
    private List<Place> cluster(Place of) {
        return where(other -> other != of && other.isAwake() && of.reaches(other) && other.list.equals(of.list));
    }

    private @Nullable Place replica(Place of, int index) {
        return of.list.size() <= index
                ? null
                : where(other -> other.isAwake()
                                && of.reaches(other)
                                && other.list.equals(of.list)
                                && other.name.equals(of.list.get(index)))
                        .stream()
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Adds decisions to the data of the owner and the backup in a member's list. Leaves out those that have ended, are
     * paused, are out of reach, or have another list.
     */
    private void share(Place of, Set<Integer> known) {
        for (int index = 0; index < 2; index++) {
            Place replica = replica(of, index);
            if (replica != null) {
                replica.data = replica.data.with(known);
            }
        }
    }

    /**
     * Copies the data of each owner to a backup without a copy, unless the backup knows of a later discard. An owner
     * without a copy has lost the data.
     */
    private void replicate() {
        for (Place owner : where(place -> place.isAwake() && place.list.get(0).equals(place.name))) {
            if (!owner.isCopy) {
                owner.isCopy = true;
                owner.data = lost(owner.electorate.discardedMillis());
            }
            owner.data = waited(owner.data);
            Place backup = replica(owner, 1);
            boolean isRefused = leftOut != Rule.GIVEN_UP
                    && backup != null
                    && owner.data.sinceMillis < backup.electorate.discardedMillis();
            if (backup != null && !backup.isCopy && !isRefused) {
                backup.isCopy = true;
                backup.data = owner.data;
            }
        }
        for (Place place : where(place -> place.runs)) {
            place.data = waited(place.data);
        }
        for (Place place : where(place -> place.list.indexOf(place.name) > 1)) {
            place.isCopy = false;
        }
    }

    private List<Place> where(Predicate<Place> condition) {
        return List.of(places).stream().filter(condition).toList();
    }

    // --- events

    void split(int... sides) {
        note("the network splits: " + Arrays.toString(sides));
        for (Place place : places) {
            place.side = sides[place.number];
        }
    }

    void crash(int place) {
        note(place + " crashes");
        places[place].runs = false;
        places[place].isPaused = false;
        places[place].sending = null;
    }

    void pause(int place) {
        note(place + " is paused");
        places[place].isPaused = true;
    }

    void wake(int place) {
        note(place + " wakes up");
        places[place].isPaused = false;
    }

    /** Starts a process. It joins a cluster that it reaches, or starts a new one. */
    void start(int number) {
        note(number + " starts");
        Place place = places[number];
        place.runs = true;
        place.isPaused = false;
        place.cameAs = null;
        place.newElectorate();
        List<Place> others = where(other -> other != place && other.isAwake() && place.reaches(other));
        if (others.isEmpty()) {
            beginAlone(place);
            place.isFirst = true;
        } else {
            join(place, others.get(0));
        }
    }

    private void beginAlone(Place place) {
        place.name = newName();
        place.list = List.of(place.name);
        place.version = 1;
        place.data = Data.NONE;
        place.isCopy = true;
    }

    private static boolean isOwner(Place place) {
        return !place.list.isEmpty() && place.list.get(0).equals(place.name);
    }

    private UUID newName() {
        names++;
        return new UUID(0, names * 1_000_003L);
    }

    private void join(Place place, Place to) {
        place.name = newName();
        place.isFirst = false;
        place.isCopy = false;
        place.data = Data.NONE;
        List<UUID> list = new ArrayList<>(to.list);
        list.add(place.name);
        List<Place> all = new ArrayList<>(cluster(to));
        all.add(to);
        // Any member removes others here, so members with the same list may have different versions.
        int version = all.stream().mapToInt(member -> member.version).max().orElseThrow() + 1;
        all.add(place);
        for (Place member : all) {
            member.list = List.copyOf(list);
            member.version = version;
        }
        replicate();
    }

    /**
     * Lets a member remove each listed member that has ended, is paused, is out of reach, or does not list the remover.
     * The members that have the same list and are not removed take over the new list.
     */
    void drop(int number) {
        Place place = places[number];
        List<UUID> gone = new ArrayList<>();
        for (UUID name : place.list) {
            Optional<Place> member = named(name);
            if (member.isEmpty() || (member.get() != place && isRemoved(place, member.get()))) {
                gone.add(name);
            }
        }
        if (!place.isAwake() || gone.isEmpty()) {
            return;
        }
        note(number + " removes " + gone.size());
        List<Place> rest = cluster(place);
        place.list = place.list.stream().filter(name -> !gone.contains(name)).toList();
        place.version++;
        for (Place other : rest) {
            if (place.list.contains(other.name)) {
                other.list = place.list;
                other.version = place.version;
            }
        }
        replicate();
    }

    private static boolean isRemoved(Place from, Place other) {
        return !other.isAwake() || !from.reaches(other) || !other.lists(from);
    }

    private Optional<Place> named(UUID name) {
        return where(place -> place.runs && place.name.equals(name)).stream().findFirst();
    }

    /**
     * Moves a member to the cluster of another member, if it reaches that member and neither of the two lists the
     * other.
     */
    boolean merge(int loser, int winner) {
        Place from = places[loser];
        Place to = places[winner];
        if (!from.isAwake() || !to.isAwake() || !from.reaches(to) || from.lists(to) || to.lists(from)) {
            return false;
        }
        note(loser + " comes over to " + winner);
        from.look();
        UUID former = from.name;
        from.electorate.leavesLosingSide();
        if (leftOut == Rule.ARRIVED) {
            from.list.stream().filter(name -> !name.equals(former)).forEach(from.electorate::excuse);
        }
        boolean hasData = isOwner(from) && from.isCopy;
        from.sending =
                new Sending(former, hasData ? from.data.decisions : Set.of(), !hasData || from.data.waitEndMillis == 0);
        from.electorate.reset();
        from.cameAs = null;
        join(from, to);
        return true;
    }

    /**
     * Lets a member leave its cluster for another one that it no longer reaches. Hazelcast has the member start a new
     * cluster.
     */
    void mergeWithNobody(int number) {
        Place place = places[number];
        if (!place.isAwake() || place.list.isEmpty()) {
            return;
        }
        note(number + " comes over and reaches no member");
        place.look();
        place.electorate.leavesLosingSide();
        if (leftOut == Rule.ALONE) {
            place.newElectorate();
        }
        place.electorate.reset();
        place.sending = new Sending(place.name, place.data.decisions, false);
        place.cameAs = null;
        beginAlone(place);
        place.isFirst = false;
    }

    /** Delivers the data that a member sends from a losing side. */
    void arrive(int number) {
        Place place = places[number];
        Sending sending = place.sending;
        if (sending == null || !place.isAwake()) {
            return;
        }
        note("what " + number + " knew arrives");
        place.sending = null;
        share(place, sending.decisions);
        place.electorate.sentData(sending.hasAll ? sending.former : null);
        place.cameAs = sending.hasAll || leftOut == Rule.LOST_THERE ? sending.former : null;
    }

    /**
     * Lets time pass. In each tick, owners copy their data. Every member that is not paused requests votes from the
     * members that it lists and reaches. If its wait for absent members is over, it continues without them.
     */
    void pass(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            nowMillis += TICK_MILLIS;
            replicate();
            for (Place place : places) {
                if (place.isAwake()) {
                    ask(place);
                    ask(place);
                    endIsolation(place);
                }
            }
        }
    }

    private void ask(Place asking) {
        asking.look();
        for (Place other : where(other -> other != asking && other.isAwake() && asking.lists(other))) {
            if (asking.reaches(other)) {
                Electorate.Asked asked = asking.electorate.asked();
                if (asking.cameAs != null) {
                    other.electorate.hasSent(asking.name, Objects.requireNonNull(asking.cameAs));
                }
                asking.electorate.answered(other.name, other.vote(), asked);
            }
        }
    }

    private void endIsolation(Place place) {
        if (!place.look().isWaiting()) {
            return;
        }
        Set<UUID> absent = place.electorate.absent();
        if (!where(other -> other.isAwake() && place.reaches(other) && absent.contains(other.name))
                .isEmpty()) {
            place.electorate.reached();
        }
        Ending ending = place.electorate.ending();
        if (place.electorate.goOn(ending, nowMillis) && ending != Ending.WITH_DATA) {
            note(place.number + " gives up its data: " + ending);
            reached.add(Reached.GAVE_UP);
            if (ending == Ending.WITHOUT_OWN_DATA) {
                place.data = lost(place.electorate.discardedMillis());
            }
        }
    }

    /** Lets a member act, if it may. Returns why the act is wrong; null if it is right or does not happen. */
    @Nullable
    String act(int number) {
        Place place = places[number];
        Place backup = replica(place, 1);
        if (!mayAct(number) || !isOwner(place) || !place.isCopy || backup == null || !backup.isCopy) {
            return null;
        }
        if (place.data.waitEndMillis != 0) {
            return null;
        }
        note(number + " acts");
        reached.add(Reached.ACTED);
        if (place.cameAs != null || where(other -> other.cameAs != null).size() > 0) {
            reached.add(Reached.CONTINUED_AFTER_MERGE);
        }
        if (!place.data.decisions.containsAll(decisions)) {
            return number + " lacks what was decided";
        }
        int decision = decisions.size();
        decisions.add(decision);
        share(place, Set.of(decision));
        return null;
    }

    boolean mayAct(int number) {
        Place place = places[number];
        return place.isAwake()
                && place.look() == Eligibility.CONFIRMED
                && place.electorate.confirming().size() + 1 >= quorum;
    }

    boolean runs(int place) {
        return places[place].runs;
    }

    boolean isPaused(int place) {
        return places[place].isPaused;
    }

    /** Heals the network, starts and wakes all processes, and lets the clusters merge. */
    void heal() {
        split(new int[places.length]);
        for (int i = 0; i < places.length; i++) {
            if (!places[i].runs) {
                start(i);
            }
            wake(i);
        }
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < places.length; i++) {
                drop(i);
                for (int j = 0; j < i; j++) {
                    merge(i, j);
                }
                pass(1);
            }
            for (int i = 0; i < places.length; i++) {
                arrive(i);
            }
        }
    }
}
