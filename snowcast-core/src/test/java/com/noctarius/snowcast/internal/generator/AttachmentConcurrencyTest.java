// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests an attachment that many threads use, with the real clocks, while it is renewed and finally sealed. */
@Tag("integration")
class AttachmentConcurrencyTest {
    private static final int THREADS = 6;
    private static final int RUN_MILLIS = 700;
    private static final int LEASE_MILLIS = 50;

    @AutoClose("shutdownNow")
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    private final SystemClock clock = SystemClock.INSTANCE;
    private final CountDownLatch anyIssued = new CountDownLatch(1);

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 16})
    void threadsShareNoIdAndTheSealCoversAll(int counterBits) throws Exception {
        long start = idMillis(clock);
        SnowcastLayout layout = new SnowcastLayout(41, 7, counterBits);
        Attachment attachment =
                attachment(clock).layout(layout).granted(start, start).build();
        List<Future<long[]>> callers = startCallers(attachment);
        // On a busy machine, RUN_MILLIS may pass before any caller gets a processor.
        while (idMillis(clock) < start + RUN_MILLIS || anyIssued.getCount() > 0) {
            attachment.renew(idMillis(clock) + LEASE_MILLIS);
            clock.parkNanos(1_000_000);
        }
        long sealed = attachment.seal();

        long[] ids = assertStrictlyIncreasingPerThread(callers);
        Arrays.sort(ids);
        assertStrictlyIncreasing(ids);
        assertThat(ids).isNotEmpty();
        long last = ids[ids.length - 1];
        assertThat(layout.timestampValue(ids[0])).isGreaterThanOrEqualTo(start);
        assertThat(layout.timestampValue(last)).isLessThan(attachment.ceiling());
        assertThat(last).isLessThanOrEqualTo(attachment.idOf(sealed));
        assertThat(Arrays.stream(ids).mapToInt(layout::logicalNodeId).distinct())
                .containsExactly(AttachmentBuilder.NODE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    void sealAmidCallsCoversTheirIdsAndLeavesNoThreadWaiting(int counterBits) throws Exception {
        for (int round = 0; round < 200; round++) {
            long start = idMillis(clock);
            Attachment attachment = attachment(clock)
                    .layout(new SnowcastLayout(41, 7, counterBits))
                    .granted(start, start)
                    .build();
            long first = attachment.lastSlot();
            List<Future<long[]>> callers = startCallers(attachment);
            while (attachment.lastSlot() == first) {
                attachment.renew(idMillis(clock) + 2);
            }
            long sealed = attachment.seal();

            LongStream ids = Arrays.stream(assertStrictlyIncreasingPerThread(callers));
            assertThat(ids.max().orElse(0)).isLessThanOrEqualTo(attachment.idOf(sealed));
        }
    }

    private List<Future<long[]>> startCallers(Attachment attachment) {
        List<Future<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            callers.add(executor.submit(new Caller(attachment, i % 3, anyIssued)));
        }
        return callers;
    }

    /** Waits for the callers, checks that the IDs of each caller increase, and returns all IDs. */
    private static long[] assertStrictlyIncreasingPerThread(List<Future<long[]>> callers) throws Exception {
        List<long[]> ids = new ArrayList<>();
        for (Future<long[]> caller : callers) {
            ids.add(caller.get());
            assertStrictlyIncreasing(caller.get());
        }
        return ids.stream().flatMapToLong(Arrays::stream).toArray();
    }

    private static void assertStrictlyIncreasing(long[] ids) {
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] <= ids[i - 1]) {
                assertThat(ids[i]).as("ID %d", i).isGreaterThan(ids[i - 1]);
            }
        }
    }

    /** A thread that takes IDs until the attachment is sealed; at most about half a million, to limit memory. */
    private record Caller(Attachment attachment, int kind, CountDownLatch anyIssued) implements Callable<long[]> {
        private static final int MAX_IDS = 500_000;

        @Override
        public long[] call() throws InterruptedException {
            long[] ids = new long[1_000];
            int count = 0;
            while (count < MAX_IDS && !attachment.isSealed()) {
                if (count == ids.length) {
                    ids = Arrays.copyOf(ids, count * 2);
                }
                count = switch (kind) {
                    case 0 -> keep(attachment.next(), ids, count);
                    case 1 -> keep(attachment.tryNext(), ids, count);
                    default -> attachment.fill(ids, count, Math.min(count + count % 997, ids.length - 1) + 1);
                };
                if (count > 0) {
                    anyIssued.countDown();
                }
            }
            return Arrays.copyOf(ids, count);
        }

        private int keep(long slot, long[] ids, int count) {
            if (slot < 0) {
                Thread.onSpinWait();
                return count;
            }
            ids[count] = attachment.idOf(slot);
            return count + 1;
        }
    }
}
