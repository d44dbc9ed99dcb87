// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Tests that a call wakes up if it begins to wait for a higher ceiling during the sealing (-1: sealed). */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE)
@State
public class WakeBySealRace {
    private final NumberedAttachment attachment = NumberedAttachment.notGranted();

    @Actor
    public void caller(J_Result result) {
        result.r1 = attachment.next();
    }

    @Actor
    public void sealer() {
        attachment.seal();
    }
}
