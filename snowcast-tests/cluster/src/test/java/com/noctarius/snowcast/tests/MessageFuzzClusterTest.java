// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends valid and randomly changed requests of a client to two members in a JVM with 512 MB, and requires that honest
 * users are not affected. The system property {@code snowcast.messages} sets the number of messages. If
 * {@code snowcast.seed} is set to the seed of a former run, the messages of that run are repeated, except for times and
 * for values from the members' answers.
 */
@Tag("faults")
class MessageFuzzClusterTest {
    private static final int MESSAGES = Integer.getInteger("snowcast.messages", 20_000);
    private static final int MAX_SEED = 1_000_000_000;

    private final Random random = new Random();

    @TempDir
    private Path directory;

    @Test
    void honestUsersNoticeNothingOfHostileMessages() throws Exception {
        run();
    }

    @Test
    @Tag("soak")
    void norDoTheyForLong() throws Exception {
        Soak soak = Soak.ofPercent(20);
        while (soak.goesOn()) {
            run();
        }
    }

    private void run() throws Exception {
        long seed = Long.getLong("snowcast.seed", random.nextInt(MAX_SEED));
        try (JavaProcess process = JavaProcess.start(
                directory.resolve("output.txt"),
                List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-Dhazelcast.logging.type=jdk"),
                System.getProperty("java.class.path"),
                MessageFuzzMain.class,
                List.of(Long.toString(seed), Integer.toString(MESSAGES)))) {
            int exitValue = process.awaitEnd();
            String output = "seed " + seed + ": " + process.output();
            assertThat(output).doesNotContain("OutOfMemoryError");
            assertThat(exitValue).as(output).isZero();
            System.out.println(output);
        }
    }
}
