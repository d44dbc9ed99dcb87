// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SnowcastPropertyTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(snowcast\\.[\\w.]+)` \\|(.*)$");

    @Test
    void theTableOfTheGuideHasEachPropertyAndSaysWhichAreSystemPropertiesOnly() throws IOException {
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/guide.md")));
        List<String> described = new ArrayList<>();
        List<String> asSystemPropertyOnly = new ArrayList<>();
        while (row.find()) {
            described.add(row.group(1));
            if (row.group(2).contains("; as `-D` only |")) {
                asSystemPropertyOnly.add(row.group(1));
            }
        }
        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(SnowcastProperty.values())
                        .map(SnowcastProperty::key)
                        .toList());
        assertThat(asSystemPropertyOnly).containsExactlyInAnyOrderElementsOf(SnowcastProperty.keys(Place.JVM));
    }
}
