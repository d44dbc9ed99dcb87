// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the rates, range sizes and warnings of {@link RangeState}, with a simulated clock. */
class RangeStateTest {
    private static DatacenterRow withLast(DatacenterRow row, long last) {
        return row.with(new Requests.Grants(Map.of(), last + 1));
    }

    private static final Duration DAY = Duration.ofHours(24);
    private static final RangeSettings SETTINGS =
            new RangeSettings(1_000_000, 16_000_000, 0.5, DAY, Duration.ofSeconds(5));
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final ReservationStats NONE = new ReservationStats(0, 0, 0);

    private long nowNanos = Long.MAX_VALUE - 5 * SECOND; // The clock overflows during some tests, as nanoTime may.
    private final RangeState state = new RangeState(SETTINGS, nowNanos);
    private DatacenterRow row =
            new DatacenterRow(UUID.randomUUID(), 0, 1, 1_000_000, DatacenterRow.NONE, DatacenterRow.NONE);

    private DatacenterRangeStats stats() {
        return state.stats("products", "dc1", NONE, nowNanos);
    }

    /** Uses {@code perSecond} integers per second, in one block every ten seconds. */
    private void use(int perSecond, Duration duration) {
        for (long i = 0; i < duration.toSeconds() / 10; i++) {
            nowNanos += 10 * SECOND;
            row = withLast(row, row.last() + 10L * perSecond);
            state.saw(row, nowNanos);
        }
    }

    @Test
    void theRateIsKnownFromTheStart() {
        assertThat(stats().isRangeKnown()).isFalse();
        state.saw(row, nowNanos);
        assertThat(stats().isRangeKnown()).isTrue();
        assertThat(stats().autonomy()).isEqualTo(IntegerSequence.Stats.ENDLESS);
        use(10, Duration.ofSeconds(50));
        assertThat(stats().isRateKnown()).isFalse();
        use(10, Duration.ofSeconds(70));
        assertThat(stats().isRateKnown()).isTrue();
        assertThat(stats().integersPerSecond()).isCloseTo(10, within(0.5));
        assertThat(stats().remaining()).isEqualTo(1_000_000 - 1_200);
        assertThat(stats().autonomy().toHours()).isBetween(25L, 29L);
    }

    @Test
    void theRateFollowsWithinHours() {
        state.saw(row, nowNanos);
        use(10, Duration.ofHours(3));
        use(20, Duration.ofHours(5));
        assertThat(stats().integersPerSecond()).isCloseTo(20, within(0.5));
        nowNanos += Duration.ofHours(10).toNanos();
        assertThat(stats().integersPerSecond()).isLessThan(0.01);
    }

    @Test
    void theNextIntegersOfAUsedUpRangeAreThoseOfTheNextOne() {
        DatacenterRow before = new DatacenterRow(row.incarnation(), 90, 1, 100, 501, 600);
        assertThat(before.first()).isEqualTo(91);
        assertThat(before.left()).as("no block is of two ranges").isEqualTo(10);
        DatacenterRow usedUp = withLast(before, 100);
        assertThat(usedUp.first()).isEqualTo(501);
        assertThat(usedUp.left()).isEqualTo(100);
        assertThat(withLast(usedUp, 510))
                .isEqualTo(new DatacenterRow(row.incarnation(), 510, 501, 600, DatacenterRow.NONE, DatacenterRow.NONE));
    }

    @Test
    void whatOtherProcessesUsedCountsAlsoOverASwitch() {
        DatacenterRow before = new DatacenterRow(row.incarnation(), 90, 1, 100, 501, 600);
        assertThat(withLast(before, 95).usedSince(before)).isEqualTo(5);
        assertThat(withLast(withLast(before, before.reservedMax()), before.preloadedMin() + 20 - 1)
                        .usedSince(before))
                .isEqualTo(10 + 20);
        DatacenterRow lostAndMadeAnew =
                new DatacenterRow(UUID.randomUUID(), 700, 701, 700, DatacenterRow.NONE, DatacenterRow.NONE);
        assertThat(lostAndMadeAnew.usedSince(before)).isZero();
    }

    @Test
    void aDatacenterWhoseRangesWouldNotLastIsWarnedOfOnce() {
        state.saw(row, nowNanos);
        use(100, Duration.ofSeconds(50));
        assertThat(state.autonomyFell(nowNanos)).as("too early to say").isFalse();
        use(100, Duration.ofSeconds(20));
        assertThat(state.autonomyFell(nowNanos)).isTrue();
        use(100, Duration.ofSeconds(20));
        assertThat(state.autonomyFell(nowNanos)).isFalse();
        assertThat((double) stats().suggestedRangeSize()).isCloseTo(100 * 86_400 * 2.0, within(2e6));
        nowNanos += Duration.ofHours(5).toNanos();
        assertThat(state.autonomyFell(nowNanos)).isFalse();
        use(100, Duration.ofHours(2));
        assertThat(state.autonomyFell(nowNanos)).as("it was well in between").isTrue();
    }

