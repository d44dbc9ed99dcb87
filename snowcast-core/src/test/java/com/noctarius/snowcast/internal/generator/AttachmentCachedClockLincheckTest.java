// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.ManualClock;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link AttachmentLincheckTest}, while calls go by a time that a thread ticks: an attachment is a counter that can be
 * sealed. The first of the ticks makes calls use the cached clock.
 */
@Tag("faults")
public class AttachmentCachedClockLincheckTest {
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(24, 3, 16);

    private final ManualClock clock = AttachmentBuilder.blockingClock().caching(1);
    private final Attachment attachment =
            AttachmentBuilder.attachment(clock).layout(LAYOUT).build();

    public AttachmentCachedClockLincheckTest() throws InterruptedException {
        attachment.next();
        clock.advanceMillis(1);
        attachment.next();
        attachment.next();
    }

    @Operation
    public void tick() {
        clock.tick();
    }

    @Operation
    public long next() throws InterruptedException {
        return attachment.next();
    }

    @Operation
    public long nextOfBatch() throws InterruptedException {
        long[] ids = new long[1];
        return attachment.fill(ids, 0, 1) == 0
                ? Attachment.SEALED
                : LAYOUT.timestampValue(ids[0]) << LAYOUT.counterBits() | LAYOUT.counterValue(ids[0]);
    }

    @Operation
    public long tryNext() {
        return attachment.tryNext();
    }

    @Operation(runOnce = true)
    public long seal() {
        return attachment.seal();
    }

    @Test
    void isASealedCounterInEveryInterleaving() {
        // No calls before: the first ones shall race for the idle word.
        new ModelCheckingOptions()
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(20)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(SealableCounter.class)
                .check(AttachmentCachedClockLincheckTest.class);
    }

    /** What an attachment is to one thread. */
    public static class SealableCounter {
        private long last = ((START + 1) << LAYOUT.counterBits()) + 1;
        private boolean sealed;

        public void tick() {
            // Changes no number.
        }

        public long next() {
            return sealed ? Attachment.SEALED : ++last;
        }

        public long nextOfBatch() {
            return next();
        }

        public long tryNext() {
            return next();
        }

        public long seal() {
            sealed = true;
            return last;
        }
    }
}
