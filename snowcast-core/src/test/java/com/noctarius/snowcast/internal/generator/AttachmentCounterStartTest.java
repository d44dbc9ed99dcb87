// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.clock.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the counter starts in a new millisecond. */
class AttachmentCounterStartTest {
    private static final SnowcastLayout DEFAULT = SnowcastLayout.DEFAULT;

    private final ManualClock clock = autoAdvancingClock();

    @Test
    void slowIdsWithRandomStartFallEvenlyIntoAllResidues() throws InterruptedException {
        int millis = 1_000_000;
        Attachment attachment = attachment(clock).layout(DEFAULT).randomStart(7).build();
        int[] residues = new int[16];
        for (int i = 0; i < millis; i++) {
            residues[(int) Long.remainderUnsigned(attachment.idOf(attachment.next()), 16)]++;
            clock.advanceMillis(1);
        }

        assertThat(residues).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(millis / 16 * 9 / 10, millis / 16 * 11 / 10);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 1", "10, 511"})
    void randomStartLiesInTheLowerHalfAndUsesAllOfIt(int counterBits, int maxStart) throws InterruptedException {
        Attachment attachment = attachment(clock)
                .layout(new SnowcastLayout(40, 3, counterBits))
                .randomStart(7)
                .build();
        int max = 0;
        for (int i = 0; i < 10_000; i++) {
            max = Math.max(max, (int) attachment.next() & ((1 << counterBits) - 1));
            clock.advanceMillis(1);
        }

        assertThat(max).isEqualTo(maxStart);
    }

    @Test
    void carryStartsAtZero() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(DEFAULT).randomStart(7).build();
        long slot = attachment.next();
        assertThat(slot & 1_023).isNotZero();
        while (attachment.millisOf(slot) == START) {
            slot = attachment.next();
        }

        assertThat(slot).isEqualTo((START + 1) << 10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomStartsKeepTheOrderStrict(boolean batches) throws InterruptedException {
        Attachment attachment = attachment(clock).layout(DEFAULT).randomStart(7).build();
        long last = 0;
        long[] id = new long[1];
        for (int i = 0; i < 10_000; i++) {
            if (batches) {
                attachment.fill(id, 0, 1);
            } else {
                id[0] = attachment.idOf(i % 2 == 0 ? attachment.next() : attachment.tryNext());
            }
            assertThat(id[0]).isGreaterThan(last);
            last = id[0];
            clock.advanceMillis(i % 3);
        }
    }

    @Test
    void allCallsStartAtTheSameRandomCounter() throws InterruptedException {
        long next = attachment(clock).layout(DEFAULT).randomStart(7).build().next();
        long tryNext = attachment(clock).layout(DEFAULT).randomStart(7).build().tryNext();
        Attachment filling = attachment(clock).layout(DEFAULT).randomStart(7).build();
        filling.fill(new long[1], 0, 1);

        assertThat(tryNext).isEqualTo(next);
        assertThat(filling.lastSlot()).isEqualTo(next);
    }

    @Test
    void saltVariesTheStart() throws InterruptedException {
        long first = attachment(clock).layout(DEFAULT).randomStart(1).build().next();
        long second = attachment(clock).layout(DEFAULT).randomStart(2).build().next();

        assertThat(first).isNotEqualTo(second);
    }

    @Test
    void zeroStartsAtZeroInEveryMillisecond() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(DEFAULT).build();
        for (int i = 0; i < 1_000; i++) {
            assertThat(attachment.next() & 1_023).isZero();
            clock.advanceMillis(1);
        }
    }
}
