// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A batch of requests, each for the owner of a name's partition. The answers have the order of the requests. */
record Batch<E>(List<E> requests, List<Integer> partitions) {
    /** Returns the requests by the IDs of their partitions. */
    Map<Integer, List<E>> parts() {
        Map<Integer, List<E>> parts = new HashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            parts.computeIfAbsent(partitions.get(i), added -> new ArrayList<>()).add(requests.get(i));
        }
        return parts;
    }

    /** Returns the answer to the whole batch, from the answers to its {@link #parts}. */
    <R> List<R> answer(Map<Integer, List<R>> ofParts) {
        Map<Integer, Iterator<R>> next = new HashMap<>();
        ofParts.forEach((partitionId, answers) -> next.put(partitionId, answers.iterator()));
        return partitions.stream()
                .map(partitionId -> requireNonNull(next.get(partitionId)).next())
                .toList();
    }
}
