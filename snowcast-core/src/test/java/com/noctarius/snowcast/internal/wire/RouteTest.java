// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of one length are in one partition. */
class RouteTest {
    private final Route<List<String>, List<String>> route = new Route.ToEach<>(name -> name);

    @Test
    void aBatchIsAnsweredInItsOrder() {
        List<String> batch = List.of("a", "bb", "a", "ccc", "dd");
        assertThat(route.parts(batch, String::length))
                .isEqualTo(Map.of(1, List.of("a", "a"), 2, List.of("bb", "dd"), 3, List.of("ccc")));
        assertThat(route.answer(
                        batch,
                        String::length,
                        Map.of(1, List.of("first", "third"), 2, List.of("second", "fifth"), 3, List.of("fourth"))))
                .containsExactly("first", "second", "third", "fourth", "fifth");
    }

    /** Requests and answers come from outside: who chooses their hash codes could make a hash map slow. */
    @Test
    void neitherRequestsNorAnswersAreHashedOrCompared() {
        Route<List<Unhashable>, List<Unhashable>> batches = new Route.ToEach<>(Unhashable::name);
        List<Unhashable> batch =
                Stream.of("a", "bb", "a", "cc").map(Unhashable::new).toList();

        List<Unhashable> answers = batches.answer(batch, String::length, batches.parts(batch, String::length));

        assertThat(answers).hasSize(4);
        for (int i = 0; i < 4; i++) {
            assertThat(answers.get(i)).isSameAs(batch.get(i));
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
        assertThat(route.parts(List.of(), String::length)).isEmpty();
        assertThat(route.answer(List.of(), String::length, Map.of())).isEmpty();
    }
}
