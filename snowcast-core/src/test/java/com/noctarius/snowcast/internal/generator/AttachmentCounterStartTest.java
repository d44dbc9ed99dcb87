// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentCounterStartTest {
    private static final SnowcastLayout DEFAULT = SnowcastLayout.DEFAULT;

    private final ManualClock clock = autoAdvancingClock();

    /**
     * The first three columns are the bits of a layout; the others are the milliseconds between two IDs, and the number
     * of shards. The layouts are the default, {@code JAVASCRIPT}, and one with a single counter bit.
     */
    @ParameterizedTest
    @CsvSource({
        "41, 13, 10, 20, 1024",
        "41, 13, 10, 1, 1024",
        "41, 6, 6, 20, 64",
        "41, 6, 6, 1, 64",
        "41, 16, 1, 20, 2",
        "41, 16, 1, 1, 2",
        "41, 13, 10, 20, 16"
    })
    void slowIdsWithRandomStartFallEvenlyIntoAllResidues(
            int timestampBits, int nodeBits, int counterBits, long pauseMillis, int shards)
            throws InterruptedException {
        int expected = 800;
        Attachment attachment = attachment(clock)
                .layout(new SnowcastLayout(timestampBits, nodeBits, counterBits))
                .granted(START, 1L << 40)
                .randomStart(7)
                .build();
        int[] residues = new int[shards];
        for (int i = 0; i < expected * shards; i++) {
            residues[(int) Long.remainderUnsigned(attachment.idOf(attachment.next()), shards)]++;
            clock.advanceMillis(pauseMillis);
        }

        // 170 is at least six standard deviations of a count.
        assertThat(residues).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(expected - 170, expected + 170);
            }
        });
    }

    @Test
    void afterABusyMillisecondHalfOfTheCounterIsLeft() throws InterruptedException {
        Attachment attachment = attachment(clock).layout(DEFAULT).randomStart(7).build();
        for (int i = 0; i < 10_000; i++) {
            long first = attachment.next();
            for (int call = 1; call < 512; call++) {
                attachment.next();
            }
            // The first burst may run into the next millisecond. Later slots then follow without a gap until they are
            // too far behind the clock. From then on, each burst begins in the lower half of its own millisecond.
            if (i > 100) {
                assertThat(attachment.millisOf(attachment.lastSlot())).isEqualTo(attachment.millisOf(first));
            }
            clock.advanceMillis(1);
        }
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
                // In a millisecond whose last slot is taken, tryNext() returns no slot.
                long slot = i % 2 == 0 ? Attachment.EMPTY : attachment.tryNext();
                id[0] = attachment.idOf(slot == Attachment.EMPTY ? attachment.next() : slot);
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
