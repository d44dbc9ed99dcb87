// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.blockingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentCountsTest {
    private static final SnowcastLayout MANY_SLOTS = new SnowcastLayout(24, 3, 10);
    private static final long MILLI = 1_000_000;

    private final ManualClock clock = autoAdvancingClock();
    private final Counts counts = new Counts();

    private AttachmentBuilder builder() {
        return attachment(clock).counts(counts);
    }

    private void assertWaits(long count, long millis) {
        assertThat(counts.waits.count()).as("waits").isEqualTo(count);
        assertThat(counts.waits.time().toNanos()).as("time of waits").isEqualTo(millis * MILLI);
    }

    @Test
    void idleTimeIsNotCounted() throws InterruptedException {
        Attachment attachment = builder().build();
        assertThat(attachment.issuedCount()).isZero();
        attachment.next();
        clock.advanceMillis(1_000);
        attachment.next();
        clock.advanceMillis(1_000);
        attachment.tryNext();
        clock.advanceMillis(1_000);
        attachment.fill(new long[3], 0, 3);

        assertThat(attachment.issuedCount()).isEqualTo(6);
        assertWaits(0, 0);
    }

    @Test
    void callThatWaitsForTheNextMillisecondIsAWait() throws InterruptedException {
        Attachment attachment = builder().build();
        for (int i = 0; i < 10; i++) {
            attachment.next();
        }

        assertThat(attachment.issuedCount()).isEqualTo(10);
        assertWaits(2, 2);
    }

    @Test
    void batchThatParksSeveralTimesIsAsManyWaits() throws InterruptedException {
        Attachment attachment = builder().build();
        attachment.fill(new long[20], 0, 20);

        assertThat(attachment.issuedCount()).isEqualTo(20);
        assertWaits(4, 4);
    }

    @Test
    void waitForTheCeilingAndThenForTheFloorIsTwoWaits() throws InterruptedException {
        Attachment attachment = builder().granted(START + 5, START + 5).build();
        clock.onNextPark(() -> attachment.renew(START + 7));
        attachment.next();

        assertThat(attachment.issuedCount()).isOne();
        assertWaits(2, 5);
    }

    @Test
    void waitInVainForTheLeaseIsNoId() throws InterruptedException {
        Attachment attachment = builder().granted(START, START + 1).build();
        attachment.fill(new long[4], 0, 4);
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);

        assertThat(attachment.issuedCount()).isEqualTo(4);
        assertWaits(1, 10_000);
    }

    @Test
    void endOfTheLayoutIsNoWait() {
        SnowcastLayout layout = new SnowcastLayout(23, 3, 2);
        Attachment attachment = builder().layout(layout).build();
        clock.advanceMillis(layout.maxTimestamp());
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastIllegalStateException.class);

        assertThat(attachment.issuedCount()).isZero();
        assertWaits(0, 0);
    }

    @Test
    void idThatACallWaitsForIsCountedWhenItIsIssued() throws Exception {
        ManualClock blocking = blockingClock();
        Attachment attachment =
                attachment(blocking).lastSlot(slot(START, 3)).counts(counts).build();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<Long> next = executor.submit(attachment::next);
        blocking.awaitParked(1);
        assertThat(attachment.issuedCount()).isZero();
        assertThat(counts.waits.count()).isOne();

        blocking.advanceMillis(1);
        next.get();
        assertThat(attachment.issuedCount()).isOne();

        blocking.stepWall(-10);
        Future<Long> lost = executor.submit(attachment::next);
        blocking.awaitParked(1);
        attachment.seal();
        blocking.advanceMillis(100);
        assertThat(lost.get()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.issuedCount()).isOne();
        executor.shutdown();
    }

    @Test
    void callsAfterTheSealAreNotCounted() throws InterruptedException {
        Attachment attachment = builder().build();
        attachment.next();
        attachment.seal();
        attachment.next();
        attachment.fill(new long[3], 0, 3);
        attachment.seal();

        assertThat(attachment.issuedCount()).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10})
    void countIsWhatWasReturnedAfterAnySequenceOfCalls(int counterBits) throws InterruptedException {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        Random random = new Random(seed);
        AttachmentBuilder builder = builder().layout(new SnowcastLayout(24, 3, counterBits));
        if (random.nextBoolean()) {
            builder.randomStart(seed);
        }
        Attachment attachment = builder.build();
        long issued = 0;
        long before = 0;
        for (int i = 0; i < 3_000; i++) {
            switch (random.nextInt(9)) {
                case 0 -> clock.advanceMillis(random.nextInt(20));
                case 1 -> clock.stepWall(random.nextInt(41) - 20);
                case 2 -> issued += attachment.tryNext() > 0 ? 1 : 0;
                case 3 -> {
                    int count = random.nextInt(1 << counterBits);
                    issued += attachment.fill(new long[count], 0, count);
                }
                case 4 -> issued += interrupted(attachment) ? 0 : 1;
                case 5 -> {
                    if (random.nextInt(20) == 0) {
                        attachment = builder.granted(idMillis(clock) - 10, START + 1_000_000)
                                .lastSlot(attachment.seal())
                                .build();
                    }
                }
                default -> {
                    for (int j = random.nextInt(100); j > 0; j--) {
                        issued += attachment.next() > 0 ? 1 : 0;
                    }
                }
            }
            if (random.nextInt(3) > 0) {
                long count = attachment.issuedCount();
                assertThat(count).as("after %d calls, seed %d", i, seed).isEqualTo(issued);
                assertThat(count).isGreaterThanOrEqualTo(before);
                before = count;
            }
        }
    }

    private static boolean interrupted(Attachment attachment) {
        Thread.currentThread().interrupt();
        try {
            attachment.next();
            return false;
        } catch (InterruptedException e) {
            return true;
        } finally {
            Thread.interrupted();
        }
    }

    /**
     * One thread generates IDs, with pauses and seals in between. No call fails, so the count must not exceed the begun
     * calls.
     */
    @Test
    void readerNeverSeesMoreThanWasAskedForAmidMovesAndSeals() throws Exception {
        AttachmentBuilder builder = builder().layout(MANY_SLOTS);
        AtomicReference<Attachment> present = new AtomicReference<>(builder.build());
        AtomicLong begun = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<?> reader = executor.submit(() -> {
            long before = 0;
            while (!ended.get()) {
                long issued = Objects.requireNonNull(present.get()).issuedCount();
                long atMost = begun.get();
                if (issued < before || issued > atMost) {
                    assertThat(issued).isBetween(before, atMost);
                }
                before = issued;
            }
        });
        Attachment attachment = Objects.requireNonNull(present.get());
        for (int i = 0; i < 30_000 && !reader.isDone(); i++) {
            for (int j = 0; j < 3; j++) {
                clock.advanceMillis(1);
                begun.incrementAndGet();
                attachment.next();
            }
            long now = idMillis(clock);
            attachment = builder.granted(now - 1, now + 1_000)
                    .lastSlot(attachment.seal())
                    .build();
            present.set(attachment);
        }
        ended.set(true);
        reader.get();
        executor.shutdown();
        assertThat(attachment.issuedCount()).isEqualTo(begun.get());
    }
}
