// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How the requests of a call find the owners of the partitions of their names. */
public sealed interface Route<Q, A> {
    interface Sender<Q, A> {
        CompletableFuture<A> send(int partitionId, Q request);
    }

    /** Returns the names that a request is about, in the order in which it has them. */
    List<String> names(Q request);

    /** Sends a request to its owner, or the parts of a batch to theirs. */
    CompletableFuture<A> send(Q request, ToIntFunction<String> partitionOf, Sender<Q, A> sender);

    /** A request about one name. */
    record ToOne<Q, A>(Function<Q, String> nameOf) implements Route<Q, A> {
        @Override
        public List<String> names(Q request) {
            return List.of(nameOf.apply(request));
        }

        @Override
        public CompletableFuture<A> send(Q request, ToIntFunction<String> partitionOf, Sender<Q, A> sender) {
            return sender.send(partitionOf.applyAsInt(nameOf.apply(request)), request);
        }
    }

    /** A batch of requests, each about one name, whose answer has one for each, in the same order. */
    record ToEach<E, R>(Function<E, String> nameOf) implements Route<List<E>, List<R>> {
        @Override
        public List<String> names(List<E> batch) {
            return batch.stream().map(nameOf).toList();
        }

        @Override
        public CompletableFuture<List<R>> send(
                List<E> batch, ToIntFunction<String> partitionOf, Sender<List<E>, List<R>> sender) {
            Map<Integer, List<Integer>> indexes = IntStream.range(0, batch.size())
                    .boxed()
                    .collect(Collectors.groupingBy(i -> partitionOf.applyAsInt(nameOf.apply(batch.get(i)))));
            List<@Nullable R> answers = new ArrayList<>(Collections.nCopies(batch.size(), null));
            List<CompletableFuture<Void>> parts = new ArrayList<>();
            indexes.forEach((partitionId, ofPartition) -> parts.add(sender.send(
                            partitionId, ofPartition.stream().map(batch::get).toList())
                    .thenAccept(part -> {
                        for (int i = 0; i < part.size(); i++) {
                            answers.set(ofPartition.get(i), part.get(i));
                        }
                    })));
            return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                    .thenApply(done ->
                            answers.stream().map(Objects::requireNonNull).toList());
        }
    }
}
