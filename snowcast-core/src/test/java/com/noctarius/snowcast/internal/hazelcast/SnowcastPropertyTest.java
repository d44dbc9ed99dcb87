// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowcastPropertyTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(snowcast\\.[\\w.]+)` \\|(.*)$");

    @ParameterizedTest
    @CsvSource({"MEMBERS, Members", "MEMBERS_AND_CLIENTS, Members and clients", "JVM, The JVM"})
    void theReferenceHasEachPropertyWhereItMayStand(Place place, String heading) throws IOException {
        String page = Files.readString(Path.of("../docs/reference/configuration.md"));
        int start = page.indexOf("## " + heading + "\n");
        Matcher row = ROW.matcher(page.substring(start, page.indexOf("\n## ", start)));
        List<String> described = row.results().map(match -> match.group(1)).toList();
        assertThat(described).containsExactlyInAnyOrderElementsOf(SnowcastProperty.keys(place));
    }
}
