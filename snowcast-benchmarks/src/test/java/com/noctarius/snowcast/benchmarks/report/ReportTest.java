// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.benchmarks.Result;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** Figures are written and drawn as they are. */
class ReportTest {
    private static final Figures FIGURES = new Figures(List.of(
            rate("System.currentTimeMillis", "1 thread", 40, 0.5),
            rate("snowcast", "1 thread", 30, 0.25),
            rate("Agrona", "1 thread", 32, 1),
            rate("System.currentTimeMillis", "2 threads", 80, 0.5),
            rate("snowcast", "2 threads", 24, 2),
            rate("Agrona", "2 threads", 20, Double.NaN),
            new Result("throughput", "snowcast", "1 thread", "allocation", 0.01, 0, "B/op"),
            new Result("throughput", "snowcast", "2 threads", "allocation", 0.04, 0, "B/op"),
            new Result("saturation", "snowcast", "4 threads", "p99.9", 1_500, 0, "µs"),
            new Result("saturation", "snowcast", "4 threads", "cores busy", 0.2, 0, "cores"),
            new Result("half the limit", "nothing", "1 thread", "p50", 30, 0, "ns"),
            new Result("half the limit", "System.currentTimeMillis", "1 thread", "p50", 60, 0, "ns"),
            new Result("half the limit", "snowcast", "1 thread", "p50", 75, 0, "ns"),
            new Result("attach", "snowcast", "1 member", "p50", 12_345, 0, "µs")));

    private static Result rate(String subject, String setting, double value, double error) {
        return new Result("throughput", subject, setting, "rate", value, error, "ops/µs");
    }

    @Test
    void ratesStandByThreads() {
        assertThat(Tables.throughput(FIGURES)).isEqualTo("""
                | IDs per µs | 1 thread | 2 threads | bytes per ID |
                | --- | --- | --- | --- |
                | System.currentTimeMillis | 40.0 ± 0.500 | 80.0 ± 0.500 |  |
                | snowcast | 30.0 ± 0.250 | 24.0 ± 2.00 | 0 |
                | Agrona | 32.0 ± 1.00 | 20.0 |  |
                """);
    }

    @Test
    void otherFiguresStandByMetric() {
        assertThat(Tables.byMetric(FIGURES.of("saturation"))).isEqualTo("""
                |  |  | p99.9, µs | cores busy, cores |
                | --- | --- | --- | --- |
                | snowcast | 4 threads | 1,500 | 0.200 |
                """);
    }

    @Test
    void goalsAreMetOrNot() {
        assertThat(Tables.goals(Goals.of(FIGURES)))
                .contains("| `next()`, 128 nodes, strict, 1 thread | ≥ 1 × Agrona | 0.938 × Agrona | **no** |")
                .contains("| the same, 2 threads | ≥ 1.1 × Agrona | 1.20 × Agrona | yes |")
                .contains("| the same, 4 threads | ≥ 1.1 × Agrona | not measured |  |")
                .contains("| processors meanwhile, 1 to 4 threads | ≤ 0.15 cores | 0.200 cores | **no** |")
                .contains("| p99.9 of the wait, 1 to 4 threads | ≤ 2 ms | 1.50 ms | yes |")
                .contains("p50, less the timer's own | ≤ 2 × a clock read | 1.50 × a clock read | yes |")
                .contains("every path but `next(int)` | ≤ 0 bytes | 0 bytes | yes |");
    }

    @Test
    void placesAreFilledAndCanBeFilledAgain() {
        String text = "a\n<!-- x -->\n<!-- /x -->\nb\n";
        Document once = new Document(text).with("x", "1\n");
        assertThat(once.text()).isEqualTo("a\n<!-- x -->\n\n1\n\n<!-- /x -->\nb\n");
        assertThat(once.with("x", "1\n")).isEqualTo(once);
        assertThatIllegalArgumentException().isThrownBy(() -> once.with("y", ""));
    }

    @Test
    void documentHasAllPlaces() throws Exception {
        String document = Files.readString(Path.of("..", "docs", "benchmarks.md"));
        assertThat(Report.render(document, FIGURES)).contains("| snowcast | 1 member | p50 | 12,345 µs |");
    }

    @Test
    void plotsAreWellFormedAndAlwaysTheSame() throws Exception {
        assertThat(Plots.of(FIGURES).keySet())
                .containsExactly("throughput.svg", "latency.svg", "saturation-waits.svg", "saturation-cpu.svg");
        for (String name : Plots.of(FIGURES).keySet()) {
            String svg = svg(name);
            assertThat(svg).isEqualTo(svg(name)).doesNotContain("DOCTYPE");
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(svg)))
                            .getDocumentElement()
                            .getTagName())
                    .isEqualTo("svg");
        }
    }

    private static String svg(String name) throws Exception {
        return Svg.of(Objects.requireNonNull(Plots.of(FIGURES).get(name)));
    }
}
