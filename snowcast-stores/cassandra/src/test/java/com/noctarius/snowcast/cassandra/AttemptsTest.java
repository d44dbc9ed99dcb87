// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link Attempts} with a simulated clock, and calculations of {@link Deadline} and {@link StripedDefinition}.
 */
class AttemptsTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNanos = Long.MAX_VALUE - 5 * MILLI; // The clock overflows during some tests, as nanoTime may.
    private final Attempts attempts = new Attempts(() -> nowNanos);

    private void attempt(long nanos, boolean isApplied) {
        attempts.count(() -> {
            nowNanos += nanos;
            return isApplied;
        });
    }

    @Test
    void aSingleSlowPostIsNotHowLongAPostTakes() {
        assertThat(postMillis(3)).as("nothing is known yet").isZero();
        assertThat(postMillis(1_000)).isEqualTo(3);
        assertThat(postMillis(4)).isEqualTo(4);
        assertThat(postMillis(2)).isEqualTo(4);
        assertThat(postMillis(3)).isEqualTo(3);
        assertThat(postMillis(5)).isEqualTo(3);
        assertThat(postMillis(5)).isEqualTo(5);
    }

    private long postMillis(long millis) {
        attempts.post(() -> nowNanos += millis * MILLI);
        return attempts.postNanos() / MILLI;
    }

    /** A client that is alone must read the row regularly, to see the requests that other clients post. */
    @Test
    void aClientLooksForOthersAfterTheTimeOfSixteenAttempts() {
        assertThat(attempts.isLookDue()).as("it is about to read the row").isFalse();
        attempt(2 * MILLI, true);
        attempts.looks();
        attempt(2 * MILLI, true);
        nowNanos += 30 * MILLI;
        assertThat(attempts.isLookDue()).isFalse();
        nowNanos++;
        assertThat(attempts.isLookDue()).isTrue();
        attempts.looks();
        assertThat(attempts.isLookDue()).isFalse();
    }

    @Test
    void noAttemptBeginsWithLessTimeThanTheMedianOfTheLastThree() {
        Deadline minute = Deadline.after(Duration.ofMinutes(1));
        assertThat(attempts.hasTime(minute)).as("nothing is known yet").isTrue();
        attempt(3_600_000 * MILLI, true);
        attempt(3_600_000 * MILLI, true);
        assertThat(attempts.hasTime(minute)).isFalse();
        attempt(MILLI, false);
        assertThat(attempts.hasTime(minute)).isFalse();
        attempt(MILLI, true);
        assertThat(attempts.hasTime(minute)).isTrue();
    }

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
        assertThat(attempts.hasTime(Deadline.after(Duration.ofSeconds(4)))).isTrue();
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
