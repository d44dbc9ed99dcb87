// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** When attempts are made, on a clock that is driven by hand. */
class AttemptsTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Deadline HOUR = Deadline.after(Duration.ofHours(1));

    private final RandomGenerator random = new SplittableRandom(1);
    private long nowNanos = Long.MAX_VALUE - 5 * MILLI; // It runs over, as nanoTime may.
    private final Attempts attempts = new Attempts(() -> nowNanos, () -> random);

    private void attempt(long nanos, boolean isApplied) {
        attempts.count(() -> {
            nowNanos += nanos;
            return new SerialTable.Outcome(isApplied, null);
        });
    }

    /** How many of so many reservations one after the other are followed by a pause. */
    private int pauses(int reservations) {
        return pauses(reservations, 2 * MILLI);
    }

    private int pauses(int reservations, long nanos) {
        int pauses = 0;
        for (int i = 0; i < reservations; i++) {
            attempt(nanos, true);
            long wayNanos = attempts.wayNanos(HOUR);
            pauses += wayNanos > 0 ? 1 : 0;
            nowNanos += wayNanos;
        }
        return pauses;
    }

    @Test
    void whoMeetsNobodyDoesNotWait() {
        assertThat(pauses(100)).isZero();
    }

    @Test
    void afterACollisionThereIsRoomForTheOthersForAWhile() {
        attempt(2 * MILLI, false);
        assertThat(pauses(3)).as("during the first turn").isZero();
        assertThat(pauses(1)).as("after it").isEqualTo(1);
        assertThat(pauses(4)).as("after eight").isEqualTo(1);
        assertThat(pauses(248)).as("after 16, 32, 64, 128 and 256").isEqualTo(5);
        assertThat(pauses(1_000)).as("without another collision").isZero();
        attempt(2 * MILLI, false);
        assertThat(pauses(8)).isEqualTo(2);
    }

    /** So that a process that waits while another one has its turn comes back, fails, and succeeds at once. */
    @Test
    void whoGivesWayDoesSoForLongerThanTheOthersPauseAndTryTwice() {
        for (long median : new long[] {MILLI, 40 * MILLI, 200 * MILLI}) {
            pauses(15, median);
            for (int i = 0; i < 100; i++) {
                attempt(median, false);
                pauses(3, median);
                attempt(median, true);
                assertThat(attempts.wayNanos(HOUR))
                        .isBetween(
                                attempts.maxPauseNanos() + 2 * median,
                                Math.min(2 * attempts.maxPauseNanos() + 2 * median, 2_000 * MILLI));
            }
        }
    }

    /** What a call has left is for attempts, too. */
    @Test
    void givingWayTakesAtMostHalfOfTheTime() {
        attempt(200 * MILLI, false);
        pauses(3, 200 * MILLI);
        attempt(200 * MILLI, true);
        assertThat(attempts.wayNanos(HOUR)).isGreaterThan(1_000 * MILLI);
        assertThat(attempts.wayNanos(Deadline.after(Duration.ofSeconds(1)))).isBetween(1L, 500 * MILLI);
        assertThat(attempts.wayNanos(Deadline.after(Duration.ZERO))).isZero();
    }

    /** A single slow one, as at the end of an outage, makes nobody wait for as long. */
    @Test
    void pausesAreAsLongAsAttemptsMostlyTake() {
        assertThat(attempts.maxPauseNanos()).as("nothing is known yet").isEqualTo(100 * MILLI);
        for (int i = 0; i < 15; i++) {
            attempt(MILLI, true);
        }
        for (int i = 0; i < 7; i++) {
            attempt(1_000 * MILLI, false);
            assertThat(attempts.maxPauseNanos()).isEqualTo(4 * MILLI);
            pauses(8, MILLI);
        }
        for (int i = 0; i < 15; i++) {
            attempt(1_000 * MILLI, true);
        }
        assertThat(attempts.maxPauseNanos()).as("at most").isEqualTo(1_000 * MILLI);
    }

    @Test
    void whoLostTriesAgainAtOnceAndPausesWhenItLosesAgain() {
        Backoff backoff = new Backoff(HOUR, random);
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.nextPauseNanos(4 * MILLI)).isZero();
            assertThat(backoff.nextPauseNanos(4 * MILLI)).isBetween(2 * MILLI, 4 * MILLI);
        }
        assertThat(backoff.attempts()).isEqualTo(200);
    }

    @Test
    void noAttemptBeginsWithLessTimeThanTheMedianTakes() {
        Deadline minute = Deadline.after(Duration.ofMinutes(1));
        assertThat(attempts.hasTime(minute)).as("nothing is known yet").isTrue();
        attempt(3_600_000 * MILLI, true);
        assertThat(attempts.medianNanos()).isEqualTo(3_600_000 * MILLI);
        assertThat(attempts.hasTime(minute)).isFalse();
        attempt(MILLI, true);
        attempt(MILLI, false);
        assertThat(attempts.medianNanos()).isEqualTo(MILLI);
        assertThat(attempts.hasTime(minute)).isTrue();
        for (int i = 0; i < 100; i++) {
            attempt(7 * MILLI, true);
        }
        assertThat(attempts.medianNanos()).isEqualTo(7 * MILLI);
    }

    /** They take as long as they are given, which says nothing about those that will be answered. */
    @Test
    void attemptsWithoutAnAnswerTakeNoTime() {
        attempt(MILLI, true);
        for (int i = 0; i < 20; i++) {
            assertThatExceptionOfType(DriverTimeoutException.class)
                    .isThrownBy(() -> attempts.count(() -> {
                        nowNanos += 5_000 * MILLI;
                        throw new DriverTimeoutException("lost");
                    }));
        }
        assertThat(attempts.medianNanos()).isEqualTo(MILLI);
        assertThat(attempts.stats()).isEqualTo(new ReservationStats(21, 1, 20));
    }

    @Test
    void anAttemptTakesAtMostHalfOfTheCall() {
        assertThat(Deadline.ofAttempts(Duration.ofHours(1)).remaining()).isEqualTo(Duration.ofMinutes(30));
        assertThat(Deadline.after(Duration.ofHours(1)).remaining()).isGreaterThan(Duration.ofMinutes(50));
    }

    @Test
    void stripesGoOnFromAValueOn() {
        StripedDefinition defined = new StripedDefinition(11, 100, 3);
        for (long value = 11; value <= 101; value++) {
            for (int stripe = 0; stripe < 3; stripe++) {
                long k = 0;
                while (k < defined.count(stripe) && defined.block(stripe, k, 1).first() < value) {
                    k++;
                }
                assertThat(defined.firstKFrom(value, stripe)).isEqualTo(k);
            }
        }
    }
}
