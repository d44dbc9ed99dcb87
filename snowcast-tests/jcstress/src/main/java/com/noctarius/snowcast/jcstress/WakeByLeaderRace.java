// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * When several calls wait for a millisecond, one of them, the leader, waits for the clock and wakes the others. Tests
 * that a call wakes up if it joins these calls while the leader ends its wait.
 */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = Expect.ACCEPTABLE)
@State
public class WakeByLeaderRace {
    private final NumberedAttachment attachment = NumberedAttachment.left(0);

    @Actor
    public void first(JJ_Result result) {
        result.r1 = attachment.next();
    }

    @Actor
    public void second(JJ_Result result) {
        result.r2 = attachment.next();
    }
}
