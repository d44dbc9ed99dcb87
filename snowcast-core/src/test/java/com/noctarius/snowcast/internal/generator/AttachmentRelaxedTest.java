// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.ManualClock;
import com.noctarius.snowcast.internal.clock.SystemClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relaxed ordering: unique, within the grant, and in order by millisecond. */
class AttachmentRelaxedTest {
    private static final int THREADS = 8;
    private static final int IDS_PER_THREAD = 300_000;
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(24, 3, 10);

    private final ManualClock clock = autoAdvancingClock();

    private static long slot(long millis, int counter) {
        return millis << LAYOUT.counterBits() | counter;
    }

    @Test
    void threadUsesUpItsRunAndDrawsTheNext() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(LAYOUT).relaxed().build();
        for (int counter = 0; counter < 1_024; counter++) {
            assertThat(attachment.next()).isEqualTo(slot(START, counter));
        }
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void wordIsAheadByTheRestOfTheRun() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(LAYOUT).relaxed().build();
        attachment.next();
        assertThat(attachment.lastSlot()).isEqualTo(slot(START, new SlotRuns(LAYOUT).length - 1));
    }

    @Test
    void runOfAFormerMillisecondIsLost() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(LAYOUT).relaxed().build();
        attachment.next();
        clock.advanceMillis(1);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void noIdOfAnEarlierMillisecondAfterTheClockSteppedBack() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(LAYOUT).relaxed().build();
        attachment.next();
        clock.advanceMillis(1);
        // A batch moves the word but leaves this thread's run of the former millisecond alone.
        attachment.fill(new long[1], 0, 1);
        clock.stepWall(-1);
        assertThat(attachment.next()).isGreaterThan(slot(START + 1, 0));
    }

    @Test
    void nothingIsDrawnBeyondTheCeiling() throws InterruptedException {
        Attachment attachment = attachment(clock)
                .layout(LAYOUT)
                .granted(START, START + 1)
                .relaxed()
                .build();
        for (int counter = 0; counter < 1_024; counter++) {
            assertThat(attachment.next()).isEqualTo(slot(START, counter));
        }
        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        clock.advanceMillis(1);
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void nothingIsIssuedFromARunOnceSealed() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(LAYOUT).relaxed().build();
        long issued = attachment.next();
        assertThat(attachment.seal()).isGreaterThanOrEqualTo(issued);
        assertThat(attachment.next()).isEqualTo(Attachment.SEALED);
    }

    @Test
    @Tag("integration")
    void threadsShareNoIdAndNoMillisecondComesAfterALaterOne() throws Exception {
        long now = idMillis(SystemClock.INSTANCE);
        Attachment attachment = attachment(SystemClock.INSTANCE)
                .layout(new SnowcastLayout(41, 7, 16))
                .granted(now, now + 600_000)
                .relaxed()
                .build();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        AtomicLong lastReturned = new AtomicLong();
        List<Callable<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            callers.add(() -> slots(attachment, lastReturned));
        }
        List<long[]> results = new ArrayList<>();
        for (Future<long[]> result : executor.invokeAll(callers)) {
            results.add(result.get());
        }
        executor.shutdown();

        long[] all = results.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        assertThat(all).hasSize(THREADS * IDS_PER_THREAD);
        assertThat(Arrays.stream(all).distinct().count()).isEqualTo(all.length);
    }

    private static long[] slots(Attachment attachment, AtomicLong lastReturned) throws InterruptedException {
        long[] slots = new long[IDS_PER_THREAD];
        for (int i = 0; i < slots.length; i++) {
            long before = lastReturned.get();
            slots[i] = attachment.next();
            long millis = attachment.millisOf(slots[i]);
            if (millis < before) {
                assertThat(millis).as("millisecond of ID %d", i).isGreaterThanOrEqualTo(before);
            }
            if (millis > before) {
                lastReturned.accumulateAndGet(millis, Math::max);
            }
        }
        return slots;
    }
}
