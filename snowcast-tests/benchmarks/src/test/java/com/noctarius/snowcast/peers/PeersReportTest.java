// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static com.noctarius.snowcast.peers.Histories.call;
import static com.noctarius.snowcast.peers.Histories.fault;
import static com.noctarius.snowcast.peers.Histories.nanos;
import static com.noctarius.snowcast.peers.Histories.process;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void resultsAreReadBack(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("peers.json"), Report.toJson(RESULTS));
        assertThat(Report.read(file)).isEqualTo(RESULTS);
    }

    @Test
    void historyIsOneOfJepsens() throws Exception {
        History.Caller process = new History.Caller(
                "host-0",
                0,
                false,
                nanos(9),
                List.of(call(1, Id.of(-1)), call(2, Id.of(new UUID(1, 2))), new Call(nanos(3), nanos(3.5), null)));
        StringBuilder out = new StringBuilder();
        JepsenHistory.write(Histories.of(List.of(fault(Fault.KILL, 2.5, 2.75)), process), false, out);
        assertThat(out.toString()).isEqualTo("""
                {:index 0, :time 999999000, :type :invoke, :process 0, :f :generate, :value nil}
                {:index 1, :time 1000000000, :type :ok, :process 0, :f :generate, :value 18446744073709551615N}
                {:index 2, :time 1999999000, :type :invoke, :process 0, :f :generate, :value nil}
                {:index 3, :time 2000000000, :type :ok, :process 0, :f :generate, :value \
                #uuid "00000000-0000-0001-0000-000000000002"}
                {:index 4, :time 2500000000, :type :info, :process :nemesis, :f :kill, :value \
                "killed, starts again under its name: host-0"}
                {:index 5, :time 2750000000, :type :info, :process :nemesis, :f :kill, :value \
                "killed, starts again under its name: host-0"}
                {:index 6, :time 3000000000, :type :invoke, :process 0, :f :generate, :value nil}
                {:index 7, :time 3500000000, :type :fail, :process 0, :f :generate, :value nil}
                """);
    }
}
