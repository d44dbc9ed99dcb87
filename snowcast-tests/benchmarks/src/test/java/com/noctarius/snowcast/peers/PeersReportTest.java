// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static com.noctarius.snowcast.peers.Histories.fault;
import static com.noctarius.snowcast.peers.Histories.process;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeersReportTest {
    private static final History HISTORY = Histories.of(
            List.of(fault(Fault.PAUSE, 0.5, 0.7, 0, 1), fault(Fault.TWIN, 5, 6, 1)),
            process("host-0", 1, 1, 2),
            process("host-1", 2, 2, 3));

    private static final List<Result> RESULTS = List.of(
            new Result("agrona", 7, 100.2, Findings.of(HISTORY)),
            new Result("uuid-v7", 7, 60, Findings.of(Histories.of(List.of()))));

    @Test
    void tablesSayWhatWasFoundAndWhatIsConfigured() {
        String markdown = Report.toMarkdown(RESULTS);
        assertThat(markdown.lines())
                .containsSubsequence(
                        "| generator | s | IDs | given twice | out of order | calls refused | silent s |",
                        "| agrona | 100 | 4 | **1** | 0 | 0 | 0 |",
                        "| uuid-v7 | 60 | 0 | 0 | 0 | 0 | 0 |",
                        "| generator | c |",
                        "| agrona | 1 |",
                        "| generator | c | i |",
                        "| all others | 1.3 | none |")
                .anyMatch(line -> line.contains(".java) | `new SnowflakeIdGenerator(number)` | "));
    }

    /** The letters in the tables must be those of the table of faults in docs/peers.md. */
    @Test
    void thePageExplainsEachLetter() throws Exception {
        List<String> page = Files.readAllLines(Path.of("../../docs/peers.md"));
        assertThat(Fault.all())
                .allSatisfy(fault -> assertThat(page)
                        .anyMatch(line -> line.startsWith("| " + fault.letter() + " | " + fault.title() + " | ")));
    }
}
