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
import org.junit.jupiter.api.Test;

class RouteTest {
    private final Map<Integer, List<String>> sent = new HashMap<>();
    private final Map<Integer, CompletableFuture<List<String>>> answers = new HashMap<>();
    private final Route<List<String>, List<String>> route = new Route.ToEach<>(name -> name, "no");

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

    @Test
    void anEmptyBatchIsAnsweredAtOnce() {
        assertThat(send(List.of()).join()).isEmpty();
    }

    @Test
    void whoseGrantsAreOfAnotherClusterIsAnsweredForEach() {
        assertThat(route.answerOfAnotherCluster(List.of("a", "bb"))).containsExactly("no", "no");
    }
}
