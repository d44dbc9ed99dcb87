// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;

import com.noctarius.snowcast.internal.base.ManualClock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;

/**
 * Tests an attachment like {@link AttachmentLincheckTest}, but with a cached time, which one of the operations updates.
 * After the first update, calls use the cached time.
 */
@Tag("faults")
public final class AttachmentCachedClockLincheckTest extends SealableCounterLincheck {
    public AttachmentCachedClockLincheckTest() throws InterruptedException {
        super(AttachmentBuilder.blockingClock().caching(1), FromTheThird.class);
        next();
        clock().advanceMillis(1);
        next();
        next();
    }

    private ManualClock clock() {
        return (ManualClock) clock;
    }

    @Operation
    public void tick() {
        clock().tick();
    }

    /** The specification of an attachment that has issued one ID, and two more in the next millisecond. */
    public static final class FromTheThird extends SealableCounter {
        public FromTheThird() {
            super(((START + 1) << LAYOUT.counterBits()) + 1);
        }

        public void tick() {
            // An update of the time does not change the counter.
        }
    }
}
