// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.cassandra.DatacenterRangeStats;
import com.noctarius.snowcast.cassandra.ReservationStats;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests when the meters of a datacenter's range have values. */
class CassandraMetersTest {
    private static final double HOUR_NANOS = 3_600e9;

    private static DatacenterRangeStats stats(
            boolean isRangeKnown, long remaining, boolean isRateKnown, Duration autonomy) {
        return new DatacenterRangeStats(
                "products",
                "europe",
                isRangeKnown ? 0 : 1,
                0,
                remaining,
                0,
                12.5,
                isRateKnown,
                autonomy,
                1,
                0,
                new ReservationStats(0, 0, 0),
                Duration.ZERO,
                "");
    }

    @Test
    void aRangeThatLastsSaysForHowLong() {
        DatacenterRangeStats stats = stats(true, 45_000, true, Duration.ofHours(1));
        assertThat(CassandraMeters.autonomyNanos(stats)).isEqualTo(HOUR_NANOS);
        assertThat(CassandraMeters.remaining(stats)).isEqualTo(45_000);
        assertThat(CassandraMeters.consumption(stats)).isEqualTo(12.5);
    }

    @Test
    void aRateOfAFewSecondsIsNotShown() {
        DatacenterRangeStats stats = stats(true, 45_000, false, Duration.ofHours(1));
        assertThat(CassandraMeters.autonomyNanos(stats)).isNaN();
        assertThat(CassandraMeters.remaining(stats)).isEqualTo(45_000);
        assertThat(CassandraMeters.consumption(stats)).isNaN();
    }

    @Test
    void aRangeThatIsUsedUpLastsForNoTime() {
        assertThat(CassandraMeters.autonomyNanos(stats(true, 0, true, Duration.ZERO)))
                .isZero();
        assertThat(CassandraMeters.autonomyNanos(stats(true, 0, false, Duration.ZERO)))
                .isZero();
        assertThat(CassandraMeters.remaining(stats(true, 0, true, Duration.ZERO)))
                .isZero();
    }

    @Test
    void aRangeThatIsNotUsedLastsForAnUnknownTime() {
        assertThat(CassandraMeters.autonomyNanos(stats(true, 45_000, true, IntegerSequence.Stats.ENDLESS)))
                .isNaN();
    }

    @Test
    void nothingIsSaidOfARangeThatWasNeverSeen() {
        DatacenterRangeStats stats = stats(false, 0, true, Duration.ZERO);
        assertThat(CassandraMeters.autonomyNanos(stats)).isNaN();
        assertThat(CassandraMeters.remaining(stats)).isNaN();
        assertThat(CassandraStores.details(stats)).containsOnlyKeys("datacenter");
    }
}
