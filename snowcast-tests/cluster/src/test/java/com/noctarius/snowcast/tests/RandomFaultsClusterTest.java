// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Members and clients that generate while they join, leave, crash and are cut off, clocks are set, sequencers detached,
 * destroyed and created anew, and so are integer sequences: in random order. A failure tells the seed of that order;
 * {@code -Dsnowcast.seed=} repeats it.
 */
@Tag("faults")
class RandomFaultsClusterTest {
    private static final int STEPS = 20;
    private static final int LONG_STEPS = 60;
    private static final int MAX_SEED = 1_000_000_000;

    private final Random random = new Random();

    @ParameterizedTest
    @EnumSource
    void nothingTwiceNoNodeIdLostNoReplicaApart(FaultProfile profile) {
        Long fixed = Long.getLong("snowcast.seed");
        // The long runs have splits.
        if (fixed == null ? !profile.hasSplits() : profile == FaultProfile.of(fixed)) {
            System.out.println(FaultRun.of(fixed == null ? seedOf(profile) : fixed, STEPS));
        }
    }

    private long seedOf(FaultProfile profile) {
        return random.longs(0, MAX_SEED)
                .filter(seed -> FaultProfile.of(seed) == profile)
                .findFirst()
                .getAsLong();
    }

    @Test
    @Tag("soak")
    void nothingTwiceForLong() {
        Long fixed = Long.getLong("snowcast.seed");
        Soak soak = Soak.ofPercent(60);
        while (soak.goesOn()) {
            System.out.println(FaultRun.of(fixed == null ? random.nextInt(MAX_SEED) : fixed, LONG_STEPS));
        }
    }
}
