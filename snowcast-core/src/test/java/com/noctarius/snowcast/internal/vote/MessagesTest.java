// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counts the requests for votes between data members, and the answers, with the real {@link Electorate} and no network.
 */
class MessagesTest {
    private static final long MAX_GAP_MILLIS = 5_000;
    private static final long SEARCH_MILLIS = 100_000;
    private static final int SECONDS = 20;

    /** By default, Hazelcast sends one heartbeat to each other member every five seconds. */
    private static final double HEARTBEATS_PER_SECOND = 1 / 5.0;

    private final ManualClock clock = ManualClock.blocking(1_000_000);

    /** A data member whose requests the other running members answer at once. */
    private final class Voter {
        final UUID name;
        final Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 0);
        final VoteRounds rounds = new VoteRounds();
        boolean runs = true;
        Eligibility eligibility = Eligibility.UNCONFIRMED;

        Voter(int number) {
            this.name = new UUID(0, number);
        }
    }

    private List<Voter> voters = List.of();
    private long asked;
    private long answered;

    /** Lets time pass. Each running member checks its state four times per second, as real members do. */
    private void run(long millis) {
        List<UUID> list = voters.stream().map(voter -> voter.name).toList();
        for (long passed = 0; passed < millis; passed += 250) {
            for (Voter voter : voters) {
                if (voter.runs) {
                    voter.eligibility = voter.electorate.decide(voter.name, list, 1);
                    ask(voter);
                }
            }
            clock.advanceMillis(250);
        }
    }

    private void ask(Voter voter) {
        if (!voter.rounds.beginIfDue(voter.electorate.asked(), voter.eligibility != Eligibility.CONFIRMED)) {
            return;
        }
        Asked now = voter.electorate.asked();
        for (Voter other : voters) {
            if (other != voter) {
                asked++;
                if (other.runs) {
                    answered++;
                    voter.electorate.answered(other.name, other.electorate.vote(), now);
                }
            }
        }
    }

    private Set<Eligibility> standings() {
        return voters.stream()
                .filter(voter -> voter.runs)
                .map(voter -> voter.eligibility)
                .collect(Collectors.toSet());
    }

    private double messagesPerMemberAndSecond() {
        asked = 0;
        answered = 0;
        run(TimeUnit.SECONDS.toMillis(SECONDS));
        long running = voters.stream().filter(voter -> voter.runs).count();
        return (double) (asked + answered) / running / SECONDS;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 100})
    void membersConfirmEachOther(int members) {
        confirmEachOther(members);
    }

    /** Prints the figures that docs/dev/benchmarks/README.md shows for 1,000 data members. */
    @Test
    @Tag("faults")
    void aThousandMembersDoSo() {
        confirmEachOther(1_000);
    }

    private void confirmEachOther(int members) {
        voters = IntStream.range(0, members).mapToObj(Voter::new).toList();
        int seconds = 0;
        do {
            run(1_000);
            seconds++;
        } while (seconds < 60 && !standings().equals(Set.of(Eligibility.CONFIRMED)));
        assertThat(standings()).as("a minute after all have joined at once").containsOnly(Eligibility.CONFIRMED);
        run(2_000);
        double messages = messagesPerMemberAndSecond();
        assertThat(standings()).containsOnly(Eligibility.CONFIRMED);
        assertThat(messages)
                .as("a question to each other member every two seconds, and the answer to its question")
                .isCloseTo(members - 1, within(0.01));

        // Only every fifth member continues to answer, as after a split of the network. No member is removed from the
        // list yet.
        IntStream.range(0, members).forEach(i -> voters.get(i).runs = i % 5 == 0);
        run(8_000);
        assertThat(standings()).as("eight seconds later").contains(Eligibility.CONFIRMED);
        run(2_500);
        assertThat(standings())
                .as("ten seconds after they have lost the majority")
                .containsOnly(Eligibility.UNCONFIRMED);
        run(4_000);
        double urgent = messagesPerMemberAndSecond();
        assertThat(urgent).as("without a majority").isLessThanOrEqualTo(members - 1);
        System.out.printf(
                "%,d members: all confirmed after %d s; questions and answers per member and second: %.1f,"
                        + " without a majority %.1f; heartbeats of Hazelcast: %.1f%n",
                members, seconds, messages, urgent, (members - 1) * HEARTBEATS_PER_SECOND);
    }
}
