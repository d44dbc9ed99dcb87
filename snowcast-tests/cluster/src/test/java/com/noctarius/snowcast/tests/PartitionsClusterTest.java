// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests members and a client in separate network namespaces, between which the kernel drops packets. The order of the
 * faults is random. A failure prints its seed, with which {@code -Dsnowcast.seed=} repeats it. Skipped without root.
 */
@Tag("faults")
class PartitionsClusterTest {
    private static final Duration SHORT = Duration.ofSeconds(12);
    private static final Duration LONG = Duration.ofSeconds(24);
    private static final int MAX_SEED = 1_000_000_000;

    private final Random random = new Random();

    @TempDir
    private Path directory = Path.of("");

    private int runs;

    @BeforeAll
    static void requireNamespaces() {
        Optional<String> obstacle = NamespaceNetwork.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    }

    @Test
    void withProtectionNothingComesTwiceAndAllGoOn() throws Exception {
        System.out.println(run(true, SHORT));
    }

    @Test
    void withoutProtectionWhatComesTwiceIsReportedAndAllGoOn() throws Exception {
        System.out.println(run(false, SHORT));
    }

    /** In these schedules, a quorum can consist of members that do not know the renewals of the former quorum. */
    @Test
    void aQuorumThatDoesNotKnowWhatAFormerOneGrantedGrantsNothingOfIt() throws Exception {
        System.out.println(PartitionRun.ofMovingQuorums(seed(), 2, SHORT, newDirectory()));
    }

    @Test
    @Tag("soak")
    void soItIsForLong() throws Exception {
        Soak.ofPercent(100).repeat(i -> run(i % 2 == 0, LONG));
    }

    /** Runs all faults in one cluster, for as long as all schedules of the test above together. */
    @Test
    @Tag("soak")
    void noneComesTwiceThroughAllFaultsOfOneCluster() throws Exception {
        Optional<Path> clocks = WallClock.compile(directory);
        assumeTrue(clocks.isPresent(), "cc does not compile a library here: a C compiler has it");
        Soak soak = Soak.ofPercent(100);
        System.out.println(PartitionRun.ofAll(seed(), soak::goesOn, SHORT, clocks.get(), newDirectory()));
    }

    private String run(boolean isProtected, Duration longest) throws Exception {
        return PartitionRun.of(seed(), isProtected, longest, newDirectory());
    }

    private long seed() {
        return Long.getLong("snowcast.seed", random.nextInt(MAX_SEED));
    }

    private Path newDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("run-" + runs++));
    }
}
