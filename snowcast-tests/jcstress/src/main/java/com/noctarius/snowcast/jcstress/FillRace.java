// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests that each slot is taken once, and that the slots of a batch increase, while another thread takes slots. */
@JCStressTest
@JCStressMeta(NextRace.class)
@State
public class FillRace {
    private final NumberedAttachment attachment = NumberedAttachment.plenty();

    @Actor
    public void batch(JJJJ_Result result) {
        long[] batch = attachment.fill(2);
        result.r1 = batch[0];
        result.r2 = batch[1];
    }

    @Actor
    public void single(JJJJ_Result result) {
        result.r3 = attachment.next();
        result.r4 = attachment.next();
    }
}
