// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A {@code long[]} while it is read. Not thread-safe. */
final class IdArray {
    private long[] ids = new long[8];
    private int count;

    /** Adds an ID; null, which only a problem handler of the user returns, becomes 0. */
    void add(@Nullable Long id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, count * 2);
        }
        ids[count++] = id == null ? 0 : id;
    }

    int count() {
        return count;
    }

    long[] toArray() {
        return Arrays.copyOf(ids, count);
    }
}