    /** No integers are used during an outage, but the need for integers stays. */
    @Test
    void theRateAfterAnOutageIsThatOfBefore() {
        state.saw(row, nowNanos);
        use(10, Duration.ofHours(3));
        state.reservationFailed();
        nowNanos += Duration.ofHours(4).toNanos();
        assertThat(stats().integersPerSecond()).as("in it").isCloseTo(10, within(0.1));
        state.saw(row, nowNanos);
        assertThat(stats().integersPerSecond()).as("after it").isCloseTo(10, within(0.1));
        // Integers that other processes used during the outage do not count, because the time of the outage does not
        // count.
        state.reservationFailed();
        row = withLast(row, row.last() + 300_000);
        nowNanos += SECOND;
        state.saw(row, nowNanos);
        assertThat(stats().integersPerSecond()).isCloseTo(10, within(0.1));
    }

    /**
     * The suggested size is never below the configured size: few integers may be left because claims fail, and not
     * because ranges are small.
     */
    @Test
    void smallerRangesAreNeverAdvised() {
        state.saw(row, nowNanos);
        use(2, Duration.ofHours(1));
        state.saw(withLast(row, 999_990), nowNanos);
        assertThat(state.autonomyFell(nowNanos)).isTrue();
        assertThat(new RangeSettings(1_000_000, 1, 0.5, DAY, DAY).suggestedSize(2))
                .isEqualTo(1_000_000);
        assertThat(new RangeSettings(1_000, 1, 0.5, DAY, DAY).suggestedSize(2)).isEqualTo(2 * 86_400 * 2);
    }

    @Test
    void aRangeOfTheSizeForAnAutonomyLastsThatLongFromTheWorstMomentOn() {
        long size = CassandraBlockStore.rangeSizeFor(10, DAY, 0.5);
        assertThat(size).isEqualTo(10 * 86_400 * 2);
        assertThat(RangeSettings.autonomy(size / 2, 10)).isEqualTo(DAY);
        assertThat(CassandraBlockStore.rangeSizeFor(0, DAY, 0.9)).isEqualTo(1);
        assertThat(CassandraBlockStore.rangeSizeFor(10, DAY, 0.9)).isGreaterThan(8_000_000);
        assertFails(
                IllegalArgumentException.class, () -> CassandraBlockStore.rangeSizeFor(-1, DAY, 0.5), "-1.0, PT24H");
    }

    // --- claims

    @Test
    void theNextRangeIsClaimedOnceAndFromTheThresholdOn() {
        state.saw(withLast(row, 499_999), nowNanos);
        assertThat(state.beginClaim(nowNanos)).isFalse();
        state.saw(withLast(row, 500_000), nowNanos);
        assertThat(state.beginClaim(nowNanos)).isTrue();
        assertThat(state.beginClaim(nowNanos)).as("while one is under way").isFalse();
        state.endClaim(new DatacenterRow(row.incarnation(), 500_000, 1, 1_000_000, 2_000_001, 3_000_000));
        assertThat(state.beginClaim(nowNanos)).as("while there is a next one").isFalse();
        assertThat(stats().remaining()).isEqualTo(1_500_000);
        assertThat(stats().preloaded()).isEqualTo(1_000_000);
    }

    @Test
    void aClaimThatFailedIsTriedAgainAfterAWhileAndToldWithItsBegin() {
        state.saw(withLast(row, 600_000), nowNanos);
        assertThat(state.beginClaim(nowNanos)).isTrue();
        assertThat(stats().claimsFailFor()).isZero();
        assertThat(state.claimFailed(row, new IllegalStateException("first"), nowNanos))
                .isTrue();
        state.endClaim(null);
        assertThat(state.beginClaim(nowNanos)).isFalse();
        nowNanos += SECOND;
        assertThat(state.beginClaim(nowNanos)).isTrue();
        String since = stats().problem().substring(0, "no range can be claimed since 2026-01-01T".length());
        assertThat(state.claimFailed(row, new IllegalStateException("second"), nowNanos))
                .as("the first in a row")
                .isFalse();
        assertThat(stats().problem()).startsWith(since).endsWith("second");
        nowNanos += SECOND;
        assertThat(stats().claimsFailFor()).as("since the first").isEqualTo(Duration.ofSeconds(2));
        assertThat(state.claimWorked()).isNotNull();
        assertThat(stats().problem()).isEmpty();
        assertThat(stats().claimsFailFor()).isZero();
    }

