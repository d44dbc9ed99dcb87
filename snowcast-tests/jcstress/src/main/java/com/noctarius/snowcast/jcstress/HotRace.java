// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/** Tests that each slot is taken once, and that a thread's slots increase, while the cached clock starts to tick. */
@JCStressTest
@Outcome(id = "6, true, true", expect = Expect.ACCEPTABLE)
@State
public class HotRace {
    private final NumberedAttachment attachment = NumberedAttachment.hot();

    private final long[] slots = new long[6];

    @Actor
    public void one() {
        slots[0] = attachment.next();
        slots[1] = attachment.next();
        slots[2] = attachment.next();
    }

    @Actor
    public void other() {
        attachment.tick();
        slots[3] = attachment.next();
        attachment.passMilli();
        attachment.tick();
        slots[4] = attachment.tryNext();
        slots[5] = attachment.next();
    }

    @Arbiter
    public void look(IZZ_Result result) {
        result.r1 = (int) LongStream.of(slots).distinct().count();
        result.r2 = slots[0] < slots[1] && slots[1] < slots[2];
        result.r3 = slots[3] < slots[4] && slots[4] < slots[5];
    }
}
