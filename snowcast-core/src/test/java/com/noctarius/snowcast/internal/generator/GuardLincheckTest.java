// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;

import com.noctarius.snowcast.internal.generator.Guard.Verdict;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a guard is linearizable if no call waits: it behaves like the maximum of the accepted times, which a seal
 * makes final.
 */
@Tag("faults")
@Param(name = "after", gen = IntGen.class, conf = "0:3")
public class GuardLincheckTest {
    private final Guard guard = new Guard(
            "lincheck",
            new GrantInUse.Terms(1, EPOCH_OFFSET, EPOCH_OFFSET + 1_000, 0),
            SealableCounterLincheck.stoppedAt(EPOCH_OFFSET),
            new Counts(),
            grant -> {});

    /**
     * Judges a time as a guarded generator does: for the latest accepted time, it does not call {@code judge} again.
     */
    @Operation
    public Verdict judge(@Param(name = "after") int millis) throws InterruptedException {
        long time = EPOCH_OFFSET - 1 + millis;
        return guard.isAtLast(time) ? Verdict.LET_OUT : guard.judge(time);
    }

    @Operation
    public long seal() {
        return guard.seal() - EPOCH_OFFSET;
    }

    @Test
    void isASealableMaximumInEveryInterleaving() {
        SealableCounterLincheck.ofThreeThreads()
                .sequentialSpecification(SealableMaximum.class)
                .check(GuardLincheckTest.class);
    }

    public static final class SealableMaximum {
        private long last = -1;
        private boolean isSealed;

        public Verdict judge(int millis) {
            long time = millis - 1L;
            if (isSealed) {
                return Verdict.SEALED;
            }
            if (time < Math.max(last, 0)) {
                return Verdict.TOO_EARLY;
            }
            last = time;
            return Verdict.LET_OUT;
        }

        public long seal() {
            isSealed = true;
            return last;
        }
    }
}
