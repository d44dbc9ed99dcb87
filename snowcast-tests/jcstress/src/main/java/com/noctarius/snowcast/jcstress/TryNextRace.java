// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests the same as {@link NextRace}, with calls that may wait and calls that never wait. */
@JCStressTest
@Outcome(id = "1, 2, 3, 4", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, 3, 2, 4", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, 4, 2, 3", expect = Expect.ACCEPTABLE)
@Outcome(id = "2, 3, 1, 4", expect = Expect.ACCEPTABLE)
@Outcome(id = "2, 4, 1, 3", expect = Expect.ACCEPTABLE)
@Outcome(id = "3, 4, 1, 2", expect = Expect.ACCEPTABLE)
@State
public class TryNextRace {
    private final NumberedAttachment attachment = NumberedAttachment.plenty();

    @Actor
    public void one(JJJJ_Result result) {
        result.r1 = attachment.next();
        result.r2 = attachment.next();
    }

    @Actor
    public void other(JJJJ_Result result) {
        result.r3 = attachment.tryNext();
        result.r4 = attachment.tryNext();
    }
}
