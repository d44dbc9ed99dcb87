// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Tests that only one of two threads gets the last slot (-2: no slot). */
@JCStressTest
@Outcome(id = "1, -2", expect = Expect.ACCEPTABLE)
@Outcome(id = "-2, 1", expect = Expect.ACCEPTABLE)
@State
public class LastSlotRace {
    private final NumberedAttachment attachment = NumberedAttachment.left(1);

    @Actor
    public void one(JJ_Result result) {
        result.r1 = attachment.tryNext();
    }

    @Actor
    public void other(JJ_Result result) {
        result.r2 = attachment.tryNext();
    }
}
