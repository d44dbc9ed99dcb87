// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests that calls get no slot above the slot that sealing returns, and none after sealing (-1: sealed). */
@JCStressTest
@Outcome(id = "-1, -1, 0, -1", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, -1, 1, -1", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, 2, 2, -1", expect = Expect.ACCEPTABLE)
@State
public class SealRace {
    private final NumberedAttachment attachment = NumberedAttachment.plenty();

    @Actor
    public void caller(JJJJ_Result result) {
        result.r1 = attachment.next();
        result.r2 = attachment.next();
    }

    @Actor
    public void sealer(JJJJ_Result result) {
        result.r3 = attachment.seal();
    }

    @Arbiter
    public void after(JJJJ_Result result) {
        result.r4 = attachment.next();
    }
}
