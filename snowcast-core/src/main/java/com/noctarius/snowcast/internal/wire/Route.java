// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Which names the requests of a call are about. The owner of a name's partition decides, so a batch falls into one part for
 * each of its partitions.
 */
sealed interface Route<Q, A> {
    /** Returns the names that a request is about, in the order in which it has them. */
    List<String> names(Q request);

    /** Returns the parts of a request by their partition. */
    Map<Integer, Q> parts(Q request, ToIntFunction<String> partitionOf);

    /** Returns the answer to a request, given the answers to its {@link #parts}. */
    A answer(Q request, ToIntFunction<String> partitionOf, Map<Integer, A> ofParts);

    /** A request about one name. */
    record ToOne<Q, A>(Function<Q, String> nameOf) implements Route<Q, A> {
        @Override
        public List<String> names(Q request) {
            return List.of(nameOf.apply(request));
        }

        @Override
        public Map<Integer, Q> parts(Q request, ToIntFunction<String> partitionOf) {
            return Map.of(partitionOf.applyAsInt(nameOf.apply(request)), request);
        }

        @Override
        public A answer(Q request, ToIntFunction<String> partitionOf, Map<Integer, A> ofParts) {
            return ofParts.values().iterator().next();
        }
    }

    /** A batch of requests, each about one name, whose answer has one for each, in the same order. */
    record ToEach<E, R>(Function<E, String> nameOf) implements Route<List<E>, List<R>> {
        @Override
        public List<String> names(List<E> batch) {
            return batch.stream().map(nameOf).toList();
        }

        @Override
        public Map<Integer, List<E>> parts(List<E> batch, ToIntFunction<String> partitionOf) {
            return batch.stream().collect(Collectors.groupingBy(each -> partitionOf.applyAsInt(nameOf.apply(each))));
        }

        @Override
        public List<R> answer(List<E> batch, ToIntFunction<String> partitionOf, Map<Integer, List<R>> ofParts) {
            Map<Integer, Iterator<R>> next = new HashMap<>();
            ofParts.forEach((partitionId, answers) -> next.put(partitionId, answers.iterator()));
            return batch.stream()
                    .map(each -> requireNonNull(next.get(partitionOf.applyAsInt(nameOf.apply(each))))
                            .next())
                    .toList();
        }
    }
}
