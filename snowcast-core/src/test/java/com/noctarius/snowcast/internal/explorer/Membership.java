// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static java.util.Objects.requireNonNull;

import com.noctarius.snowcast.internal.base.UnawaitedClock;
import com.noctarius.snowcast.internal.owner.Reached;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import com.noctarius.snowcast.internal.vote.Electorate.Ending;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Visits all states of a few data members that are paused, wake up, crash, and remove each other; the real
 * {@link Electorate} decides which of them may act as an owner. The network does not split.
 *
 * <p>A step is wrong if a member makes the others discard their data while one of them acts. A state is wrong if a
 * member acts although it has missed an act. It misses an act if another member acts without listing it. The members
 * that the other one then lists know the act. The act no longer counts as missed after the member has discarded its own
 * data, or after the last of those that know the act has merged into the member's cluster.
 *
 * <p><b>Steps.</b> A tick passes, in which each running member checks its state. A member asks another running member,
 * and receives the answer at once. If {@code hasLateAnswers} is set, an answer may instead arrive after other steps; at
 * most one such answer is pending. A member acts if it is confirmed. A member is paused, wakes up or crashes. A member
 * removes another member if that member has crashed, has moved to another cluster, does not list the remover, or has
 * been paused for so long that it will notice the pause. With each tick, an isolated member searches for members that
 * it does not list. If it finds a running member, Hazelcast merges the two clusters, in either direction. If it finds
 * none, the isolated member continues after some time, after it has asked all members that it lists.
 *
 * <p><b>Left out</b> are joining members (see {@code ElectorateTest}), and lists and data that one member sends to
 * others: in this model, each member removes others from its own list, and keeps its own data. One more case is left
 * out, too, because it counts as a split of the network. After a pause, a member searches for the members that have
 * removed it, while these are paused. It finds none and continues, and they wake up later.
 */
final class Membership {
    private static final long TICK_MILLIS = 4_000;
    private static final long MAX_GAP_MILLIS = 5_000;
    private static final long SEARCH_MILLIS = 9_000;
    private static final int TICKS_UNTIL_DROPPED = 2;
    private static final int TICKS_OF_SEARCH = (int) (SEARCH_MILLIS / TICK_MILLIS) + 1;

    private static final int NEVER = -1;

    private final int size;
    private final int groups;
    private final int ticks;
    private final int faults;
    private final int paused;
    private final boolean hasLateAnswers;
    private final boolean isSecondGone;
    private final Rule leftOut;
    private Reached<MembershipState> reached = new Reached<>(MembershipState.class);
    private long nowMillis;

    private final UnawaitedClock clock = () -> nowMillis;

    /**
     * A rule that a search can leave out. Each comment says what happens without the rule. {@link MembershipState}
     * defines <em>stale</em>.
     */
    enum Rule {
        NONE,
        /** A member does not notice that it was paused. */
        GAP,
        /** The vote of a stale member counts towards a majority. */
        CURRENT,
        /** A member confirms another one although their lists of members differ. */
        SAME_LIST,
        /** Confirmations from before the removal of a member still count. */
        SHRINKING,
        /** A confirmation counts from the arrival of its answer, not from its request. */
        ASKED,
        /** Confirmations from before a member's pause still count after it. */
        WOKEN,
        /** A stale member continues without waiting for Hazelcast's search. */
        SEARCH,
        /** The time for which a stale member is paused counts for its wait. */
        STALLS,
        /** A stale member that continues keeps its data. */
        LOSS
    }

