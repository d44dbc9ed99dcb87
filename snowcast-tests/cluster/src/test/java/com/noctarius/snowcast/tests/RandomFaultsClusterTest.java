// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs random schedules of faults, in which members and clients generate IDs. Each schedule of a random seed has all
 * faults for which its {@link FaultProfile} exists. A failure names the seed of its schedule, which
 * {@code -Dsnowcast.seed=} repeats.
 */
@Tag("faults")
class RandomFaultsClusterTest {
    private static final int STEPS = 20;
    private static final int LONG_STEPS = 60;
    private static final int MAX_SEED = 1_000_000_000;
    private static final int MAX_TRIES = 1_000_000;

    private final Random random = new Random();

    @TempDir
    private Path directory = Path.of("");

    private int highWaterMarks;

    @ParameterizedTest
    @EnumSource
    void nothingTwiceNoNodeIdLostNoReplicaApart(FaultProfile profile) {
        Long fixed = Long.getLong("snowcast.seed");
        // Without a seed, only the long test below runs profiles with splits.
        if (fixed == null ? !profile.hasSplits() : profile == FaultProfile.of(fixed)) {
            System.out.println(run(fixed == null ? seedOf(profile, STEPS) : fixed, STEPS));
        }
    }

    private long seedOf(FaultProfile profile, int steps) {
        return random.longs(MAX_TRIES, 0, MAX_SEED)
                .filter(seed -> FaultProfile.of(seed) == profile && FaultSchedule.hasReasons(seed, steps))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "no schedule of " + profile + " in " + MAX_TRIES + " has all of " + profile.reasons()));
    }

    @Test
    void eachKindOfFaultIsInASchedule() {
        Set<FaultStep.Kind> kinds = EnumSet.noneOf(FaultStep.Kind.class);
        for (FaultProfile profile : FaultProfile.values()) {
            assertThat(FaultProfile.of(seedOf(profile, STEPS))).isEqualTo(profile);
            kinds.addAll(profile.reasons());
        }
        assertThat(kinds).containsExactly(FaultStep.Kind.values());
    }

    @Test
    @Tag("soak")
    void nothingTwiceForLong() throws Exception {
        Long fixed = Long.getLong("snowcast.seed");
        FaultProfile[] profiles = FaultProfile.values();
        Soak.ofPercent(60)
                .repeat(i ->
                        run(fixed == null ? seedOf(profiles[i % profiles.length], LONG_STEPS) : fixed, LONG_STEPS));
    }

    private String run(long seed, int steps) {
        return FaultRun.of(seed, steps, directory.resolve("floors-" + highWaterMarks++));
    }
}
