// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchTest {
    @Test
    void aBatchIsAnsweredInItsOrder() {
        Batch<String> batch = new Batch<>(List.of("a", "bb", "a", "ccc", "dd"), List.of(1, 2, 1, 3, 2));
        assertThat(batch.parts()).isEqualTo(Map.of(1, List.of("a", "a"), 2, List.of("bb", "dd"), 3, List.of("ccc")));
        assertThat(batch.answer(
                        Map.of(1, List.of("first", "third"), 2, List.of("second", "fifth"), 3, List.of("fourth"))))
                .containsExactly("first", "second", "third", "fourth", "fifth");
    }

    /** A malicious process could send requests or answers with hash codes that make a hash map slow. */
    @Test
    void neitherRequestsNorAnswersAreHashedOrCompared() {
        List<Unhashable> requests =
                Stream.of("a", "b", "c", "d").map(Unhashable::new).toList();
        Batch<Unhashable> batch = new Batch<>(requests, List.of(1, 2, 1, 2));

        List<Unhashable> answers = batch.answer(batch.parts());

        assertThat(answers).hasSize(4);
        for (int i = 0; i < 4; i++) {
            assertThat(answers.get(i)).isSameAs(requests.get(i));
        }
    }

    private record Unhashable(String name) {
        @Override
        public boolean equals(Object other) {
            throw new AssertionError("compared");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("hashed");
        }
    }

    @Test
    void anEmptyBatchHasNoPartsAndAnEmptyAnswer() {
        Batch<String> batch = new Batch<>(List.of(), List.of());
        assertThat(batch.parts()).isEmpty();
        assertThat(batch.answer(Map.of())).isEmpty();
    }
}