    /**
     * A data member.
     *
     * @param pausedAt the tick at which it was paused; {@link #NEVER} if it is not paused
     * @param isGone whether it has crashed, or has joined another cluster under a new name
     * @param lists a bit for each member that it lists
     * @param hasMet whether it has found another cluster while it was isolated; Hazelcast then merges the two clusters
     * @param searched in how many successive ticks it was isolated and found no other member
     * @param knowing a bit for each member that knows an act which this member has missed
     */
    private record Member(
            int pausedAt,
            boolean isGone,
            int lists,
            boolean hasMet,
            int searched,
            int knowing,
            FrozenElectorate electorate) {
        boolean runs() {
            return !isGone && pausedAt == NEVER;
        }

        boolean lists(int member) {
            return (lists & bit(member)) != 0;
        }

        Member paused(int tick) {
            return new Member(tick, isGone, lists, hasMet, searched, knowing, electorate);
        }

        Member gone() {
            return new Member(NEVER, true, lists, false, 0, knowing, electorate);
        }

        Member with(int nowLists, int nowKnowing) {
            return new Member(pausedAt, isGone, nowLists, hasMet, searched, nowKnowing, electorate);
        }

        Member with(Electorate changed) {
            return new Member(pausedAt, isGone, lists, hasMet, searched, knowing, FrozenElectorate.of(changed));
        }

        Member meeting(boolean another, int nowSearched) {
            return new Member(pausedAt, isGone, lists, another, nowSearched, knowing, electorate);
        }
    }

    private record LateAnswer(int asking, int asked, Asked when, Vote vote) {}

    private record State(
            int tick,
            int faultsLeft,
            List<Member> members,
            @Nullable LateAnswer late) {
        State with(int index, Member member) {
            List<Member> changed = new ArrayList<>(members);
            changed.set(index, member);
            return new State(tick, faultsLeft, List.copyOf(changed), late);
        }

        State withFault() {
            return new State(tick, faultsLeft - 1, members, late);
        }

        State with(@Nullable LateAnswer nowLate) {
            return new State(tick, faultsLeft, members, nowLate);
        }
    }

    /**
     * The result of a search.
     *
     * @param states the number of states
     * @param acts the number of steps in which an owner acted
     * @param wrong the steps up to an act that must not happen; null if there is none
     * @param reached the counts of the rare states
     */
    record Result(int states, long acts, @Nullable List<String> wrong, Reached<MembershipState> reached) {}

    private record Step(@Nullable UUID parent, String label) {}

    /**
     * Prepares a search.
     *
     * @param groups the number of groups. The members of a group do the same at the same time; the first group is one
     *     member
     * @param faults how often groups may be paused or crash, in total
     * @param paused the number of groups that are paused at the beginning
     * @param isSecondGone whether the second group has crashed at the beginning
     * @param hasLateAnswers whether an answer may arrive after other steps, which requires groups of one member each
     */
    Membership(
            int size,
            int groups,
            int ticks,
            int faults,
            int paused,
            boolean isSecondGone,
            boolean hasLateAnswers,
            Rule leftOut) {
        this.size = size;
        this.groups = groups;
        this.ticks = ticks;
        this.faults = faults;
        this.paused = paused;
        this.isSecondGone = isSecondGone;
        this.hasLateAnswers = hasLateAnswers;
        this.leftOut = leftOut;
    }

    private static int bit(int member) {
        return 1 << member;
    }

    /** Returns the members of the group with the given first member. */
    private List<Integer> together(int group) {
        return IntStream.range(0, size)
                .filter(member -> group == (member == 0 ? 0 : 1 + (member - 1) % (groups - 1)))
                .boxed()
                .toList();
    }

    private State together(State state, int group, BiFunction<State, Integer, State> step) {
        State next = state;
        for (int member : together(group)) {
            next = step.apply(next, member);
        }
        return next;
    }

    private static UUID name(int member) {
        return new UUID(0, (member + 1) * 1_000_003L); // Lists with different members must have different hashes.
    }

    private long millis(int tick) {
        return 1_000_000 + tick * TICK_MILLIS;
    }

    private Electorate thaw(State state, int member) {
        nowMillis = millis(state.tick);
        FrozenElectorate electorate = state.members.get(member).electorate;
        return (leftOut == Rule.WOKEN ? electorate.with("pauseEnded", null) : electorate)
                .thaw(
                        clock,
                        leftOut == Rule.GAP ? Long.MAX_VALUE : MAX_GAP_MILLIS,
                        leftOut == Rule.SEARCH ? 0 : SEARCH_MILLIS,
                        0);
    }

