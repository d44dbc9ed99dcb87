// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.blockingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.runAhead;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachmentWaitTest {
    private final ManualClock clock = blockingClock();

    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @Test
    void eachWaitingThreadGetsItsOwnSlotWhenItsMillisecondBegins() throws Exception {
        Attachment attachment = attachment(clock).lastSlot(slot(START + 1, 2)).build();
        Waiting<Long> first = Waiting.start(attachment::next);
        clock.awaitParked(1);
        Waiting<Long> second = Waiting.start(attachment::next);
        clock.awaitParked(2);

        clock.advanceMillis(1);
        assertThat(first.get()).isEqualTo(slot(START + 1, 3));
        clock.awaitParked(1);
        clock.advanceMillis(1);
        assertThat(second.get()).isEqualTo(slot(START + 2, 0));
    }

    @Test
    void renewalWakesAllThreadsAtTheCeiling() throws Exception {
        Attachment attachment = attachment(clock).granted(START, START).build();
        Waiting<Long> first = Waiting.start(attachment::next);
        Waiting<Long> second = Waiting.start(attachment::next);
        clock.awaitParked(2);

        attachment.renew(START + 1);

        assertThat(new long[] {first.get(), second.get()}).containsExactlyInAnyOrder(slot(START, 0), slot(START, 1));
    }

    /** The wall clock steps a day ahead. No renewal reaches that time, so ID time follows the monotonic clock. */
    @Test
    void renewalWakesAThreadAtTheCeilingThoughTheClockHasSteppedAheadMeanwhile() throws Exception {
        Attachment attachment = attachment(clock).granted(START, START).build();
        Waiting<Long> next = Waiting.start(attachment::next);
        clock.awaitParked(1);

        clock.stepWall(86_400_000);
        attachment.grantedFrom(START);
        attachment.renew(START + 1_000);

        assertThat(next.get()).isEqualTo(slot(START, 0));
    }

    @Test
    void sealWakesAThreadAtTheCeiling() throws Exception {
        Attachment attachment = attachment(clock).granted(START, START).build();
        Waiting<Long> next = Waiting.start(attachment::next);
        Waiting<Long> fill = Waiting.start(() -> (long) attachment.fill(new long[2], 1, 2));
        clock.awaitParked(2);

        attachment.seal();

        assertThat(next.get()).isEqualTo(Attachment.SEALED);
        assertThat(fill.get()).isOne();
    }

    /** The thread waits for the millisecond of its slot, or for reserved slots to be used up. */
    @ParameterizedTest
    @CsvSource({"0, 3, 1", "65, 0, 65"})
    void threadThatWaitsForItsMillisecondFailsWhenThatBeginsIfSealedMeanwhile(int ahead, int counter, int aheadAtSeal)
            throws Exception {
        Attachment attachment =
                attachment(clock).lastSlot(slot(START + ahead, counter)).build();
        Waiting<Long> next = Waiting.start(attachment::next);
        clock.awaitParked(1);

        assertThat(attachment.seal()).isEqualTo(slot(START + aheadAtSeal, 0));
        clock.advanceMillis(1);

        assertThat(next.get()).isEqualTo(Attachment.SEALED);
    }

    /** The floor is 100 ms ahead. Calls wait for such a floor, but not for one that is far ahead. */
    @Test
    void threadThatWaitsForTheFloorFailsWhenThatBeginsIfSealedMeanwhile() throws Exception {
        Attachment attachment =
                attachment(clock).granted(START + 100, START + 9_000).build();
        Waiting<Long> next = Waiting.start(attachment::next);
        Waiting<Long> fill = Waiting.start(() -> (long) attachment.fill(new long[2], 1, 2));
        clock.awaitParked(2);

        attachment.seal();
        clock.advanceMillis(100);

        assertThat(next.get()).isEqualTo(Attachment.SEALED);
        assertThat(fill.get()).isOne();
    }

    @Test
    void interruptEndsAWaitAndItsSlotIsNeverReissued() throws Exception {
        Attachment attachment = attachment(clock).lastSlot(slot(START, 3)).build();
        Waiting<Long> next = Waiting.start(attachment::next);
        clock.awaitParked(1);

        next.thread().interrupt();

        assertThatThrownBy(next::get).isInstanceOf(InterruptedException.class);
        clock.advanceMillis(1);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 1));
    }

    @Test
    void interruptEndsTheWaitsForCeilingAndFloorWhichTakeNoSlot() throws Exception {
        Attachment atCeiling = attachment(clock).granted(START, START).build();
        Attachment atFloor = attachment(clock).granted(START + 1, START + 2).build();
        for (Attachment attachment : new Attachment[] {atCeiling, atFloor}) {
            long last = attachment.lastSlot();
            Waiting<Long> next = Waiting.start(attachment::next);
            clock.awaitParked(1);

            next.thread().interrupt();

            assertThatThrownBy(next::get).isInstanceOf(InterruptedException.class);
            assertThat(attachment.lastSlot()).isEqualTo(last);
        }
    }

    @Test
    void callThatNeedNotWaitLeavesTheInterruptFlagSet() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        Thread.currentThread().interrupt();

        assertThat(attachment.next()).isEqualTo(slot(START, 0));
        assertThat(attachment.next()).isEqualTo(slot(START, 1));
        assertThat(attachment.fill(new long[2], 0, 2)).isEqualTo(2);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatThrownBy(attachment::next).isInstanceOf(InterruptedException.class);
    }

    @Test
    void reservedSlotsOfInterruptedCallsRunAtMostSixtyFiveMillisecondsAhead() {
        Attachment attachment = attachment(clock).build();
        runAhead(attachment);

        assertThat(attachment.millisOf(attachment.lastSlot())).isEqualTo(START + 65);
        assertThat(attachment.idTimeMillis()).isEqualTo(START);
        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
    }
}
