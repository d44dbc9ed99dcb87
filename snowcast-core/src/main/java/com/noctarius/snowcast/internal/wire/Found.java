// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;

/** What a merge found that may exist twice. */
public record Found(List<PossibleDuplicates> ids, List<PossibleDuplicateIntegers> integers) {
    /** Makes immutable copies. */
    public Found {
        ids = List.copyOf(ids);
        integers = List.copyOf(integers);
    }
}
