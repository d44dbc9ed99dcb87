// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.internal.generator.Attachment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests that a batch takes no slot above the slot that sealing returns (-1: sealed). */
@JCStressTest
@JCStressMeta(SealRace.class)
@State
public class SealFillRace {
    private final NumberedAttachment attachment = NumberedAttachment.plenty();

    @Actor
    public void batch(JJJJ_Result result) {
        long[] batch = attachment.fill(2);
        result.r1 = batch.length > 0 ? batch[0] : Attachment.SEALED;
        result.r2 = batch.length > 1 ? batch[1] : Attachment.SEALED;
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
