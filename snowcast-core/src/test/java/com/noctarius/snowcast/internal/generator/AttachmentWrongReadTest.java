// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentWrongReadTest {
    private static final long FOUR_MINUTES = 240_000;
    private static final long DAYS = 4_294_967_296L;
    private static final int LEASE = 300_000;
    private static final int MOST_READS = 60;

    /** The calls that a process makes when a second has passed since its last call. */
    private enum Use {
        ONE_CALL {
            @Override
            void run(Attachment attachment, List<Long> slots) throws InterruptedException {
                slots.add(attachment.next());
            }
        },
        CALLS_THAT_WAIT_FOR_MILLISECONDS {
            @Override
            void run(Attachment attachment, List<Long> slots) throws InterruptedException {
                for (int i = 0; i < 30; i++) {
                    slots.add(attachment.next());
                }
            }
        },
        ARRAY {
            @Override
            void run(Attachment attachment, List<Long> slots) throws InterruptedException {
                long[] ids = new long[30];
                attachment.fill(ids, 0, ids.length);
                LongStream.of(ids).forEach(slots::add);
            }
        },
        CALLS_THAT_DO_NOT_WAIT {
            @Override
            void run(Attachment attachment, List<Long> slots) {
                for (int i = 0; i < 6; i++) {
                    long slot = attachment.tryNext();
                    if (slot != Attachment.EMPTY) {
                        slots.add(slot);
                    }
                }
            }
        };

        abstract void run(Attachment attachment, List<Long> slots) throws InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    void oneWrongReadNeitherFailsNorHangsACallNorMovesTheWord(Use use) throws InterruptedException {
        for (long by : new long[] {FOUR_MINUTES, DAYS, 1L << 45, -FOUR_MINUTES, -DAYS, -(1L << 45)}) {
            for (int readsBefore = 0; readsBefore < MOST_READS; readsBefore++) {
                String which = by + " ms, after " + readsBefore + " right reads";
                ManualClock clock = autoAdvancingClock();
                Attachment attachment =
                        attachment(clock).granted(START, START + LEASE).build();
                List<Long> slots = new ArrayList<>();
                slots.add(attachment.next());
                clock.advanceMillis(1_000);

                clock.lieOnce(readsBefore, by);
                use.run(attachment, slots);
                long tookMillis = TimeUnit.NANOSECONDS.toMillis(clock.nanos()) - 1_000;

                assertThat(tookMillis).as(which).isLessThan(200);
                assertThat(slots).as(which).isSorted().doesNotHaveDuplicates();
                assertThat(attachment.millisOf(attachment.lastSlot()) - trueMillis(clock))
                        .as("ahead by " + which)
                        .isLessThanOrEqualTo(Attachment.MAX_AHEAD_MILLIS + 1);
                while (!clock.hasLied()) {
                    clock.millis();
                }
                clock.advanceMillis(2_000);
                assertThat(attachment.millisOf(attachment.next())).as(which).isEqualTo(trueMillis(clock));
            }
        }
    }

    private static long trueMillis(ManualClock clock) {
        return START + TimeUnit.NANOSECONDS.toMillis(clock.nanos());
    }

    @Test
    void wrongReadAndAStepAreToldApart() throws InterruptedException {
        List<Long> told = new ArrayList<>();
        ManualClock clock = autoAdvancingClock();
        Attachment attachment = attachment(clock)
                .granted(START, START + LEASE)
                .onClockReads((first, again) -> {
                    told.add(first - EPOCH_OFFSET - START);
                    told.add(again - EPOCH_OFFSET - START);
                })
                .build();
        attachment.next();
        clock.lieOnce(0, FOUR_MINUTES);
        attachment.next();
        assertThat(told).containsExactly(FOUR_MINUTES, 0L);

        told.clear();
        clock.stepWall(FOUR_MINUTES);
        assertThat(attachment.millisOf(attachment.next())).isEqualTo(START + FOUR_MINUTES);
        assertThat(told).containsExactly(FOUR_MINUTES, FOUR_MINUTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 20})
    void callGoesOnWhenAClockThatWasDaysAheadForSomeSecondsIsRightAgain(int parks) throws InterruptedException {
        ManualClock clock = autoAdvancingClock();
        Attachment attachment = attachment(clock).granted(START, START + LEASE).build();
        clock.stepWall(DAYS);
        for (int i = 0; i < parks; i++) {
            clock.onNextPark(() -> clock.advanceMillis(300));
        }
        clock.onNextPark(() -> clock.stepWall(-DAYS));

        assertThat(attachment.millisOf(attachment.next())).isEqualTo(START + 300L * parks);
    }

    @Test
    void callThatFailsSinceTheClockIsDaysAheadSaysWhatIsLeftOfTheLease() {
        ManualClock clock = autoAdvancingClock();
        Attachment attachment = attachment(clock).granted(START, START + LEASE).build();
        clock.stepWall(DAYS);

        assertThatThrownBy(attachment::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("the lease of node ID 5 lasts until 2023-11-15T00:31:40Z (this clock shows"
                        + " 2024-01-03T17:29:37.296Z) and was not renewed within PT10S");
        assertThat(idMillis(clock)).isEqualTo(START + DAYS + 10_000);
    }

    @Test
    void wrongReadDoesNotDelayTheFirstId() throws InterruptedException {
        ManualClock clock = autoAdvancingClock();
        clock.stepWall(-100);
        Attachment attachment = attachment(clock).granted(START, START + LEASE).build();
        clock.lieOnce(1, -DAYS);

        assertThat(attachment.millisOf(attachment.next())).isBetween(START, START + 100);
        assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanos())).isLessThanOrEqualTo(200);
    }
}
