// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests the same as {@link NextRace}, with calls that may wait and calls that never wait. */
@JCStressTest
@JCStressMeta(NextRace.class)
@State
public class TryNextRace {
    private final NumberedAttachment attachment = NumberedAttachment.plenty();

    @Actor
    public void one(JJJJ_Result result) {
        result.r1 = attachment.next();
        result.r2 = attachment.next();
    }

    @Actor
    public void other(JJJJ_Result result) {
        result.r3 = attachment.tryNext();
        result.r4 = attachment.tryNext();
    }
}