    @Test
    void aProblemIsOverWhenAnotherProcessHasClaimed() {
        row = withLast(row, 600_000);
        state.saw(row, nowNanos);
        state.claimFailed(row, new IllegalStateException("cut off"), nowNanos);
        state.saw(withLast(row, 700_000), nowNanos);
        assertThat(state.isClaimProblemOvercome()).isFalse();
        DatacenterRow withNext = new DatacenterRow(row.incarnation(), 700_000, 1, 1_000_000, 2_000_001, 3_000_000);
        state.endClaim(withNext);
        assertThat(state.isClaimProblemOvercome()).isTrue();
        state.claimWorked();
        assertThat(state.isClaimProblemOvercome()).isFalse();
        // Now the process reads the row only after the next range, which it saw before the failure, has become the
        // current range. No range was installed since, so the problem remains.
        state.claimFailed(withNext, new IllegalStateException("cut off again"), nowNanos);
        state.saw(withLast(withLast(withNext, withNext.reservedMax()), withNext.preloadedMin()), nowNanos);
        assertThat(state.isClaimProblemOvercome())
                .as("that range was there before")
                .isFalse();
        state.claimFailed(null, new IllegalStateException("the datacenter does not answer"), nowNanos);
        assertThat(state.isClaimProblemOvercome()).isFalse();
        state.saw(new DatacenterRow(row.incarnation(), 4_000_001, 4_000_001, 5_000_000, -2, -2), nowNanos);
        assertThat(state.isClaimProblemOvercome()).isTrue();
    }

    @Test
    void aClaimThatLostTwiceTakesALargerRangeUpToAMaximum() {
        long left = 1_000_000_000_000L;
        assertThat(state.claimSize(left)).isEqualTo(1_000_000);
        state.claimLost();
        assertThat(state.claimSize(left)).isEqualTo(1_000_000);
        state.claimLost();
        assertThat(state.claimSize(left)).isEqualTo(2_000_000);
        state.claimLost();
        assertThat(state.claimSize(left)).isEqualTo(4_000_000);
        for (int i = 0; i < 100; i++) {
            state.claimLost();
        }
        assertThat(state.claimSize(left)).isEqualTo(16_000_000);
        assertThat(state.claimSize(40_000_000)).as("a sixteenth of the rest").isEqualTo(2_000_000);
        assertThat(state.claimSize(5_000_000)).as("but not less than a range").isEqualTo(1_000_000);
        assertThat(state.claimSize(7)).as("nor more than there is").isEqualTo(7);
        state.claimed();
        assertThat(state.claimSize(left)).isEqualTo(1_000_000);
    }

    @Test
    void aClaimThatWasLostWithinTheDatacenterMakesNoRangeLarger() {
        long left = 1_000_000_000_000L;
        state.saw(row, nowNanos);
        state.claimLost();
        state.claimLost();
        DatacenterRow withNext = new DatacenterRow(row.incarnation(), 700_000, 1, 1_000_000, 2_000_001, 3_000_000);
        state.endClaim(withLast(row, 600_000));
        assertThat(state.claimSize(left)).as("no range came").isEqualTo(2_000_000);
        state.endClaim(withNext);
        assertThat(state.claimSize(left)).as("another process has claimed").isEqualTo(1_000_000);
        state.claimLost();
        state.claimLost();
        state.saw(withLast(withLast(withNext, withNext.reservedMax()), withNext.preloadedMin()), nowNanos);
        assertThat(state.claimSize(left)).as("known before").isEqualTo(2_000_000);
        state.saw(new DatacenterRow(row.incarnation(), 4_000_001, 4_000_001, 5_000_000, -2, -2), nowNanos);
        assertThat(state.claimSize(left)).as("claimed, and in use").isEqualTo(1_000_000);
    }

    @Test
    void aRowThatIsBehindWhatWasSeenOfItWasSetBack() {
        state.saw(withLast(row, 600_000), nowNanos);
        assertThat(state.isSetBack(withLast(row, 600_000))).isFalse();
        assertThat(state.isSetBack(withLast(row, 599_999))).isTrue();
        DatacenterRow next = new DatacenterRow(row.incarnation(), 2_000_001, 2_000_001, 3_000_000, -2, -2);
        assertThat(state.isSetBack(next)).isFalse();
        state.saw(next, nowNanos);
        assertThat(state.isSetBack(withLast(row, 600_000))).isTrue();
        assertThat(state.isSetBack(new DatacenterRow(UUID.randomUUID(), 5, 1, 10, -2, -2)))
                .as("another row")
                .isFalse();
    }

    @Test
    void whatIsKnownOfALostRowIsNotTakenOver() {
        state.saw(withLast(row, 600_000), nowNanos);
        assertThat(state.beginClaim(nowNanos)).isTrue();
        state.endClaim(new DatacenterRow(UUID.randomUUID(), 600_000, 1, 1_000_000, 2_000_001, 3_000_000));
        assertThat(stats().preloaded()).isZero();
    }
}
