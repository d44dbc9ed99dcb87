// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.benchmarks.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Path DOCS = Path.of("..", "..", "docs", "dev", "benchmarks");

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
    void pageSaysWhatTheFilesSay() throws Exception {
        Path past = DOCS.resolve("history");
        String page = Files.readString(past.resolve("README.md"));
        assertThat(Report.render(page, History.read(past))).isEqualTo(page);
    }
}
