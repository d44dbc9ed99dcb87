// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RouteTest {
    private final Map<Integer, List<String>> sent = new HashMap<>();
    private final Map<Integer, CompletableFuture<List<String>>> answers = new HashMap<>();
    private final Route<List<String>, List<String>> route = new Route.ToEach<>(name -> name);

    /** Names of one length are in one partition. */
    private CompletableFuture<List<String>> send(List<String> batch) {
        return route.send(batch, String::length, (partitionId, part) -> {
            sent.put(partitionId, part);
            return answers.computeIfAbsent(partitionId, id -> new CompletableFuture<>());
        });
    }

    private void answer(int partitionId) {
        List<String> echoes = new ArrayList<>();
        sent.getOrDefault(partitionId, List.of()).forEach(name -> echoes.add(name + "!"));
        Objects.requireNonNull(answers.get(partitionId)).complete(echoes);
    }

    @Test
    void aBatchIsAnsweredInItsOrderWhateverOwnerAnswersFirst() {
        CompletableFuture<List<String>> answer = send(List.of("a", "bb", "a", "ccc", "dd"));

        assertThat(sent).isEqualTo(Map.of(1, List.of("a", "a"), 2, List.of("bb", "dd"), 3, List.of("ccc")));
        answer(3);
        answer(1);
        assertThat(answer).isNotDone();
        answer(2);
        assertThat(answer.join()).containsExactly("a!", "bb!", "a!", "ccc!", "dd!");
    }

    @Test
    void aBatchFailsIfAPartOfItFails() {
        CompletableFuture<List<String>> answer = send(List.of("a", "bb"));
        Objects.requireNonNull(answers.get(2)).completeExceptionally(new IllegalStateException("no owner"));
        answer(1);

        assertThatThrownBy(answer::join).hasRootCauseMessage("no owner");
    }

    /** Requests and answers come from outside: who chooses their hash codes could make a hash map slow. */
    @Test
    void neitherRequestsNorAnswersAreHashedOrCompared() {
        Route<List<Unhashable>, List<Unhashable>> batches = new Route.ToEach<>(Unhashable::name);
        List<Unhashable> batch =
                Stream.of("a", "bb", "a", "cc").map(Unhashable::new).toList();

        List<Unhashable> answers = batches.send(
                        batch, String::length, (partitionId, part) -> CompletableFuture.completedFuture(part))
                .join();

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
    void anEmptyBatchIsAnsweredAtOnce() {
        assertThat(send(List.of()).join()).isEmpty();
    }
}
