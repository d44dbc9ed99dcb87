// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;
import java.util.stream.Stream;

/** What merges found: IDs and integers that may exist twice. The event that reports them needs classes of Hazelcast, this does not. */
public record Findings(List<PossibleDuplicates> ids, List<PossibleDuplicateIntegers> integers) {
    static final Findings NONE = new Findings(List.of(), List.of());

    public Findings {
        ids = List.copyOf(ids);
        integers = List.copyOf(integers);
    }

    /** Returns the newest findings of either kind, at most so many. */
    Findings with(Findings more, int atMost) {
        return new Findings(newest(ids, more.ids, atMost), newest(integers, more.integers, atMost));
    }

    private static <T> List<T> newest(List<T> before, List<T> more, int atMost) {
        return Stream.concat(before.stream(), more.stream())
                .skip(Math.max(0, before.size() + more.size() - atMost))
                .toList();
    }
}
