// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.ArrayList;
import java.util.List;

/** How often something was found, with the first examples. Not thread-safe. */
final class Finding {
    private static final int MAX_EXAMPLES = 5;

    private final String name;
    private final List<String> examples = new ArrayList<>();
    private long count;

    Finding(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void add(long id) {
        count++;
        if (examples.size() < MAX_EXAMPLES) {
            examples.add(Long.toString(id));
        }
    }

    long count() {
        return count;
    }

    List<String> examples() {
        return examples;
    }
}
