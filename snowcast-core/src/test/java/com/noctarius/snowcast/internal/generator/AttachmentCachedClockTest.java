// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.runAhead;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests calls at a high rate. They use a cached time, which the tests update by hand. */
class AttachmentCachedClockTest {
    private static final int BITS = 8;

    private static final int PER_MILLI = 1 << BITS;
    private static final int HIGH_RATE = 100;
    private static final int PER_READ = 64;

    private final ManualClock clock = autoAdvancingClock().caching(HIGH_RATE);
    private final AttachmentBuilder builder = attachment(clock).layout(new SnowcastLayout(30, 3, BITS));

    private static long slot(long millis, int counter) {
        return millis << BITS | counter;
    }

    /** Generates IDs at a high rate, so that calls use the cached time from {@code START + 1} on. */
    private Attachment atHighRate(Attachment attachment) throws InterruptedException {
        take(attachment, HIGH_RATE);
        tickAfter(1);
        take(attachment, 2);
        return attachment;
    }

    private static void take(Attachment attachment, int slots) throws InterruptedException {
        for (int i = 0; i < slots; i++) {
            attachment.next();
        }
    }

    private void tickAfter(long millis) {
        clock.advanceMillis(millis);
        clock.tick();
    }

    private void assertReadsTheClockForEachSlot(Attachment attachment, int count) throws InterruptedException {
        int before = clock.readCount();
        take(attachment, count);
        assertThat(clock.readCount() - before).isGreaterThanOrEqualTo(count);
    }

