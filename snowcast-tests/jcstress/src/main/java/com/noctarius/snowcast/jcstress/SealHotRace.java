// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Tests that calls with the cached clock get no slot above the slot that sealing returns, and none after sealing. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE)
@State
public class SealHotRace {
    private final NumberedAttachment attachment = NumberedAttachment.hot();

    private long one;
    private long two;
    private long sealed;

    @Actor
    public void caller() {
        attachment.tick();
        one = attachment.next();
        attachment.passMilli();
        attachment.tick();
        two = attachment.next();
    }

    @Actor
    public void sealer() {
        sealed = attachment.seal();
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        result.r1 = one <= sealed && two <= sealed;
        result.r2 = two > one || two < 0;
        result.r3 = attachment.next() < 0;
    }
}
