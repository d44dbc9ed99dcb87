// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Iterator;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowcastEpochTest {
    @Test
    void instantIsCutToMilliseconds() {
        Instant instant = Instant.parse("2024-01-01T00:00:00.123456789Z");

        assertThat(SnowcastEpoch.byInstant(instant).getEpochOffset()).isEqualTo(instant.toEpochMilli());
    }

    @ParameterizedTest
    @CsvSource({"1704067200999, 1704067200000", "1704067200000, 1704067200000", "-1, -1000"})
    void calendarIsCutToSeconds(long millis, long offset) {
        assertThat(SnowcastEpoch.byCalendar(calendar(millis)).getEpochOffset()).isEqualTo(offset);
    }

    @Test
    void refusesTheFuture() {
        Instant future = Instant.parse("2999-12-31T23:59:59Z");

        assertThatThrownBy(() -> SnowcastEpoch.byInstant(future))
                .isInstanceOf(SnowcastException.class)
                .hasMessageMatching(
                        "epoch must not lie in the future \\(this clock shows .+Z\\): 2999-12-31T23:59:59Z");
        assertThatThrownBy(() -> SnowcastEpoch.byCalendar(calendar(future.toEpochMilli())))
                .isInstanceOf(SnowcastException.class)
                .hasMessageEndingWith(": 2999-12-31T23:59:59Z");
    }

    /**
     * If an epoch were refused because the clock is wrong, a class with the epoch in a constant could not be
     * initialized, and would stay unusable after the clock is corrected.
     */
    @Test
    void clockThatIsKnownToBeWrongRefusesNoEpoch() {
        Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
        for (String wrong : new String[] {"1970-01-01T00:00:10Z", "2019-03-01T00:00:00Z", "2023-12-31T23:59:59.999Z"}) {
            Clock clock = Clock.fixed(Instant.parse(wrong), ZoneOffset.UTC);
            assertThat(SnowcastEpoch.byInstant(epoch, clock).getEpochOffset()).isEqualTo(epoch.toEpochMilli());
        }
    }

    @Test
    void oneWrongReadRefusesNoEpoch() {
        Iterator<Instant> reads =
                List.of(Instant.parse("2026-03-01T00:00:00Z"), Instant.now()).iterator();
        Clock clock = new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return reads.next();
            }
        };
        Instant epoch = Instant.parse("2026-04-01T00:00:00Z");

        assertThat(SnowcastEpoch.byInstant(epoch, clock).getEpochOffset()).isEqualTo(epoch.toEpochMilli());
    }

    @Test
    void instantsThatNoMillisecondsCanExpressAreRefused() {
        for (Instant instant : new Instant[] {Instant.MIN, Instant.MAX}) {
            assertThatThrownBy(() -> SnowcastEpoch.byInstant(instant))
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessage("epoch must lie between -292275055-05-16T16:47:04.192Z and now: " + instant);
        }
    }

    @Test
    void epochTimestampCountsFromTheEpoch() {
        Instant before = Instant.now();
        long timestamp =
                SnowcastEpoch.byInstant(before.minus(Duration.ofDays(1))).getEpochTimestamp();

        assertThat(timestamp).isGreaterThanOrEqualTo(Duration.ofDays(1).toMillis());
        assertThat(SnowcastEpoch.byInstant(Instant.now()).getEpochTimestamp()).isGreaterThanOrEqualTo(0);
        assertThat(SnowcastEpoch.byTimestamp(Long.MAX_VALUE).getEpochTimestamp())
                .isNegative();
    }

    @Test
    void epochsAreEqualWhenTheirOffsetsAre() {
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(1_000);
        SnowcastEpoch same = SnowcastEpoch.byInstant(Instant.ofEpochSecond(1));

        assertThat(epoch).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(epoch).isNotEqualTo(SnowcastEpoch.byTimestamp(1_001)).isNotEqualTo(1_000L);
        assertThat(epoch).hasToString("SnowcastEpoch{1970-01-01T00:00:01Z}");
    }

    private static Calendar calendar(long millis) {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("America/St_Johns"));
        calendar.setTimeInMillis(millis);
        return calendar;
    }
}
