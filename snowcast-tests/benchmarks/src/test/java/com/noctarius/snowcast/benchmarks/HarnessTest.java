// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HarnessTest {
    private static final Effort LEAST = new Effort(0.001);

    @Test
    @Tag("faults")
    void pausesHaveTheirFiguresWithSequencersAndWithout() throws Exception {
        assertThat(Part.PAUSES.measure("snowcast", LEAST))
                .allSatisfy(result -> assertThat(result.value()).isFinite().isNotNegative())
                .filteredOn(result -> result.metric().equals("gets"))
                .extracting(Result::subject, Result::setting)
                .containsExactly(
                        tuple("0 sequencers", "quiet"),
                        tuple("0 sequencers", "a member joins"),
                        tuple("0 sequencers", "a member leaves"),
                        tuple("0 sequencers", "a member is killed"),
                        tuple("100 sequencers", "quiet"),
                        tuple("100 sequencers", "a member joins"),
                        tuple("100 sequencers", "a member leaves"),
                        tuple("100 sequencers", "a member is killed"));
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
