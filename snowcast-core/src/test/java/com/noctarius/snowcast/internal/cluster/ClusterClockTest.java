// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterClockTest {
    private static final long START = 1_700_000_000_000L;
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long CONFIRMATION_MILLIS = SteadyClock.CONFIRMATION_SECONDS * 1_000;

    /** The tolerance, in milliseconds, when a cluster time is compared with an expected time. */
    private static final long CLOSE = 2;

    /** Members with separate clocks, the oldest first. Once a second, each one asks all others for their times. */
    private static final class Cluster {
        final List<Member> members = new ArrayList<>();
        long passedMillis;
        private int joined;

        Member join(long wallOffsetMillis) {
            Member member = new Member(START + passedMillis + wallOffsetMillis, joined++);
            members.add(member);
            return member;
        }

        void leave(Member member) {
            members.remove(member);
            Set<UUID> listed = new HashSet<>();
            members.forEach(other -> listed.add(other.uuid));
            members.forEach(other -> other.cluster.retain(listed));
        }

        void run(long millis) {
            for (long i = 0; i < millis; i += 250) {
                passedMillis += 250;
                for (Member member : members) {
                    member.clock.advanceMillis(250);
                    member.look();
                }
                if (passedMillis % 1_000 == 0) {
                    ask();
                }
            }
        }

        void ask() {
            for (Member member : members) {
                for (Member other : members) {
                    if (member != other) {
                        boolean isOlder = members.indexOf(other) < members.indexOf(member);
                        member.cluster.heard(
                                other.uuid,
                                isOlder,
                                other.cluster.steadyMillis(),
                                other.cluster.millis(),
                                member.clock.nanos());
                    }
                }
            }
        }

        long trueMillis() {
            return START + passedMillis;
        }

        void requireTrueTime(long tolerance) {
            for (Member member : members) {
                assertThat(member.millis()).isBetween(trueMillis() - tolerance, trueMillis() + tolerance);
            }
        }
    }

    private static final class Member {
        final UUID uuid;
        final ManualClock clock;
        final ClusterClock cluster;
        private long lastMillis = Long.MIN_VALUE;
        private boolean isInUse;

        Member(long wallMillis, int number) {
            this.uuid = new UUID(0, number);
            this.clock = ManualClock.autoAdvancing(wallMillis);
            clock.advanceNanos(number * 1_234_567_890_123L); // Each member's monotonic clock has another origin.
            clock.stepWall(-number * 1_234_567L);
            this.cluster = new ClusterClock(clock);
        }

        void use() {
            cluster.use();
            isInUse = true;
        }

        void look() {
            cluster.readClocks();
            long now = cluster.millis();
            if (isInUse) {
                assertThat(now).as("cluster time never runs back").isGreaterThanOrEqualTo(lastMillis);
            }
            lastMillis = now;
        }

        long millis() {
            return cluster.millis();
        }
    }

    private static Cluster of(long... wallOffsets) {
        Cluster cluster = new Cluster();
        for (long offset : wallOffsets) {
            cluster.join(offset);
            cluster.ask();
        }
        cluster.members.forEach(Member::use);
        return cluster;
    }

    @ParameterizedTest
    @CsvSource({
        "3, 0, -60000",
        "3, 0, 172800000",
        "3, 1, -3600000",
        "3, 1, 172800000",
        "3, 2, -172800000",
        "3, 2, 4294967296",
        "2, 0, -3600000",
        "2, 0, 172800000",
        "2, 1, -3600000",
        "2, 1, 172800000"
    })
    void noStepOfOneOfSeveralMovesItHoweverLongItLasts(int members, int stepping, long stepMillis) {
        Cluster cluster = of(new long[members]);
        cluster.run(MINUTE);
        cluster.members.get(stepping).clock.stepWall(stepMillis);
        cluster.run(10 * CONFIRMATION_MILLIS);
        cluster.requireTrueTime(CLOSE);
    }

    @Test
    void inAClusterOfOneItRunsAtHalfRateUntilAClockThatWasSetBackHasCaughtUp() {
        Cluster cluster = of(0);
        Member only = cluster.members.get(0);
        only.clock.stepWall(-MINUTE);
        cluster.run(CONFIRMATION_MILLIS);
        assertThat(only.millis()).isBetween(cluster.trueMillis() - 500, cluster.trueMillis());
        cluster.run(MINUTE);
        assertThat(only.millis()).isBetween(cluster.trueMillis() - 31_000, cluster.trueMillis() - 29_000);
        cluster.run(2 * MINUTE);
        assertThat(only.millis()).isEqualTo(only.clock.millis());
    }

    @Test
    void runsAtHalfRateHoweverOftenItIsRead() {
        Cluster cluster = of(0);
        Member only = cluster.members.get(0);
        only.clock.stepWall(-MINUTE);
        cluster.run(CONFIRMATION_MILLIS);
        long aheadMillis = only.millis() - only.clock.millis();
        for (int i = 0; i < 10_000; i++) {
            only.clock.advanceMillis(1);
            only.look();
            only.look();
        }
        assertThat(aheadMillis - (only.millis() - only.clock.millis())).isBetween(4_500L, 5_500L);
    }

    @Test
    void noWrongReadMovesItWhenItBegins() {
        for (int readsBefore = 0; readsBefore < 6; readsBefore++) {
            ManualClock clock = ManualClock.autoAdvancing(START);
            clock.lieOnce(readsBefore, 2 * DAY);
            assertThat(new ClusterClock(clock).millis())
                    .as("after %s reads", readsBefore)
                    .isEqualTo(START);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, 2 * DAY})
    void memberThatJoinsGoesByTheClusterWhateverItsClockShows(long wallOffsetMillis) {
        Cluster cluster = of(0);
        cluster.run(MINUTE);
        Member joining = cluster.join(wallOffsetMillis);
        assertThat(joining.millis()).isEqualTo(cluster.trueMillis() + wallOffsetMillis);
        cluster.ask();
        assertThat(joining.millis()).isBetween(cluster.trueMillis() - CLOSE, cluster.trueMillis() + CLOSE);
        joining.use();
        cluster.run(10 * CONFIRMATION_MILLIS);
        cluster.requireTrueTime(CLOSE);
    }

    @Test
    void memberThatJoinsAClusterWhoseTimeIsAheadOfAllClocksGoesByIt() {
        Cluster cluster = of(0, 0);
        cluster.members.forEach(member -> member.clock.stepWall(-HOUR));
        cluster.run(10 * MINUTE);
        long before = cluster.members.get(0).millis();
        assertThat(before).isGreaterThan(cluster.members.get(0).clock.millis() + 30 * MINUTE);
        Member joining = cluster.join(-HOUR);
        cluster.ask();
        assertThat(joining.millis()).isBetween(before - CLOSE, before + CLOSE);
        joining.use();
        cluster.run(3 * HOUR);
        for (Member member : cluster.members) {
            assertThat(member.millis()).isBetween(member.clock.millis() - CLOSE, member.clock.millis() + CLOSE);
        }
    }

    @Test
    void answersThatTookLongDoNotReplaceOnesThatTookShort() {
        Cluster cluster = of(0, 0, 0);
        Member member = cluster.members.get(0);
        for (Member other : cluster.members) {
            // The answer took a minute. The other member may have read its clock at any moment of that minute.
            long askedNanos = member.clock.nanos() - MINUTE * 1_000_000;
            member.cluster.heard(other.uuid, false, other.cluster.steadyMillis(), other.millis(), askedNanos);
        }
        assertThat(member.millis()).isBetween(cluster.trueMillis() - CLOSE, cluster.trueMillis() + CLOSE);
    }

    @Test
    void afterALeaveItBeginsWithTheOwnClock() {
        Cluster cluster = of(HOUR, HOUR, 0);
        cluster.run(MINUTE);
        Member last = cluster.members.get(2);
        assertThat(last.millis()).isBetween(cluster.trueMillis() + HOUR - CLOSE, cluster.trueMillis() + HOUR + CLOSE);
        last.cluster.reset();
        assertThat(last.millis()).isEqualTo(last.clock.millis());
    }

    @Test
    void staysNearTheTrueTimeThroughAnyScheduleInWhichOneClockAtATimeIsWrong() {
        long first = Long.getLong("snowcast.seed", 1L);
        int rounds = Long.getLong("snowcast.seed") == null ? 6 : 1;
        int joins = 0;
        for (long seed = first; seed < first + rounds; seed++) {
            Random random = new Random(seed);
            Cluster cluster = of(0, 0, 0);
            for (int i = 0; i < 30; i++) {
                Member wrong = cluster.members.get(random.nextInt(cluster.members.size()));
                long step = random.nextLong(-2 * DAY, 2 * DAY) / (1L << random.nextInt(24));
                wrong.clock.stepWall(step);
                cluster.run(random.nextLong(4 * CONFIRMATION_MILLIS));
                if (random.nextInt(3) == 0 && cluster.members.size() > 3) {
                    cluster.leave(wrong);
                } else {
                    wrong.clock.stepWall(-step);
                    // The member's steady clock may follow this correction slowly. Wait until the clock is right again
                    // before another clock becomes wrong. After a large step, the member leaves instead.
                    cluster.run(Math.abs(step) < MINUTE ? 2 * MINUTE + 2 * CONFIRMATION_MILLIS : 0);
                    if (Math.abs(step) >= MINUTE) {
                        cluster.leave(wrong);
                    }
                }
                while (cluster.members.size() < 3 || random.nextInt(3) == 0) {
                    Member joining = cluster.join(0);
                    cluster.ask();
                    joining.use();
                    joins++;
                }
                for (Member member : cluster.members) {
                    assertThat(member.millis())
                            .as("repeat with -Dsnowcast.seed=%s", seed)
                            .isBetween(cluster.trueMillis() - 200, cluster.trueMillis() + 200);
                }
            }
        }
        assertThat(joins).isGreaterThan(rounds);
    }
}
