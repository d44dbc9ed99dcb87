// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/**
 * Tests calls that race for the last slots below the ceiling. A call that gets a slot above the ceiling must wait until
 * the slot is granted. The result -3 would mean that a call did not wait.
 */
@JCStressTest
@JCStressMeta(NextRace.class)
@State
public class CeilingRace {
    private static final long NOT_GRANTED = -3;

    private final NumberedAttachment attachment = NumberedAttachment.left(2);

    private long next() {
        long number = attachment.next();
        return number <= attachment.lastGranted() ? number : NOT_GRANTED;
    }

    @Actor
    public void one(JJJJ_Result result) {
        result.r1 = next();
        result.r2 = next();
    }

    @Actor
    public void other(JJJJ_Result result) {
        result.r3 = next();
        result.r4 = next();
    }
}