    /** Lets a member check its state. The version of its list is the number of removed members. */
    private Eligibility look(Electorate electorate, State state, int member) {
        FrozenElectorate before = FrozenElectorate.of(electorate);
        boolean isWaiting = electorate.waitMillis() > 0;
        Eligibility eligibility = electorate.decide(
                name(member), listed(state, member).mapToObj(Membership::name).toList(), version(state, member));
        if (leftOut == Rule.STALLS && isWaiting && eligibility == Eligibility.ISOLATED) {
            before.restore("waitForOthers", electorate);
        }
        return eligibility;
    }

    private IntStream listed(State state, int member) {
        return IntStream.range(0, size).filter(state.members.get(member)::lists);
    }

    private int version(State state, int member) {
        return leftOut == Rule.SHRINKING ? 0 : size - Integer.bitCount(state.members.get(member).lists);
    }

    /** Returns the first state: all members have joined and confirmed each other, and some groups are paused. */
    private State initial() {
        nowMillis = millis(0);
        int all = bit(size) - 1;
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(
                    new Member(NEVER, false, all, false, 0, 0, FrozenElectorate.of(new Electorate(clock, 0, 0, 0))));
        }
        State state = new State(0, faults, List.copyOf(members), null);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < size; i++) {
                for (int other = 0; other < size; other++) {
                    if (other != i) {
                        state = ask(look(state, i), i, other);
                    }
                }
            }
        }
        for (int group = 0; group < paused; group++) {
            state = together(state, group, (of, member) -> paused(of, member, 0));
        }
        return isSecondGone ? together(state, 1, Membership::gone) : state;
    }

    private static State paused(State state, int member, int tick) {
        return state.with(member, state.members.get(member).paused(tick));
    }

    private static State gone(State state, int member) {
        return state.with(member, state.members.get(member).gone());
    }

    private State look(State state, int member) {
        Electorate electorate = thaw(state, member);
        look(electorate, state, member);
        return state.with(member, state.members.get(member).with(electorate));
    }

    private State ask(State state, int asking, int asked) {
        State answered = answerLate(state, asking, asked);
        return arrive(answered.with(state.late), requireNonNull(answered.late));
    }

    private State answerLate(State state, int asking, int asked) {
        State looked = look(look(state, asked), asking);
        Asked now = thaw(looked, asking).asked();
        return looked.with(new LateAnswer(asking, asked, now, vote(looked, asked, now.listHash(), asking)));
    }

    private State arrive(State state, LateAnswer answer) {
        Electorate electorate = thaw(state, answer.asking);
        Asked when = leftOut == Rule.ASKED ? electorate.asked() : answer.when;
        electorate.answered(name(answer.asked), answer.vote, when);
        return state.with(answer.asking, state.members.get(answer.asking).with(electorate));
    }

    private Vote vote(State state, int asked, long listHash, int asking) {
        Vote vote = thaw(state, asked).vote();
        if (leftOut == Rule.SAME_LIST && state.members.get(asked).lists(asking)) {
            return vote(listHash, vote.isCurrent(), vote);
        }
        reached.addIf(vote.listHash() != listHash, MembershipState.ASKED_UNDER_OTHER_LIST);
        reached.addIf(vote.listHash() == listHash && !vote.isCurrent(), MembershipState.STALE_VOTE);
        return vote(vote.listHash(), vote.isCurrent() || leftOut == Rule.CURRENT, vote);
    }

    private static Vote vote(long listHash, boolean isCurrent, Vote of) {
        return new Vote(listHash, isCurrent, of.standing(), of.mostListed(), of.discardedMillis());
    }

    // --- the search

    /** Visits the states breadth first, until it finds a wrong state. */
    Result explore() {
        Map<UUID, Step> visited = new HashMap<>();
        Queue<State> frontier = new ArrayDeque<>();
        State initial = initial();
        reached = new Reached<>(MembershipState.class); // The setup does not count.
        visited.put(fingerprint(initial), new Step(null, ""));
        frontier.add(initial);
        long[] acts = {0};
        while (true) {
            State state = frontier.poll();
            if (state == null) {
                return new Result(visited.size(), acts[0], null, reached);
            }
            UUID from = fingerprint(state);
            List<String> wrong = new ArrayList<>();
            steps(state, (label, next) -> {
                acts[0] += label.contains("acts") ? 1 : 0;
                if (next == null) {
                    wrong.add(label);
                } else if (visited.putIfAbsent(fingerprint(next), new Step(from, label)) == null) {
                    frontier.add(next);
                }
            });
            if (!wrong.isEmpty()) {
                return new Result(visited.size(), acts[0], trace(visited, from, wrong.get(0)), reached);
            }
        }
    }

    private static List<String> trace(Map<UUID, Step> visited, UUID to, String last) {
        List<String> trace = new ArrayList<>(List.of(last));
        UUID at = to;
        while (at != null) {
            Step step = visited.get(at);
            if (step == null || step.parent == null) {
                return trace;
            }
            trace.add(0, step.label);
            at = step.parent;
        }
        return trace;
    }

    /** States with equal fingerprints behave alike, except for collisions, whose probability is below one in 10^20. */
    private UUID fingerprint(State state) {
        return UUID.nameUUIDFromBytes(describe(state).getBytes(StandardCharsets.UTF_8));
    }

    private String describe(State state) {
        StringBuilder text = new StringBuilder().append(state.tick).append(' ').append(state.faultsLeft);
        LateAnswer late = state.late;
        if (late != null) {
            text.append(late.asking).append(late.asked).append(late.vote);
            text.append(Math.min(millis(state.tick) - late.when.at().millis(), FrozenElectorate.ALIKE_MILLIS));
        }
        for (Member member : state.members) {
            text.append('|');
            if (member.isGone) {
                text.append("gone");
            } else {
                text.append(member.pausedAt == NEVER ? NEVER : Math.min(state.tick - member.pausedAt, 3))
                        .append(' ')
                        .append(member.lists)
                        .append(' ')
                        .append(member.hasMet)
                        .append(member.searched)
                        .append(member.knowing)
                        .append(' ')
                        .append(member.electorate.describe(millis(state.tick)));
            }
        }
        return text.toString();
    }

    /** Receives the possible steps of a state. A step to null is an act that must not happen. */
    @FunctionalInterface
    private interface Steps {
        void add(String label, @Nullable State next);
    }

    private void steps(State state, Steps steps) {
        if (state.tick < ticks) {
            State later = new State(state.tick + 1, state.faultsLeft, state.members, state.late);
            for (int i = 0; i < size; i++) {
                later = later.members.get(i).runs() ? seek(later, i) : later;
            }
            steps.add("-- tick " + later.tick, later);
        }
        for (int i = 0; i < groups; i++) {
            Member member = state.members.get(i);
            if (member.runs()) {
                ofRunning(state, i, steps);
            } else if (!member.isGone) {
                steps.add(i + " wakes up", together(state, i, (of, each) -> paused(of, each, NEVER)));
                crash(state, i, steps);
            }
        }
    }

    private void crash(State state, int index, Steps steps) {
        if (state.faultsLeft > 0) {
            steps.add(
                    index + " crashes", together(state, index, Membership::gone).withFault());
        }
    }

    private void ofRunning(State state, int index, Steps steps) {
        Member member = state.members.get(index);
        act(state, index, steps);
        LateAnswer late = state.late;
        if (late != null && late.asking == index) {
            steps.add("the late answer of " + late.asked + " arrives at " + index, arrive(state.with(null), late));
        }
        for (int other = 0; other < groups; other++) {
            if (member.lists(other)) {
                Member another = state.members.get(other);
                if (another.runs() && (other != index || together(index).size() > 1)) {
                    steps.add(index + " asks " + other, askAll(state, index, other));
                    if (hasLateAnswers && state.late == null) {
                        steps.add(index + " asks " + other + ", which answers late", answerLate(state, index, other));
                    }
                }
                boolean isLongPaused =
                        another.pausedAt != NEVER && state.tick - another.pausedAt >= TICKS_UNTIL_DROPPED;
                if (another.isGone || isLongPaused || !another.lists(index)) {
                    steps.add(index + " drops " + other, drop(state, index, other));
                }
            }
        }
        goOn(state, index, steps);
        if (state.faultsLeft > 0) {
            steps.add(
                    index + " is paused",
                    together(state, index, (of, each) -> paused(of, each, state.tick))
                            .withFault());
        }
        crash(state, index, steps);
    }

    private State askAll(State state, int asking, int asked) {
        return together(
                state,
                asking,
                (of, each) -> together(
                        of, asked, (within, another) -> another.equals(each) ? within : ask(within, each, another)));
    }

    private State drop(State state, int dropping, int dropped) {
        int left = together(dropped).stream().mapToInt(member -> ~bit(member)).reduce(-1, (a, b) -> a & b);
        State next = together(state, dropping, (of, each) -> {
            Member member = of.members.get(each);
            return of.with(each, member.with(member.lists & left, member.knowing));
        });
        boolean wasConfirmed = look(thaw(state, dropping), state, dropping) == Eligibility.CONFIRMED;
        boolean isConfirmed = look(thaw(next, dropping), next, dropping) == Eligibility.CONFIRMED;
        reached.addIf(wasConfirmed && !isConfirmed, MembershipState.UNCONFIRMED_BY_DROP);
        return next;
    }

    private void act(State state, int index, Steps steps) {
        Electorate electorate = thaw(state, index);
        boolean wasCurrent = electorate.vote().isCurrent();
        long waitMillis = electorate.waitMillis();
        Eligibility eligibility = look(electorate, state, index);
        boolean isStale = !electorate.vote().isCurrent();
        if (wasCurrent && isStale && waitMillis > 0 && waitMillis < SEARCH_MILLIS) {
            reached.addIf(electorate.waitMillis() == waitMillis, MembershipState.WAIT_PAUSED);
            reached.addIf(electorate.waitMillis() == SEARCH_MILLIS, MembershipState.WAIT_BEGUN_AGAIN);
        }
        if (eligibility != Eligibility.CONFIRMED) {
            boolean isOldest = listed(state, index).findFirst().orElse(NEVER) == index;
            reached.addIf(isStale && isOldest, MembershipState.STALE_ELDER);
            reached.addIf(state.members.get(index).knowing != 0, MembershipState.OUTDATED);
            return;
        }
        if (!wasCurrent) {
            boolean areAllStale = listed(state, index)
                    .noneMatch(other -> thaw(state, other).vote().isCurrent());
            reached.add(areAllStale ? MembershipState.STALE_CONFIRMED_BY_ALL : MembershipState.STALE_CONFIRMED);
        }
        Member member = state.members.get(index).with(electorate);
        if (member.knowing != 0) {
            steps.add(index + " acts", null);
            return;
        }
        State next = together(state, index, this::look);
        for (int other = 0; other < size; other++) {
            Member another = next.members.get(other);
            if (!member.lists(other) && !another.isGone) {
                next = next.with(other, another.with(another.lists, member.lists));
            }
        }
        steps.add(index + " acts", next);
    }

    /** If a member is isolated, lets it search for other members, as Hazelcast does. */
    private State seek(State state, int index) {
        Electorate electorate = thaw(state, index);
        Member member = state.members.get(index);
        boolean isIsolated = look(electorate, state, index) == Eligibility.ISOLATED;
        boolean meets = isIsolated && !others(state, index).isEmpty();
        reached.addIf(meets, MembershipState.ABSENT_REACHED);
        if (meets) {
            electorate.reached();
        }
        int searched = isIsolated && !meets ? Math.min(member.searched + 1, TICKS_OF_SEARCH) : 0;
        return state.with(index, member.with(electorate).meeting(isIsolated && (meets || member.hasMet), searched));
    }

    private List<Integer> others(State state, int index) {
        return IntStream.range(0, groups)
                .filter(other -> state.members.get(other).runs()
                        && !state.members.get(index).lists(other))
                .boxed()
                .toList();
    }

    private void goOn(State state, int index, Steps steps) {
        if (state.members.get(index).hasMet) {
            for (int other : others(state, index)) {
                merge(state, index, other, steps);
                merge(state, other, index, steps);
            }
            return;
        }
        State asked = together(state, index, this::askListed);
        Electorate electorate = thaw(asked, index);
        Eligibility eligibility = look(electorate, asked, index);
        Ending ending = electorate.ending();
        if (eligibility != Eligibility.ISOLATED || ending == Ending.NOT_YET) {
            return;
        }
        boolean keeps = ending == Ending.WITH_DATA || leftOut == Rule.LOSS;
        boolean joinsAnew = ending == Ending.WITHOUT_OWN_DATA;
        boolean hasSearched = asked.members.get(index).searched == TICKS_OF_SEARCH;
        if (!electorate.vote().isCurrent() && hasSearched && !restIsGone(asked, index)) {
            return;
        }
        reached.addIf(joinsAnew, MembershipState.WENT_ON_WITHOUT_OWN_DATA);
        reached.addIf(keeps, MembershipState.WENT_ON_AFTER_SILENCE);
        reached.addIf(!keeps && !joinsAnew, MembershipState.WENT_ON_WITHOUT_DATA);
        String label = index + " goes on alone" + (keeps ? "" : ", without its data");
        if (!keeps && !joinsAnew && running(asked, index).anyMatch(other -> acts(asked, other, index))) {
            steps.add(label + " and that of the others, though one of them acts", null);
            return;
        }
        steps.add(label, together(asked, index, (of, each) -> goOn(of, each, keeps)));
    }

    /** Lets a member ask all members that it lists, as each member does every few seconds. */
    private State askListed(State state, int asking) {
        State next = state;
        for (int other : running(state, asking).boxed().toList()) {
            next = ask(next, asking, other);
        }
        return next;
    }

    private IntStream running(State state, int index) {
        return listed(state, index)
                .filter(other -> other != index && state.members.get(other).runs());
    }

    /** Returns whether a member that is not stale acts, with the same list of members as another one. */
    private boolean acts(State state, int member, int another) {
        Electorate electorate = thaw(state, member);
        boolean acts = look(electorate, state, member) == Eligibility.CONFIRMED
                && electorate.vote().isCurrent();
        return acts && state.members.get(member).lists == state.members.get(another).lists;
    }

    private State goOn(State state, int index, boolean keeps) {
        Electorate electorate = thaw(state, index);
        look(electorate, state, index);
        electorate.goOn(electorate.ending(), 0);
        Member member = state.members.get(index);
        return state.with(
                index, member.with(member.lists, keeps ? member.knowing : 0).with(electorate));
    }

    private boolean restIsGone(State state, int index) {
        int lists = state.members.get(index).lists;
        return isGone(state, (bit(size) - 1) & ~lists);
    }

    private void merge(State state, int loser, int winner, Steps steps) {
        steps.add(loser + " comes over to " + winner, together(state, loser, (of, each) -> merge(of, each, winner)));
    }

    /**
     * Merges a member into another member's cluster, which receives the merged member's data. The rejoin of the merged
     * member is left out.
     */
    private State merge(State state, int loser, int winner) {
        State next = gone(state, loser);
        for (int i = 0; i < size; i++) {
            Member member = next.members.get(i);
            boolean isWinning =
                    !member.isGone && (i == winner || state.members.get(winner).lists(i));
            if (isWinning) {
                Electorate electorate = thaw(next, i);
                reached.addIf(electorate.absent().contains(name(loser)), MembershipState.EXCUSED);
                electorate.excuse(name(loser));
                int stillKnowing = member.knowing & ~bit(loser);
                boolean knowsAll = (member.knowing & bit(loser)) != 0 && isGone(next, stillKnowing);
                next = next.with(
                        i,
                        member.with(member.lists, knowsAll ? 0 : member.knowing).with(electorate));
            }
        }
        return next;
    }

    private static boolean isGone(State state, int members) {
        for (int i = 0; i < state.members.size(); i++) {
            if ((members & bit(i)) != 0 && !state.members.get(i).isGone) {
                return false;
            }
        }
        return true;
    }
}
