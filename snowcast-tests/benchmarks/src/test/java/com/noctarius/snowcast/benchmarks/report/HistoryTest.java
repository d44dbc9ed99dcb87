// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.benchmarks.Result;
import com.noctarius.snowcast.benchmarks.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was measured on a day is found again, beside what was measured on the others. */
class HistoryTest {
    private static final Path DOCS = Path.of("..", "..", "docs", "dev", "benchmarks");
    private static final LocalDate FIRST = LocalDate.of(2026, 11, 1);
    private static final LocalDate SECOND = LocalDate.of(2026, 11, 8);
    private static final LocalDate THIRD = LocalDate.of(2026, 11, 15);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static Result rate(String subject, double value) {
        return new Result("throughput", subject, "2 threads", "rate", value, 0.5, "ops/µs");
    }

    private static Result attaches(double value) {
        return new Result("attach", "snowcast", "1 member", "attaches and detaches", value, Double.NaN, "per second");
    }

    private static Result busy(double value) {
        return new Result("saturation", "snowcast", "16 threads", "cores busy", value, 0, "cores");
    }

    private static Figures figures(Result... results) {
        return new Figures(List.of(results));
    }

    private void keep(LocalDate day, Result... results) throws Exception {
        History.read(folder).keep(day, figures(results), folder);
    }

    @Test
    void goalsAreTheSameByWhatIsKept() throws Exception {
        Figures all = new Figures(Results.read(DOCS.resolve("results.json")));
        Figures kept = History.kept(all);
        assertThat(Goals.of(kept))
                .isEqualTo(Goals.of(all))
                .anyMatch(goal -> goal.value().isPresent());
        assertThat(kept.results()).hasSizeLessThan(all.results().size());
    }

    @Test
    void figuresComeBackAsTheyWere() throws Exception {
        Result rate = rate("snowcast", 1.0 / 3);
        keep(FIRST, rate, attaches(5_000), new Result("attach", "snowcast", "1 member", "p50", 3, 0, "µs"));
        assertThat(History.read(folder).byDate())
                .containsOnlyKeys(FIRST)
                .containsEntry(FIRST, figures(rate, attaches(5_000)));
        assertThat(Files.readAllLines(folder.resolve("2026-11-01.json"))).hasSize(4);
    }

    @Test
    void whatWasNotMeasuredAnewStandsWhereItWas() throws Exception {
        keep(FIRST, rate("snowcast", 60), attaches(5_000));
        keep(SECOND, rate("snowcast", 61), attaches(5_000));
        assertThat(History.read(folder).byDate()).containsEntry(SECOND, figures(rate("snowcast", 61)));
        keep(SECOND, rate("snowcast", 62), attaches(6_000));
        assertThat(History.read(folder).byDate())
                .containsEntry(FIRST, figures(rate("snowcast", 60), attaches(5_000)))
                .containsEntry(SECOND, figures(rate("snowcast", 62), attaches(6_000)));
    }

    @Test
    void slowChangeShows() throws Exception {
        keep(FIRST, rate("snowcast", 60), rate("Agrona", 20), attaches(20_000), busy(0.1));
        keep(SECOND, rate("snowcast", 56), rate("Agrona", 20), attaches(20_000), busy(0.2));
        keep(THIRD, rate("snowcast", 52), rate("Agrona", 20), attaches(21_000), busy(0.2));
        History history = History.read(folder);
        assertThat(Tables.trends(Trend.ofComparisons(history), history)).isEqualTo("""
                        | what | goal, or beside | 2026-11-01 | 2026-11-08 | 2026-11-15 | behind the best |
                        | --- | --- | --- | --- | --- | --- |
                        | IDs, snowcast, 2 threads | × Agrona | 3.00 | 2.80 | 2.60 | **13 %** |
                        """);
        assertThat(Tables.trends(Trend.ofGoals(history), history))
                .contains("| attaches and detaches, one member | ≥ 10,000 per second | 20,000 |  | 21,000 | 0 % |")
                .contains(
                        "| processors busy while saturated, 16 threads | ≤ 0.5 cores | 0.100 | 0.200 |  | **100 %** |");
    }

    @Test
    void wasNoneAndIsSome() throws Exception {
        keep(FIRST, new Result("throughput", "snowcast", "2 threads", "allocation", 0, 0, "B/op"));
        keep(SECOND, new Result("throughput", "snowcast", "2 threads", "allocation", 24, 0, "B/op"));
        History history = History.read(folder);
        assertThat(Tables.trends(Trend.ofGoals(history), history)).contains("| ≤ 0 bytes | 0 | 24.0 | **was 0** |");
    }

    @Test
    void pageSaysWhatTheFilesSay() throws Exception {
        Path past = DOCS.resolve("history");
        String page = Files.readString(past.resolve("README.md"));
        assertThat(Report.render(page, History.read(past))).isEqualTo(page);
    }
}
