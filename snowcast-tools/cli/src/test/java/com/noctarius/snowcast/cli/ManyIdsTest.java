// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@code verify} in a heap of 128 MB, and prints the figures for {@code docs/cli.md}. The system property
 * {@code ids} sets the number of IDs.
 */
@Tag("faults")
class ManyIdsTest {
    private static final long COUNT = Long.getLong("ids", 10_000_000);
    private static final int IDS_PER_MILLISECOND = 50;
    /**
     * Has no factor in common with {@code COUNT}, which is a power of ten by default. Its multiples modulo
     * {@code COUNT} are therefore a permutation.
     */
    private static final long PRIME = 48_271_009;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"shuffled", "nearly sorted"})
    void oneDuplicateIsFoundInConstantMemory(String kind) throws Exception {
        long first = write(kind.equals("shuffled") ? i -> i * PRIME % COUNT : ManyIdsTest::nearby);
        long startNanos = System.nanoTime();
        Shell.Result result = Shell.run(
                directory,
                Map.of("SNOWCAST_OPTS", "-Xmx128m"),
                "snowcast verify --epoch 2024-01-01 --file ids.txt --temp-dir .");
        System.out.printf("%,d IDs, %s: %.1f s%n", COUNT, kind, (System.nanoTime() - startNanos) / 1e9);
        assertThat(result.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(result.output())
                .containsPattern("duplicates +1  such as " + first + " \\(lines 1, " + (COUNT + 1) + "\\)\\R");
    }

    /** Permutes the indexes within each thousand. */
    private static long nearby(long index) {
        return index / 1_000 * 1_000 + index % 1_000 * 397 % 1_000;
    }

    /** Writes IDs of 50 nodes, and the first ID once more at the end. Returns that ID. */
    private long write(LongUnaryOperator order) throws IOException {
        long firstMillis = 60L * 60 * 24 * 365 * 1_000;
        long first = SnowcastLayout.DEFAULT.compose(firstMillis, 0, 0);
        try (BufferedWriter file = Files.newBufferedWriter(directory.resolve("ids.txt"))) {
            for (long i = 0; i < COUNT; i++) {
                long place = order.applyAsLong(i);
                file.write(Long.toString(SnowcastLayout.DEFAULT.compose(
                        firstMillis + place / IDS_PER_MILLISECOND, (int) (place % IDS_PER_MILLISECOND), 0)));
                file.newLine();
            }
            file.write(Long.toString(first));
            file.newLine();
        }
        return first;
    }
}
