// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.util.Arrays;

/** The IDs that one thread got, in that order. Written by that thread; others may read {@link #size()}. */
final class IdLog {
    private long[] ids = new long[1024];
    private volatile int size;

    void add(long... more) {
        int before = size;
        int after = before + more.length;
        if (after > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(after, 2 * ids.length));
        }
        System.arraycopy(more, 0, ids, before, more.length);
        size = after;
    }

    int size() {
        return size;
    }

    long[] toArray() {
        return Arrays.copyOf(ids, size);
    }
}
