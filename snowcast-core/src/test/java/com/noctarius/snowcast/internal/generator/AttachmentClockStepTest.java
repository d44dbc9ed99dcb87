// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.runAhead;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentClockStepTest {
    private static final int HOUR = 3_600_000;

    private final ManualClock clock = autoAdvancingClock();

    @Test
    void idsGoOnWhenTheWallClockStepsBackByAnHour() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        long last = attachment.next();
        clock.stepWall(-HOUR);

        for (int i = 0; i < 1_000; i++) {
            long slot = attachment.next();
            assertThat(slot).isEqualTo(++last);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanos())).isEqualTo(1_000 / 4 * 2);
    }

    @Test
    void callsWaitForTheMonotonicClockWhileTheWallClockIsAheadOfTheLease() throws InterruptedException {
        Attachment attachment =
                attachment(clock).granted(START, START + HOUR / 60).build();
        attachment.grantedFrom(START);
        attachment.next();
        clock.stepWall(HOUR);

        for (int i = 1; i < 40; i++) {
            assertThat(attachment.next()).isEqualTo(slot(START + i / 4, i % 4));
            assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanos())).isEqualTo(i / 4);
        }
    }

    @Test
    void idTimeAdvancesAtHalfRateUntilTheWallHasCaughtUp() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.stepWall(-HOUR);
        assertThat(attachment.idTimeMillis()).isEqualTo(START);

        clock.advanceMillis(HOUR / 2);
        assertThat(attachment.idTimeMillis()).isEqualTo(START + HOUR / 4);
        clock.advanceMillis(HOUR);
        assertThat(attachment.idTimeMillis()).isEqualTo(START + HOUR / 2).isEqualTo(idMillis(clock));
        assertThat(attachment.next()).isEqualTo(slot(START + HOUR / 2, 0));
    }

    @Test
    void busyWordReturnsToTheWallAfterTwiceTheStep() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.stepWall(-200);
        while (idMillis(clock) < START + 1_000) {
            attachment.next();
        }

        assertThat(attachment.millisOf(attachment.lastSlot())).isEqualTo(START + 1_000);
        assertThat(attachment.idTimeMillis()).isEqualTo(idMillis(clock));
    }

    @Test
    void slotsReservedAtHalfRateWaitForTheWallOnceThatHasCaughtUp() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.stepWall(-200);
        for (int millis : new int[] {260, 130, 50}) {
            runAhead(attachment);
            clock.advanceMillis(millis);
        }
        assertThat(idMillis(clock)).isEqualTo(START + 240);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 260, 0));

        assertThat(attachment.next()).isEqualTo(slot(START + 260, 1));
        assertThat(idMillis(clock)).isEqualTo(START + 260);
    }

    @Test
    void tryNextDoesNotDisturbHalfRate() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.stepWall(-HOUR);
        assertThat(attachment.idTimeMillis()).isEqualTo(START);
        clock.advanceMillis(HOUR / 2);

        assertThat(attachment.tryNext()).isEqualTo(slot(START, 1));
        assertThat(attachment.idTimeMillis()).isEqualTo(START + HOUR / 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63})
    void smallStepBackWaitsForTheWall(int step) throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        long last = attachment.next();
        clock.stepWall(-step);

        assertThat(attachment.next()).isEqualTo(last + 1);
        assertThat(idMillis(clock)).isEqualTo(START);
    }

    /**
     * A wall clock that always shows the same millisecond, or alternates between two. Monotonic time passes only in
     * parks.
     */
    private static final class StandingClock implements Clock {
        private final boolean isSetBack;
        private long nanos;
        private int parks;

        StandingClock(boolean isSetBack) {
            this.isSetBack = isSetBack;
        }

        @Override
        public long millis() {
            return EPOCH_OFFSET + START + (isSetBack ? parks % 2 : 0);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void parkUntil(long millis) {
            parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(millis - millis(), 250)));
        }

        @Override
        public void parkNanos(long parkNanos) {
            parks++;
            assertThat(parks).as("how often the call parks").isLessThan(10_000);
            nanos += Math.max(parkNanos, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idsGoOnAtHalfRateWhileTheWallClockStandsStill(boolean isSetBack) throws InterruptedException {
        StandingClock standing = new StandingClock(isSetBack);
        Attachment attachment = attachment(standing).build();
        long last = attachment.next();
        long longestNanos = 0;
        for (int i = 0; i < 8_000; i++) {
            long before = standing.nanos;
            long slot = attachment.next();
            assertThat(slot).isGreaterThan(last);
            last = slot;
            longestNanos = Math.max(longestNanos, standing.nanos - before);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(standing.nanos)).isBetween(8_000L / 4 * 2 - 10, 8_000L / 4 * 2 + 10);
        assertThat(TimeUnit.NANOSECONDS.toMillis(longestNanos)).isLessThan(10);
        assertThat(attachment.clockProblem()).containsPattern("this clock is (1999|2000) ms behind the IDs");
    }

    @Test
    void clockThatIsFarBehindTheIdsIsReportedToTheLease() throws InterruptedException {
        List<Long> reads = new ArrayList<>();
        Attachment attachment = attachment(clock)
                .onClockReads((first, again) -> reads.addAll(List.of(first, again)))
                .build();
        attachment.next();
        clock.stepWall(-IdTime.STEP_BACK_MILLIS);
        attachment.idTimeMillis();
        assertThat(reads).isEmpty();
        clock.stepWall(-1);
        attachment.idTimeMillis();
        assertThat(reads).containsExactly(clock.millis(), clock.millis());
    }

    @Test
    void clockThatStandsStillAfterABusyTimeStopsNoCallForLong() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        while (idMillis(clock) < START + 10_000) {
            attachment.next();
        }
        long before = clock.nanos();
        long frozen = clock.millis();
        for (int i = 0; i < 40; i++) {
            clock.stepWall(frozen - clock.millis());
            attachment.next();
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanos() - before)).isLessThan(60);
    }

    @Test
    void stepForwardAndBackLeavesNoLastingRunAhead() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        clock.stepWall(HOUR);
        attachment.next();
        clock.stepWall(-HOUR);
        attachment.next();
        clock.advanceMillis(2 * HOUR);

        assertThat(attachment.next()).isEqualTo(slot(START + 2 * HOUR, 0));
        assertThat(idMillis(clock)).isEqualTo(START + 2 * HOUR);
    }

    @Test
    void stepForwardEndsHalfRateAtOnce() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.stepWall(-HOUR);
        assertThat(attachment.idTimeMillis()).isEqualTo(START);
        clock.advanceMillis(60_000);
        clock.stepWall(HOUR - 40_000);

        assertThat(attachment.next()).isEqualTo(slot(START + 20_000, 0));
        attachment.fill(new long[3], 0, 3);
        assertThat(attachment.next()).isEqualTo(slot(START + 20_001, 0));
        assertThat(idMillis(clock)).isEqualTo(START + 20_001);
    }

    @Test
    void halfRateStopsAtTheCeiling() throws InterruptedException {
        Attachment attachment = attachment(clock).granted(START, START + 10).build();
        attachment.next();
        clock.stepWall(-HOUR);

        assertThatThrownBy(() -> attachment.fill(new long[100], 0, 100)).isInstanceOf(SnowcastStateException.class);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 9, 3));
    }

    @Test
    void clockBeyondEveryLayoutIsWrongAndNeverWraps() throws InterruptedException {
        Attachment attachment = attachment(clock)
                .layout(new SnowcastLayout(40, 1, 22))
                .granted(START, START + 1)
                .build();
        attachment.next();
        for (int bit = 40; bit < 53; bit++) {
            clock.stepWall((1L << bit) - idMillis(clock));
            String shown = Instant.ofEpochMilli(clock.millis() + 10_000).toString();
            assertThatThrownBy(attachment::next)
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("lasts until 2023-11-15T00:26:40.001Z (this clock shows " + shown + ")");
            assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        }
    }
}