    @Test
    void theCachedClockSparesReadsForAllButOneOfManySlots() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        int before = clock.readCount();
        take(attachment, PER_MILLI - 3);

        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 1, PER_MILLI - 2));
        assertThat(clock.readCount() - before).isEqualTo(PER_MILLI / PER_READ - 1);
        tickAfter(1);
        assertThat(attachment.next()).isEqualTo(slot(START + 2, 0));
    }

    @Test
    void theCachedClockServesFromMillisecondToMillisecond() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        int before = clock.readCount();
        for (int millis = 2; millis < 100; millis++) {
            tickAfter(1);
            take(attachment, HIGH_RATE);
        }

        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 99, HIGH_RATE - 1));
        assertThat(clock.readCount() - before).as("per millisecond").isLessThanOrEqualTo(98 * 6);
    }

    @Test
    void aLowRateReadsTheClockForEachSlot() throws InterruptedException {
        Attachment attachment = builder.build();
        for (int millis = 0; millis < 100; millis++) {
            tickAfter(1);
            assertReadsTheClockForEachSlot(attachment, HIGH_RATE - 1);
        }
    }

    @Test
    void theFirstSlotIsNotTakenByTheCachedClockWhateverWasTakenBefore() throws InterruptedException {
        Attachment attachment = builder.lastSlot(slot(START - 1, PER_MILLI - 1)).build();
        take(attachment, 2);
        clock.tick();
        assertReadsTheClockForEachSlot(attachment, 10);
    }

    @Test
    void theRateCountsFromARandomStart() throws InterruptedException {
        Attachment attachment = builder.randomStart(7).build();
        take(attachment, HIGH_RATE - 1);
        tickAfter(1);
        take(attachment, 2);
        assertReadsTheClockForEachSlot(attachment, 10);
    }

    @Test
    void aRateOfLongAgoIsNone() throws InterruptedException {
        Attachment attachment = builder.build();
        take(attachment, HIGH_RATE);
        tickAfter(1_000);
        take(attachment, 2);
        assertReadsTheClockForEachSlot(attachment, 10);
    }

    @Test
    void nobodyGoesByATimeThatWasStopped() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        while (clock.tick()) {
            assertThat(attachment.isSealed()).isFalse();
        }
        assertReadsTheClockForEachSlot(attachment, 10);
    }

    @ParameterizedTest
    @CsvSource({"2, false", "9, false", "1000, false", "1000, true"})
    void whenNobodyTicksOneOfManySlotsCorrectsTheTime(int passed, boolean isTried) throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        clock.advanceMillis(passed);
        int taken = 0;
        while (attachment.millisOf(isTried ? attachment.tryNext() : attachment.next()) == START + 1) {
            taken++;
        }

        assertThat(taken).isLessThanOrEqualTo(PER_READ);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 1 + passed, 0));
    }

    @Test
    void tryNextAloneBecomesHot() {
        Attachment attachment = builder.build();
        for (int i = 0; i < HIGH_RATE; i++) {
            attachment.tryNext();
        }
        tickAfter(1);
        attachment.tryNext();
        attachment.tryNext();
        int before = clock.readCount();
        for (int i = 2; i < PER_READ; i++) {
            attachment.tryNext();
        }

        assertThat(clock.readCount()).isEqualTo(before);
    }

    @Test
    void aTickEndsTheSlotsOfTheMillisecondBefore() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        tickAfter(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 2, 0));
        tickAfter(1);
        assertThat(attachment.next()).isEqualTo(slot(START + 3, 0));
    }

    @Test
    void tryNextCatchesUpByTheTickedTime() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        clock.onNextPark(() -> clock.advanceMillis(2));
        take(attachment, PER_MILLI);
        clock.tick();
        int before = clock.readCount();
        for (int i = 0; i < 2 * PER_MILLI - 2; i++) {
            attachment.tryNext();
        }

        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 3, PER_MILLI - 1));
        assertThat(clock.readCount() - before).isLessThanOrEqualTo(2 * PER_MILLI / PER_READ + 4);
    }

    @Test
    void tryNextFindsNothingOnlyIfTheClockSaysSo() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        take(attachment, PER_MILLI - 2);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 1, PER_MILLI - 1));
        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);

        clock.advanceMillis(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 2, 0));
    }

    @Test
    void aFullMillisecondIsFollowedByAWaitForTheNext() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        take(attachment, PER_MILLI - 2);
        int parked = clock.parkCount();

        assertThat(attachment.next()).isEqualTo(slot(START + 2, 0));
        assertThat(clock.parkCount()).isEqualTo(parked + 1);
        assertThat(idMillis(clock)).isEqualTo(START + 2);
    }

    @Test
    void aWordThatIsAMillisecondBehindCatchesUpByTheTickedTime() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        clock.onNextPark(() -> clock.advanceMillis(2));
        take(attachment, PER_MILLI);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 2, 1));
        clock.tick();
        take(attachment, 1);
        int before = clock.readCount();
        take(attachment, PER_MILLI - 3);

        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 2, PER_MILLI - 1));
        assertThat(clock.readCount() - before).isLessThanOrEqualTo(PER_MILLI / PER_READ);
        take(attachment, PER_MILLI);
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 3, PER_MILLI - 1));
        assertThat(clock.readCount() - before).isLessThanOrEqualTo(2 * PER_MILLI / PER_READ + 1);
    }

    @Test
    void aHotWordThatIsFurtherBehindMovesToThePresent() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        clock.onNextPark(() -> clock.advanceMillis(4));
        take(attachment, PER_MILLI);
        clock.tick();

        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 5, 0));
    }

    @Test
    void aWordThatIsAlwaysFullStaysHot() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        take(attachment, PER_MILLI - 2);
        int before = clock.readCount();
        for (int millis = 0; millis < 100; millis++) {
            take(attachment, PER_MILLI);
            clock.tick();
        }

        assertThat(idMillis(clock)).isEqualTo(START + 101);
        assertThat((clock.readCount() - before) / 100).as("per millisecond").isLessThanOrEqualTo(20);
    }

    @Test
    void slotsEndAtTheCeiling() throws InterruptedException {
        Attachment attachment = atHighRate(builder.granted(START, START + 2).build());
        take(attachment, PER_MILLI - 2);
        for (int i = 0; i < 1_000; i++) {
            assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        }
        runAhead(attachment);

        assertThat(attachment.lastSlot()).isLessThanOrEqualTo(slot(START + 2, 0));
        attachment.renew(START + 3);
        tickAfter(1);
        assertThat(attachment.millisOf(attachment.next())).isEqualTo(START + 2);
    }

    @Test
    void failingCallsDoNotRunTheWordAway() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        for (int i = 0; i < 200; i++) {
            runAhead(attachment);
        }

        assertThat(attachment.millisOf(attachment.lastSlot()))
                .isLessThanOrEqualTo(idMillis(clock) + Attachment.MAX_AHEAD_MILLIS + 1);
    }

    @Test
    void sealingEndsCallsByTheCachedClock() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        assertThat(attachment.seal()).isEqualTo(slot(START + 1, 1));

        assertThat(attachment.next()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.tryNext()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.issuedCount()).isEqualTo(HIGH_RATE + 2);
    }

    @Test
    void idsGoOnWhenAHotClockStepsBackAndReturns() throws InterruptedException {
        Attachment attachment = atHighRate(builder.build());
        long last = attachment.lastSlot();
        clock.stepWall(-1_000);
        clock.tick();
        for (int i = 0; i < 3 * PER_MILLI; i++) {
            assertThat(attachment.next()).isEqualTo(++last);
        }
        // The wall clock shows the cached millisecond again, but the last slot is ahead of it.
        clock.stepWall(START + 1 - idMillis(clock));
        clock.tick();
        for (int i = 0; i < PER_MILLI; i++) {
            assertThat(attachment.next()).isEqualTo(++last);
        }
        assertThat(attachment.idTimeMillis()).isGreaterThanOrEqualTo(attachment.millisOf(last));
    }
}
