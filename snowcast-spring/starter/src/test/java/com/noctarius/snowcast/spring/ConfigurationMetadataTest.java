// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/** Tests that the metadata for IDEs contains exactly the existing properties. */
class ConfigurationMetadataTest {
    private static final Map<String, String> BOXED = Map.of("boolean", "java.lang.Boolean", "int", "java.lang.Integer");

    /** Reads the metadata of snowcast's own jar, because other jars contain a file with the same name. */
    private static Map<String, Object> metadata() throws IOException {
        String jar = SnowcastProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        URL file = new URL(
                (jar.endsWith(".jar") ? "jar:" + jar + "!/" : jar) + "META-INF/spring-configuration-metadata.json");
        try (InputStream json = file.openStream()) {
            return JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> entries(String key) throws IOException {
        return (List<Map<String, Object>>) Objects.requireNonNull(metadata().get(key));
    }

    private static List<String> names(String key) throws IOException {
        return entries(key).stream().map(entry -> text(entry, "name")).toList();
    }

    private static String text(Map<String, Object> entry, String key) {
        return String.valueOf(entry.get(key));
    }

    @Test
    void eachPropertyIsDescribedWithItsTypeAndDefault() throws Exception {
        List<String> described = new ArrayList<>();
        for (Map<String, Object> property : entries("properties")) {
            if (text(property, "name").startsWith("snowcast.")) {
                described.add(
                        text(property, "name") + " " + text(property, "type") + " " + text(property, "defaultValue"));
            }
            assertThat(text(property, "description")).endsWith(".");
        }
        List<String> present = new ArrayList<>(List.of("snowcast.store java.lang.String hazelcast"));
        present.addAll(properties(SnowcastProperties.PREFIX, SnowcastProperties.class));
        present.addAll(properties(ClusterProperties.PREFIX, ClusterProperties.class));
        present.addAll(properties(JdbcStoreProperties.PREFIX, JdbcStoreProperties.class));
        assertThat(described).containsExactlyElementsOf(present);
        assertThat(described.stream().map(one -> one.substring(0, one.indexOf(' '))))
                .as("what a start takes for known")
                .containsExactlyInAnyOrderElementsOf(UnknownProperties.KNOWN);
    }

    private static List<String> properties(String prefix, Class<?> record) {
        List<String> present = new ArrayList<>();
        RecordComponent[] components = record.getRecordComponents();
        Constructor<?> constructor = Arrays.stream(record.getDeclaredConstructors())
                .filter(each -> each.getParameterCount() == components.length)
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < components.length; i++) {
            DefaultValue defaultValue = constructor.getParameters()[i].getAnnotation(DefaultValue.class);
            String type = components[i].getGenericType().getTypeName().replace(", ", ",");
            present.add(prefix + "." + DataObjectPropertyName.toDashedForm(components[i].getName()) + " "
                    + BOXED.getOrDefault(type, type) + " "
                    + (defaultValue == null || defaultValue.value().length == 0
                            ? "null"
                            : defaultValue.value()[0]));
        }
        return present;
    }

    @Test
    void descriptionsOfGroupsNameEachOfTheirProperties() throws IOException {
        assertDescribed("snowcast.sequencers", SnowcastProperties.Sequencer.class, Setting.OF_SEQUENCER);
        assertDescribed("snowcast.sequences", SnowcastProperties.Sequence.class, Setting.OF_SEQUENCE);
        assertDescribed("snowcast.node-leases", SnowcastProperties.Node.class, Setting.OF_NODE_LEASE);
    }

    private static void assertDescribed(String group, Class<?> settings, List<Setting> present) throws IOException {
        String description = entries("properties").stream()
                .filter(property -> text(property, "name").equals(group))
                .map(property -> text(property, "description"))
                .findFirst()
                .orElseThrow();
        List<String> keys = present.stream().map(Setting::key).toList();
        assertThat(keys).allSatisfy(key -> assertThat(description).containsPattern("[ :]" + key + "(,| |\\.)"));
        assertThat(Arrays.stream(settings.getRecordComponents())
                        .map(component -> DataObjectPropertyName.toDashedForm(component.getName())))
                .containsExactlyElementsOf(keys);
    }

    @Test
    void hintsAreForPropertiesThatThereAre() throws IOException {
        assertThat(names("properties")).containsAll(names("hints"));
    }

    @Test
    void typesThereAreOnTheClassPath() throws IOException {
        for (String key : List.of("groups", "properties")) {
            for (Map<String, Object> entry : entries(key)) {
                String type = text(entry, "type").replaceAll("<.*", "");
                assertThat(ClassUtils.isPresent(type, null)).as(type).isTrue();
            }
        }
    }
}
