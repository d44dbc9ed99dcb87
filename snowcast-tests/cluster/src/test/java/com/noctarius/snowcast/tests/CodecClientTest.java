// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastSequencer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that members serve clients in other languages, whose messages follow the published codecs of Hazelcast's client
 * protocol. The test has its own client, flake_ids.py, because this build has no access to Hazelcast's Python client.
 */
@Tag("integration")
class CodecClientTest {
    private static final int COUNT = 20_000;

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void requirePython() throws InterruptedException {
        String missing = "";
        try {
            new ProcessBuilder("python3", "--version").start().waitFor();
        } catch (IOException e) {
            missing = "python3: " + e.getMessage();
            System.out.println("skipped, since this is missing: " + missing);
        }
        Assumptions.assumeTrue(missing.isEmpty(), missing);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static long[] numbers(Path file) throws IOException {
        return Files.readString(file).lines().mapToLong(Long::parseLong).toArray();
    }

    @Test
    void whatTheCodecsAskForIsAnsweredBesideJava() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(2, Map.of())) {
            List<SnowcastSequencer> sequencers = cluster.createOnAll("orders");
            Load load = Load.of(TestCluster.EPOCH).on(sequencers, 1);
            List<Path> idFiles = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                idFiles.add(directory.resolve("ids " + i));
                assertThat(run(
                                "python3",
                                Path.of(getClass().getResource("flake_ids.py").toURI())
                                        .toString(),
                                cluster.name(),
                                Integer.toString(TcpCluster.portOf(cluster.member(i))),
                                "orders",
                                Integer.toString(COUNT),
                                idFiles.get(i).toString()))
                        .startsWith("refused: com.noctarius.snowcast.SnowcastStateException: ")
                        .contains("the cluster has no sequencer unknown");
            }
            List<long[]> ids = new ArrayList<>(load.stopAndCheck());
            for (Path file : idFiles) {
                ids.add(numbers(file));
                assertThat(ids.get(ids.size() - 1)).hasSizeGreaterThanOrEqualTo(COUNT);
            }
            IdCheck.requireUnique(sequencers.get(0).layout(), ids);
        }
    }

    @Test
    void whatTheDocumentShowsInPythonCompiles() throws Exception {
        Matcher snippet = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../docs/clients.md")));
        assertThat(snippet.find()).isTrue();
        Path file = Files.writeString(directory.resolve("snippet.py"), snippet.group(1));
        run("python3", "-m", "py_compile", file.toString());
    }
}
