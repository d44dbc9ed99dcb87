// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.jdbc.Dialect;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.hibernate.annotations.IdGeneratorType;
import org.junit.jupiter.api.Test;

/**
 * Tests that the jars have GraalVM metadata for the classes and files that are found by name. Builds no native image.
 */
class NativeImageMetadataTest {
    private static List<String> values(String artifact, String file, String key) throws IOException {
        String path = "META-INF/native-image/com.noctarius.snowcast/" + artifact + "/" + file;
        try (InputStream stream = NativeImageMetadataTest.class.getClassLoader().getResourceAsStream(path)) {
            assertThat(stream).as(path).isNotNull();
            String json = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return Pattern.compile("\"" + key + "\": \"([^\"<]+)\"")
                    .matcher(json)
                    .results()
                    .map(match -> match.group(1).replace("\\\\", "\\"))
                    .toList();
        }
    }

    @Test
    void generatorsThatHibernateMakesAreListed() throws IOException {
        assertThat(values("snowcast-hibernate", "reflect-config.json", "name"))
                .containsExactlyInAnyOrder(generator(SnowcastId.class), generator(SnowcastSequence.class));
    }

    private static String generator(Class<?> annotation) {
        return annotation.getAnnotation(IdGeneratorType.class).value().getName();
    }

    @Test
    void scriptsOfTablesAreIncluded() throws IOException {
        List<String> patterns = values("snowcast-jdbc", "resource-config.json", "pattern");
        for (String script :
                List.of("postgresql/R__snowcast_leases", "mariadb/R__snowcast_leases", "postgresql", "mariadb")) {
            String path = "com/noctarius/snowcast/jdbc/" + script + ".sql";
            assertThat(Dialect.class.getClassLoader().getResource(path)).isNotNull();
            assertThat(patterns).anyMatch(path::matches);
        }
    }
}
