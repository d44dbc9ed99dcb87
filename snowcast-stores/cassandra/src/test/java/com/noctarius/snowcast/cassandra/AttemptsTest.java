// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long attempts take, on a clock that is driven by hand. */
class AttemptsTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNanos = Long.MAX_VALUE - 5 * MILLI; // It runs over, as nanoTime may.
    private final Attempts attempts = new Attempts(() -> nowNanos);

    private void attempt(long nanos, boolean isApplied) {
        attempts.count(() -> {
            nowNanos += nanos;
            return isApplied;
        });
    }

    /** What a client knows of attempts may be long ago; a single slow post makes it wait no longer than an attempt takes. */
    @Test
    void aClientLooksAfterTwiceTheTimeOfItsPostAndNoLaterThanAnAttemptTakes() {
        assertThat(attempts.lookNanos()).as("nothing is known yet").isZero();
        attempt(7 * MILLI, true);
        attempts.post(() -> nowNanos += MILLI);
        assertThat(attempts.lookNanos()).isEqualTo(2 * MILLI);
        attempts.post(() -> nowNanos += 1_000 * MILLI);
        assertThat(attempts.lookNanos()).isEqualTo(7 * MILLI);
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
