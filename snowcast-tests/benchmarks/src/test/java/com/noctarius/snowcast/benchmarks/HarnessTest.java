// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HarnessTest {
    private static final Effort LEAST = new Effort(0.001);

    @Test
    @Tag("faults")
    void piecesHaveTheirFiguresInEachPhaseWithSequencersAndWithout() throws Exception {
        assertThat(Part.PAUSES.measure("snowcast", LEAST))
                .allSatisfy(result -> assertThat(result.value()).isFinite().isNotNegative())
                .filteredOn(result -> result.subject().equals("making a copy"))
                .extracting(Result::setting)
                .contains(
                        "a member joins, 0 sequencers",
                        "a member leaves, 0 sequencers",
                        "a member is killed, 0 sequencers",
                        "a member joins, 100 sequencers",
                        "a member leaves, 100 sequencers",
                        "a member is killed, 100 sequencers");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"THROUGHPUT", "INTEGERS", "VIRTUAL", "SCALE", "PAUSES"})
    void eachPartFindsFiguresOfItsSubjects(Part part) throws Exception {
        for (String subject : part.subjects()) {
            List<Result> results = part.measure(subject, LEAST);
            assertThat(results).isNotEmpty().allSatisfy(result -> {
                assertThat(result.subject()).isEqualTo(subject);
                assertThat(result.value()).isFinite().isNotNegative();
                assertThat(Threads.setting(Threads.count(result.setting()))).isEqualTo(result.setting());
            });
            assertThat(results.stream().map(result -> result.setting() + result.metric()))
                    .doesNotHaveDuplicates();
        }
    }
}
