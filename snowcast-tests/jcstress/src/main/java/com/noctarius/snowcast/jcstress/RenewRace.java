// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Tests that no slot is handed out before it is granted, and no granted slot is skipped (-2: no slot). */
@JCStressTest
@Outcome(id = "-2, -2, 1", expect = Expect.ACCEPTABLE)
@Outcome(id = "-2, 1, 2", expect = Expect.ACCEPTABLE)
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE)
@State
public class RenewRace {
    private final NumberedAttachment attachment = NumberedAttachment.notGranted();

    @Actor
    public void caller(JJJ_Result result) {
        result.r1 = attachment.tryNext();
        result.r2 = attachment.tryNext();
    }

    @Actor
    public void reply() {
        attachment.renew(1);
    }

    @Arbiter
    public void after(JJJ_Result result) {
        result.r3 = attachment.tryNext();
    }
}
