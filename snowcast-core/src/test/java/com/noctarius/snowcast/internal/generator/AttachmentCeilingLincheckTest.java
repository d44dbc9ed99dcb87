// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests calls that race for the last slots below the ceiling: each slot goes to one call, other calls get none. */
@Tag("faults")
public class AttachmentCeilingLincheckTest {
    private static final int LEFT = 2;
    private static final long LAST_GRANTED = slot(START, 3);

    private final Attachment attachment = AttachmentBuilder.attachment(new EndlessMillisecond())
            .granted(START, START + 1)
            .lastSlot(LAST_GRANTED - LEFT)
            .build();

    @Operation
    public long next() throws InterruptedException {
        return attachment.next();
    }

    @Operation
    public long tryNext() {
        return attachment.tryNext();
    }

    @Test
    void nothingBehindTheCeilingIsIssuedInAnyInterleaving() {
        // No calls run beforehand, because they would use up the two slots.
        new ModelCheckingOptions()
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(5)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(2)
                .sequentialSpecification(FewSlots.class)
                .check(AttachmentCeilingLincheckTest.class);
    }

    public static class FewSlots {
        private long last = LAST_GRANTED - LEFT;

        public long next() {
            if (last == LAST_GRANTED) {
                throw new SnowcastStateException("the lease was not renewed");
            }
            return ++last;
        }

        public long tryNext() {
            return last == LAST_GRANTED ? Attachment.EMPTY : ++last;
        }
    }

    /**
     * A wall clock that always shows the same millisecond. A call that waits for the next millisecond or for the lease
     * fails at once.
     */
    private static final class EndlessMillisecond implements Clock {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long millis() {
            return EPOCH_OFFSET + START;
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void parkUntil(long millis) {
            throw new SnowcastStateException("the next millisecond does not begin");
        }

        @Override
        public void parkNanos(long parkNanos) {
            nanos.addAndGet(parkNanos);
        }
    }
}
