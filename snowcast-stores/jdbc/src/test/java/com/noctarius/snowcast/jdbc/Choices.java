// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.List;

/** Enumerates all paths through a program that depends on choices, one path after the other. */
final class Choices {
    private final List<int[]> taken = new ArrayList<>();
    private int position;

    /** Returns the next choice of this path: 0 to {@code count - 1}. */
    int of(int count) {
        if (position == taken.size()) {
            taken.add(new int[] {0, count});
        }
        return taken.get(position++)[0];
    }

    /** Skips the greater values of the last choice. Call this if they would lead to the same result. */
    void noMore() {
        taken.subList(position, taken.size()).clear();
        int[] last = taken.get(position - 1);
        last[1] = last[0] + 1;
    }

    /** Begins the next path. Returns false if there is no other path. */
    boolean next() {
        position = 0;
        while (!taken.isEmpty()) {
            int[] last = taken.get(taken.size() - 1);
            if (++last[0] < last[1]) {
                return true;
            }
            taken.remove(taken.size() - 1);
        }
        return false;
    }

    @Override
    public String toString() {
        return taken.stream().map(choice -> choice[0]).toList().toString();
    }
}
