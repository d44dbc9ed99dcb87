// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** What is left of a run is at or below what sealing returns, and is not used afterwards; -1 is sealed. */
@JCStressTest
@Outcome(id = "-1, -1, 0, -1", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, -1, 32, -1", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, 2, 32, -1", expect = Expect.ACCEPTABLE)
@State
public class SealRelaxedRace {
    private final NumberedAttachment attachment = NumberedAttachment.relaxed();

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
