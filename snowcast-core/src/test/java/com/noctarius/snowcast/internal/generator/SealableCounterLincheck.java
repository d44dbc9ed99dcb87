// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.UnawaitedClock;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Tests that an attachment whose calls need not wait is a counter that can be sealed: each concurrent execution has the
 * results of a sequential one. Each execution seals the attachment only once. A second seal could return a higher
 * value, because calls that lost the race against the first seal still move the counter.
 */
public abstract class SealableCounterLincheck {
    static final SnowcastLayout LAYOUT = new SnowcastLayout(24, 3, 16);

    final Clock clock;
    private final Attachment attachment;
    private final Class<? extends SealableCounter> specification;

    SealableCounterLincheck(Clock clock, Class<? extends SealableCounter> specification) {
        this.clock = clock;
        this.attachment = AttachmentBuilder.attachment(clock).layout(LAYOUT).build();
        this.specification = specification;
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
        ofThreeThreads().sequentialSpecification(specification).check(getClass());
    }

    static UnawaitedClock stoppedAt(long millis) {
        return () -> millis;
    }

    /**
     * No operations run before the concurrent ones, so the first concurrent calls of a new attachment race to move its
     * last slot to the present.
     */
    static ModelCheckingOptions ofThreeThreads() {
        return new ModelCheckingOptions()
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(20)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3);
    }

    public abstract static class SealableCounter {
        private long last;
        private boolean sealed;

        SealableCounter(long last) {
            this.last = last;
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
