// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.clock.ManualClock;
import com.noctarius.snowcast.internal.membership.Electorate.Standing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final long MAX_GAP_MILLIS = 5_000;
    private static final long SEARCH_MILLIS = 100_000;

    private final ManualClock clock = ManualClock.blocking(1_000_000);
    private final Random random = new Random(20);

    /** A data member without a network: whom it asks, answers at once. */
    private final class Voter {
        final UUID name = new UUID(random.nextLong(), random.nextLong());
        final Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS);
        final Rounds rounds = new Rounds(random);
        List<Voter> others = List.of();
        boolean runs = true;
        Standing standing = Standing.UNCONFIRMED;
    }

    private List<Voter> voters = List.of();
    private long asked;

    private void join(int count) {
        voters = Stream.generate(Voter::new).limit(count).toList();
        voters.forEach(voter ->
                voter.others = voters.stream().filter(other -> other != voter).toList());
    }

    private List<UUID> names() {
        return voters.stream().map(voter -> voter.name).toList();
    }

    /** Lets time pass for those that run; they look several times per second, as members do. */
    private void run(long millis) {
        List<UUID> list = names();
        for (long passed = 0; passed < millis; passed += 250) {
            for (Voter voter : voters) {
                if (voter.runs) {
                    voter.standing = voter.electorate.look(voter.name, list, 1);
                    ask(voter);
                }
            }
            clock.advanceMillis(250);
        }
    }

    private void ask(Voter voter) {
        Electorate.Asked now = voter.electorate.asked();
        for (Voter other : voter.rounds.due(voter.others, voter.standing != Standing.CONFIRMED, now)) {
            asked++;
            if (other.runs) {
                voter.electorate.told(other.electorate.statements(now.listHash()), now);
            }
        }
    }

    private Set<Standing> standings() {
        return voters.stream()
                .filter(voter -> voter.runs)
                .map(voter -> voter.standing)
                .collect(Collectors.toSet());
    }

    /** Counts questions and, if all were answered, answers. */
    private double messagesPerMemberAndSecond(int seconds) {
        asked = 0;
        run(TimeUnit.SECONDS.toMillis(seconds));
        long running = voters.stream().filter(voter -> voter.runs).count();
        return 2.0 * asked / running / seconds;
    }

    @Test
    void manyMembersConfirmEachOtherWithFewMessages() {
        confirmEachOther(100);
    }

    /** The figures of docs/benchmarks.md. */
    @Test
    @Tag("faults")
    void aThousandMembersDoSo() {
        confirmEachOther(1_000);
    }

    private void confirmEachOther(int members) {
        join(members);
        int seconds = 0;
        do {
            run(1_000);
            seconds++;
        } while (seconds < 60 && !standings().equals(Set.of(Standing.CONFIRMED)));
        assertThat(standings()).as("a minute after all have joined at once").containsOnly(Standing.CONFIRMED);
        double limit = 3 * Math.log(members) / Math.log(2);
        double messages = messagesPerMemberAndSecond(5);
        assertThat(standings()).containsOnly(Standing.CONFIRMED);
        assertThat(messages).as("per member and second").isLessThanOrEqualTo(limit);

        // The network splits, and nobody is removed yet. These are less than half of them.
        IntStream.range(0, members).forEach(i -> voters.get(i).runs = i % 5 < 2);
        run(9_000);
        assertThat(standings()).as("nine seconds later").contains(Standing.CONFIRMED);
        run(1_500);
        assertThat(standings())
                .as("ten seconds after they have lost the majority")
                .containsOnly(Standing.UNCONFIRMED);
        run(2_000);
        double urgent = messagesPerMemberAndSecond(5);
        assertThat(urgent).as("per member that is not confirmed, and second").isLessThanOrEqualTo(limit);
        System.out.printf(
                "%,d members: all confirmed after %d s; questions and answers per member and second: %.1f,"
                        + " without a majority %.1f; limit %.1f%n",
                members, seconds, messages, urgent, limit);
    }

    @Test
    void aSmallClusterAsksEverybodyEverySecond() {
        Rounds rounds = new Rounds(random);
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS);
        assertThat(rounds.due(List.of(1, 2, 3), false, electorate.asked())).containsExactlyInAnyOrder(1, 2, 3);
        clock.advanceMillis(999);
        assertThat(rounds.due(List.of(1, 2, 3), false, electorate.asked())).isEmpty();
        clock.advanceMillis(1);
        assertThat(rounds.due(List.of(1, 2, 3), false, electorate.asked())).hasSize(3);
        assertThat(rounds.due(List.of(), true, electorate.asked())).isEmpty();
    }

    @Test
    void aLargeOneAsksSomeAndOthersInTheNextRound() {
        Rounds rounds = new Rounds(random);
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS);
        List<Integer> others = IntStream.range(0, 999).boxed().toList();
        Set<Integer> all = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            clock.advanceMillis(1_000);
            List<Integer> due = rounds.due(others, false, electorate.asked());
            assertThat(due).hasSize(10).doesNotHaveDuplicates();
            all.addAll(due);
        }
        assertThat(all).hasSizeGreaterThan(500);
    }

    @Test
    void whoIsNotConfirmedAsksFastAndThenSlowerUntilTheListChanges() {
        Rounds rounds = new Rounds(random);
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS);
        join(2);
        List<UUID> list = names();
        electorate.look(list.get(1), list, 1);
        assertThat(gaps(rounds, electorate)).containsExactly(0, 40, 80, 160, 320, 640, 1_000, 1_000);
        electorate.look(list.get(1), list, 2);
        assertThat(gaps(rounds, electorate)).containsExactly(0, 40, 80, 160, 320, 640, 1_000, 1_000);

        clock.advanceMillis(1_000);
        assertThat(rounds.due(list, false, electorate.asked())).isNotEmpty();
        clock.advanceMillis(40);
        assertThat(rounds.due(list, true, electorate.asked()))
                .as("it was confirmed, and is not any more")
                .isNotEmpty();
    }

    /** After how many milliseconds each of the next rounds is due. */
    private List<Integer> gaps(Rounds rounds, Electorate electorate) {
        List<Integer> gaps = new ArrayList<>();
        int gap = 0;
        while (gaps.size() < 8) {
            if (rounds.due(List.of(1), true, electorate.asked()).isEmpty()) {
                clock.advanceMillis(20);
                gap += 20;
            } else {
                gaps.add(gap);
                gap = 0;
            }
        }
        return gaps;
    }
}
