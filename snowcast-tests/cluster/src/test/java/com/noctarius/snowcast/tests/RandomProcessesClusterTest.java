// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs random schedules in which members and clients, each in a separate process, are killed, paused, and started with
 * wrong clocks. A failure names the seed of its schedule, which {@code -Dsnowcast.seed=} repeats.
 */
@Tag("faults")
class RandomProcessesClusterTest {
    private static final int STEPS = 10;
    private static final int LONG_STEPS = 30;
    private static final int MAX_SEED = 1_000_000_000;

    private final Random random = new Random();

    @TempDir
    private Path directory = Path.of("");

    private int runs;

    @Test
    void nothingTwice() throws Exception {
        System.out.println(run(STEPS));
    }

    @Test
    @Tag("soak")
    void nothingTwiceForLong() throws Exception {
        Soak.ofPercent(40).repeat(i -> run(LONG_STEPS));
    }

    private String run(int steps) throws Exception {
        return ProcessRun.of(Long.getLong("snowcast.seed", random.nextInt(MAX_SEED)), steps, newDirectory());
    }

    private Path newDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("run-" + runs++));
    }
}
