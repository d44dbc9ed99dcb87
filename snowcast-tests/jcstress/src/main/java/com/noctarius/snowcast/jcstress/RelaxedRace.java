// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** No slot is taken twice from the runs of relaxed ordering: four calls, four slots. */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE)
@State
public class RelaxedRace {
    private final NumberedAttachment attachment = NumberedAttachment.relaxed();

    private final long[] slots = new long[4];

    @Actor
    public void one() {
        slots[0] = attachment.next();
        slots[1] = attachment.next();
    }

    @Actor
    public void other() {
        slots[2] = attachment.next();
        slots[3] = attachment.next();
    }

    @Arbiter
    public void count(I_Result result) {
        result.r1 = (int) LongStream.of(slots).distinct().count();
    }
}
