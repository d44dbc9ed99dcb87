// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.benchmarks.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Figures FIGURES = new Figures(List.of(
            rate("System.currentTimeMillis", "1 thread", 40, 0.5),
            rate("snowcast", "1 thread", 30, 0.25),
            rate("Agrona", "1 thread", 32, 1),
            rate("System.currentTimeMillis", "2 threads", 80, 0.5),
            rate("snowcast", "2 threads", 66, 2),
            rate("Agrona", "2 threads", 20, Double.NaN),
            new Result("throughput", "snowcast", "1 thread", "allocation", 0.01, 0, "B/op"),
            new Result("throughput", "snowcast", "2 threads", "allocation", 0.04, 0, "B/op"),
            new Result("saturation", "snowcast", "4 threads", "p99.9", 1_500, 0, "µs"),
            new Result("saturation", "snowcast", "4 threads", "cores busy", 0.2, 0, "cores"),
            new Result("staleness", "snowcast", "1 thread", "p99", 1, 0, "ms"),
            new Result("staleness", "snowcast", "1 thread", "ticking thread", 0.03, 0, "cores"),
            new Result("half the limit", "nothing", "1 thread", "p50", 30, 0, "ns"),
            new Result("half the limit", "System.currentTimeMillis", "1 thread", "p50", 60, 0, "ns"),
            new Result("half the limit", "snowcast", "1 thread", "p50", 75, 0, "ns"),
            integers("AtomicLong", "1 thread", 200),
            integers("snowcast", "1 thread", 150),
            integers("CosId SegmentChainId", "1 thread", 100),
            integers("snowcast, batch of 100", "1 thread", 600),
            integers("snowcast", "2 threads", 60),
            integers("CosId SegmentChainId", "2 threads", 80),
            new Result("slow store", "snowcast", "1 thread", "p99.9", 12, 0, "µs"),
            new Result("slow store", "snowcast", "1 thread", "waits, by its stats", 1, 0, ""),
            new Result("slow store", "CosId SegmentId", "1 thread", "p99.9", 2_000, 0, "µs"),
            new Result("pieces", "making a copy", "quiet", "longest on a processor", 12_000, 0, "µs"),
            new Result("attach", "snowcast", "1 member", "p50", 12_345, 0, "µs")));

    private static Result rate(String subject, String setting, double value, double error) {
        return new Result("throughput", subject, setting, "rate", value, error, "ops/µs");
    }

    private static Result integers(String subject, String setting, double value) {
        return new Result("integers", subject, setting, "rate", value, 0, "ops/µs");
    }

    @Test
    void goalsAreMetOrNot() {
        assertThat(Tables.goals(Goals.of(FIGURES)))
                .contains("| `next()`, 128 nodes, strict, 1 thread | ≥ 2.5 × Agrona | 0.938 × Agrona | **no** |")
                .contains(
                        "| `next()`, 128 nodes, strict, 2 threads | ≥ 1 × the layout's limit | 1.03 × the layout's limit | yes |")
                .contains("| `next()`, 128 nodes, strict, 4 threads | ≥ 3 × Agrona | not measured |  |")
                .contains("1 to 16 threads, p99 | ≤ 1 ms | 1.00 ms | yes |")
                .contains("| the ticking thread while it ticks | ≤ 0.02 cores | 0.030 cores | **no** |")
                .contains("| processors busy while saturated, 1 to 4 threads | ≤ 0.15 cores | 0.200 cores | **no** |")
                .contains("| p99.9 of the wait, 1 to 4 threads | ≤ 2 ms | 1.50 ms | yes |")
                .contains("p50, less the timer's own | ≤ 2 × a clock read | 1.50 × a clock read | yes |")
                .contains("every path but `next(int)` | ≤ 0 bytes | 0 bytes | yes |")
                .contains("on a partition's thread, on a processor | ≤ 10,000 µs | 12,000 µs | **no** |");
    }

    @Test
    void goalsOfIntegersAreMetOrNot() {
        assertThat(Tables.goals(Goals.of(FIGURES)))
                .contains("| integers, `next()`, strict, 1 thread | ≥ 0.8 × AtomicLong | 0.750 × AtomicLong | **no** |")
                .contains(
                        "| integers, `next()`, strict, 1 thread | ≥ 1 × SegmentChainId | 1.50 × SegmentChainId | yes |")
                .contains(
                        "| integers, `next()`, strict, 2 threads | ≥ 1 × SegmentChainId | 0.750 × SegmentChainId | **no** |")
                .contains("| integers, `next(100)`, 1 thread | ≥ 5 × SegmentChainId | 6.00 × SegmentChainId | yes |")
                .contains("| integers, `next(100)`, 4 threads | ≥ 5 × SegmentChainId | not measured |  |")
                .contains("calls that wait | ≤ 0 calls | 1.00 calls | **no** |")
                .contains("| beside CosId's | snowcast 12.0 µs, CosId SegmentId 2,000 µs | reported |");
    }

    @Test
    void summaryComparesSomeAndSaysWhatIsMissed() throws Exception {
        String summary = Files.readString(Path.of("..", "..", "docs", "dev", "benchmarks.md"));
        assertThat(Report.summarize(summary, FIGURES))
                .contains(
                        "| Agrona | 32.0 ± 1.00 | 20.0 |  |",
                        "| `next()`, 128 nodes, strict, 1 thread | ≥ 2.5 × Agrona | 0.938 × Agrona | **no** |")
                .doesNotContain("| yes |", "not measured", "| reported |");
    }

    @Test
    void documentHasAllPlaces() throws Exception {
        String document = Files.readString(Path.of("..", "..", "docs", "dev", "benchmarks", "README.md"));
        assertThat(Report.render(document, FIGURES))
                .contains(
                        "| snowcast | 1 member | p50 | 12,345 µs |",
                        "| making a copy | quiet | 12,000 |",
                        "| integers per µs | 1 thread | 2 threads | bytes per integer |");
    }
}
