// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Tests that a thread that reads an attachment from a volatile field sees all of it (0: the field is null). */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE)
@Outcome(id = "1", expect = Expect.ACCEPTABLE)
@State
public class PublicationRace {
    private volatile @Nullable NumberedAttachment published;

    @Actor
    public void writer() {
        published = NumberedAttachment.plenty();
    }

    @Actor
    public void reader(J_Result result) {
        NumberedAttachment attachment = published;
        result.r1 = attachment == null ? 0 : attachment.tryNext();
    }
}
