// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.generator.Guard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Tests that a guard accepts no time above the time that sealing returns, and none after sealing (-1: sealed). */
@JCStressTest
@JCStressMeta(SealRace.class)
@State
public class GuardSealRace {
    private static final long FLOOR = 1_700_000_000_000L;

    private final Guard guard = new Guard(
            "race", new GrantInUse.Terms(0, FLOOR + 1, FLOOR + 10, 0), new RaceClock(FLOOR), new Counts(), grant -> {});

    @Actor
    public void caller(JJJJ_Result result) {
        result.r1 = letOut(1);
        result.r2 = letOut(2);
    }

    @Actor
    public void sealer(JJJJ_Result result) {
        result.r3 = guard.seal() - FLOOR;
    }

    @Arbiter
    public void after(JJJJ_Result result) {
        result.r4 = letOut(2);
    }

    private long letOut(long millis) {
        try {
            boolean isLetOut = guard.isAtLast(FLOOR + millis) || guard.judge(FLOOR + millis) == Guard.Verdict.LET_OUT;
            return isLetOut ? millis : -1;
        } catch (InterruptedException e) {
            throw new AssertionError(e); // All times here are granted, so no call waits.
        }
    }
}
