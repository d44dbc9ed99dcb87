// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.Ordering;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** While the time begins to tick and goes on, no slot of a run is taken twice. */
@JCStressTest
@Outcome(id = "6", expect = Expect.ACCEPTABLE)
@State
public class HotRelaxedRace {
    private final NumberedAttachment attachment = NumberedAttachment.hot(Ordering.RELAXED);

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
        slots[4] = attachment.next();
        slots[5] = attachment.next();
    }

    @Arbiter
    public void count(I_Result result) {
        result.r1 = (int) LongStream.of(slots).distinct().count();
    }
}
