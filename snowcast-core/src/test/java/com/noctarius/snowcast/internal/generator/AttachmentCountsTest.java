// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.blockingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.runAhead;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
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
    void slotsBelowARandomStartAreNotCounted() throws InterruptedException {
        Attachment attachment = builder().layout(MANY_SLOTS).randomStart(42).build();
        long first = attachment.next();
        assertThat(first & (MANY_SLOTS.idsPerMillisecond() - 1)).isPositive();

        assertThat(attachment.issuedCount()).isOne();
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
    void tryNextThatIsEmptyIsNeitherAnIdNorAWait() {
        Attachment attachment = builder().lastSlot(slot(START, 2)).build();
        assertThat(attachment.tryNext()).isPositive();
        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);

        assertThat(attachment.issuedCount()).isOne();
        assertWaits(0, 0);
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
    void slotsThatInterruptedCallsLostAreNotCounted() {
        Attachment attachment = builder().build();
        runAhead(attachment);

        assertThat(attachment.issuedCount()).isEqualTo(4);
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

    @Test
    void countGoesOnWithTheNextAttachment() throws InterruptedException {
        Attachment first = builder().build();
        first.fill(new long[3], 0, 3);
        clock.advanceMillis(50);
        Attachment second = builder()
                .granted(START + 40, START + 1_000)
                .lastSlot(first.seal())
                .build();
        assertThat(second.issuedCount()).isEqualTo(3);
        second.next();

        assertThat(second.issuedCount()).isEqualTo(4);
        assertThat(first.issuedCount()).as("the former one tells the same").isEqualTo(4);
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
     * Threads generate IDs while attachments are replaced, and calls wait, are interrupted or meet a seal. Another
     * thread reads the count, which never exceeds the requested IDs and never decreases. In the end, the count equals
     * the returned IDs.
     */
    @Test
    @Tag("integration")
    void countIsNeverTooHighNorDecreasesWhileThreadsGenerate() throws Exception {
        Race race = new Race();
        ExecutorService executor = Executors.newCachedThreadPool();
        List<Future<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int kind = i;
            callers.add(executor.submit(() -> race.call(kind)));
        }
        Future<Long> reader = executor.submit(race::read);
        for (int i = 0; i < 150; i++) {
            long until = System.nanoTime() + 4 * MILLI;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            race.replaceAttachment();
        }
        race.ended.set(true);
        race.present.seal();
        long returned = 0;
        for (Future<Long> caller : callers) {
            returned += caller.get();
        }
        assertThat(reader.get()).as("reads").isPositive();
        // A read may have counted lost slots. The count never decreases, so it stays until the next IDs have made up
        // for these slots.
        race.replaceAttachment(3_600_000);
        for (int i = 0; i < 100; i++) {
            race.present.next();
        }
        assertThat(race.present.issuedCount()).isEqualTo(returned + 100);
        executor.shutdown();
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

    private static final class Race {
        final AtomicBoolean ended = new AtomicBoolean();
        final AtomicLong begun = new AtomicLong();
        volatile Attachment present;
        private final AttachmentBuilder builder;
        private final SystemClock clock = SystemClock.INSTANCE;

        Race() {
            builder = attachment(clock).layout(new SnowcastLayout(41, 7, 9)).counts(new Counts());
            present = granted(3).build();
        }

        private AttachmentBuilder granted(long forMillis) {
            long now = idMillis(clock);
            return builder.granted(now - 1, now + forMillis);
        }

        /** Continues with a grant for 3 ms, so that calls have to wait at the end of the grant until the next seal. */
        void replaceAttachment() {
            replaceAttachment(3);
        }

        void replaceAttachment(long grantedForMillis) {
            present = granted(grantedForMillis).lastSlot(present.seal()).build();
        }

        /** Makes calls until {@code ended} is set; returns the number of IDs that the calls got. */
        long call(int kind) throws InterruptedException {
            Callable<Integer> call = kind == 0 ? this::fill : this::next;
            long got = 0;
            while (!ended.get()) {
                if (kind == 1 && got % 5_000 == 4_999) {
                    Thread.currentThread().interrupt();
                }
                got += kind == 3 ? tryNext() : callOrFail(call);
            }
            return got;
        }

        private static int callOrFail(Callable<Integer> call) {
            try {
                return call.call();
            } catch (InterruptedException e) {
                return 0;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private int next() throws InterruptedException {
            begun.incrementAndGet();
            return present.next() > 0 ? 1 : 0;
        }

        private int tryNext() {
            begun.incrementAndGet();
            return present.tryNext() > 0 ? 1 : 0;
        }

        private int fill() throws InterruptedException {
            begun.addAndGet(100);
            return present.fill(new long[100], 0, 100);
        }

        /** Reads the count until {@code ended} is set; returns the number of reads. */
        long read() {
            long before = 0;
            long reads = 0;
            while (!ended.get()) {
                long issued = present.issuedCount();
                long atMost = begun.get();
                if (issued > atMost || issued < before) {
                    assertThat(issued).as("read %d", reads).isBetween(before, atMost);
                }
                before = issued;
                reads++;
            }
            return reads;
        }
    }
}
