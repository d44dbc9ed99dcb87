// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of docs/migration. */
record Page(String name, String text) {
    private static final Path DIRECTORY = Path.of("../../docs/migration");

    static Page of(String name) throws IOException {
        return new Page(name, Files.readString(DIRECTORY.resolve(name)));
    }

    /** Returns the epoch of the sequencer that the page's properties define. */
    SnowcastEpoch epoch() {
        return SnowcastEpoch.byInstant(Instant.parse(property("snowcast.sequencers.orders.epoch")));
    }

    /** Returns the layout of the sequencer that the page's properties define, which must be {@code positive}. */
    SnowcastLayout layout() {
        String layout = property("snowcast.sequencers.orders.layout");
        if (!layout.equals("positive")) {
            throw new AssertionError(name + ": layout " + layout);
        }
        return SnowcastLayout.POSITIVE;
    }

    /** Returns the statements of the page's only block of SQL. */
    List<String> statements() {
        List<String> blocks = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1))
                .toList();
        if (blocks.size() != 1) {
            throw new AssertionError(name + " has " + blocks.size() + " blocks of SQL");
        }
        return List.of(blocks.get(0).strip().split(";\\s*"));
    }

    String property(String key) {
        Matcher property =
                Pattern.compile("(?m)^" + Pattern.quote(key) + "=(\\S+)$").matcher(text);
        if (!property.find()) {
            throw new AssertionError(name + " has no property " + key);
        }
        return property.group(1);
    }
}
