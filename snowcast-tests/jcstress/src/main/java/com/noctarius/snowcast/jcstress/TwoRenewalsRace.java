// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Tests that the ceiling only rises, whichever of two renewals comes last. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE)
@State
public class TwoRenewalsRace {
    private final NumberedAttachment attachment = NumberedAttachment.notGranted();

    @Actor
    public void early() {
        attachment.renew(1);
    }

    @Actor
    public void late() {
        attachment.renew(2);
    }

    @Arbiter
    public void after(J_Result result) {
        result.r1 = attachment.grantedMillis();
    }
}
