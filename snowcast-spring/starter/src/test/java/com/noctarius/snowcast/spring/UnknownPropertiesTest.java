// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Tests which properties are known, also as relaxed names, environment variables and Hazelcast properties. */
class UnknownPropertiesTest {
    private static final Path REFERENCE = Path.of("../../docs/reference/configuration.md");

    private static void check(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        if (environment.getPropertySources().contains(source.getName())) {
            environment.getPropertySources().replace(source.getName(), source);
        } else {
            environment.getPropertySources().addFirst(source);
        }
        ConfigurationPropertySources.attach(environment);
        new UnknownProperties(environment).postProcessBeanFactory(new DefaultListableBeanFactory());
    }

    private static PropertySource<?> file(String name) {
        return new MapPropertySource("a file", Map.of(name, "x"));
    }

    private static PropertySource<?> systemProperty(String name) {
        return new MapPropertySource(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, Map.of(name, "x"));
    }

    private static PropertySource<?> variable(String name) {
        return new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowcast.enabled",
                "snowcast.attach-timeout",
                "snowcast.attachTimeout",
                "snowcast.ATTACH_TIMEOUT",
                "snowcast.cluster.highWaterMarkDir",
                "snowcast.jdbc.table-name",
                "snowcast.store",
                "snowcast.jdbc.create-tables",
                "snowcast.sequencers.orders.epoch",
                "snowcast.sequencers[my.orders].epoch",
                "snowcast.sequences.products.first-value",
                "snowcaster.enabled",
                "management.endpoint.snowcast.access"
            })
    void whatThereIsInWhateverFormIsKnown(String name) {
        assertThatCode(() -> check(file(name))).doesNotThrowAnyException();
        assertThatCode(() -> check(systemProperty(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SNOWCAST_ATTACHTIMEOUT",
                "SNOWCAST_ATTACH_TIMEOUT",
                "SNOWCAST_CLUSTER_HIGHWATERMARKDIR",
                "SNOWCAST_CLUSTER_HIGH_WATER_MARK_DIR",
                "SNOWCAST_SEQUENCERS_ORDERS_EPOCH",
                // Kubernetes sets these variables for services with the names snowcast and snowcast-members.
                "SNOWCAST_SERVICE_HOST",
                "SNOWCAST_MEMBERS_SERVICE_PORT_HTTP",
                "SNOWCAST_PORT_5701_TCP_ADDR",
                // An unknown variable is logged, and the start continues.
                "SNOWCAST_HOME"
            })
    void variablesOfOthersStopNobody(String name) {
        assertThatCode(() -> check(variable(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "snowcast.attach-timout, snowcast.attach-timeout",
        "snowcast.sequencer.orders.epoch, snowcast.sequencers",
        "snowcast.sequence.orders.first-value, snowcast.sequences",
        "snowcast.cluster.high-water-mark-directory, snowcast.cluster.high-water-mark-dir",
        "snowcast.jdbc.tablename2, snowcast.jdbc.table-name",
        "snowcast.backups, snowcast.backup-count",
        "snowcast.start-detached.now, snowcast.start-detached"
    })
    void whatIsUnknownIsRefusedWithTheNearest(String name, String nearest) {
        for (PropertySource<?> source : new PropertySource<?>[] {file(name), systemProperty(name)}) {
            assertThatThrownBy(() -> check(source)).isInstanceOfSatisfying(InvalidPropertyException.class, e -> {
                assertThat(e.property()).isEqualTo(name);
                assertThat(e.action()).startsWith("Did you mean " + nearest + "?");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachPropertyOfHazelcastAndTheJvmIsKnownAsASystemPropertyAndRefusedElsewhereWithTheWayOut(
            SnowcastProperty property) {
        String name = property.key();
        assertThatCode(() -> check(systemProperty(name))).doesNotThrowAnyException();
        boolean isOfMembers = property.place() == SnowcastProperty.Place.MEMBERS;
        List<PropertySource<?>> elsewhere = new ArrayList<>(List.of(file(name)));
        if (isOfMembers) {
            elsewhere.add(variable(name.replace('.', '_').toUpperCase(Locale.ROOT)));
        }
        for (PropertySource<?> source : elsewhere) {
            assertThatThrownBy(() -> check(source)).isInstanceOfSatisfying(InvalidPropertyException.class, e -> {
                assertThat(e.property()).isEqualTo(name);
                assertThat(e.action()).contains(isOfMembers ? "Set snowcast.cluster." : "-D" + name, name);
            });
        }
    }

    @Test
    void eachPropertyOfMembersHasOneOfBoot() {
        assertThat(Arrays.stream(ClusterSetting.values()).map(ClusterSetting::hazelcastName))
                .containsExactlyInAnyOrderElementsOf(SnowcastProperty.keys(SnowcastProperty.Place.MEMBERS));
    }

    @Test
    void theReferenceHasEachProperty() throws IOException {
        List<String> present = new ArrayList<>(UnknownProperties.KNOWN);
        present.removeAll(List.of(PropertyNames.SEQUENCERS, PropertyNames.SEQUENCES, PropertyNames.NODE_LEASES));
        Setting.OF_SEQUENCER.forEach(setting -> present.add(PropertyNames.SEQUENCERS + ".<key>." + setting.key()));
        Setting.OF_SEQUENCE.forEach(setting -> present.add(PropertyNames.SEQUENCES + ".<key>." + setting.key()));
        Setting.OF_NODE_LEASE.forEach(setting -> present.add(PropertyNames.NODE_LEASES + ".<key>." + setting.key()));
        present.addAll(SnowcastProperty.keys(SnowcastProperty.Place.values()));
        List<String> described = Pattern.compile("(?m)^\\| `(snowcast\\.[\\w.<>-]+)` \\|.*$")
                .matcher(Files.readString(REFERENCE))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(described).containsExactlyInAnyOrderElementsOf(present);
    }

    /** The reference must contain the same ranges as the messages. */
    @Test
    void theReferenceHasEachRange() throws IOException {
        String page = Files.readString(REFERENCE);
        for (ClusterSetting setting : ClusterSetting.values()) {
            assertRange(page, setting.property(), setting.allowed());
        }
        for (Setting setting : Setting.OF_SEQUENCER) {
            assertRange(page, PropertyNames.SEQUENCERS + ".<key>." + setting.key(), setting.allowed());
        }
        for (Setting setting : Setting.OF_NODE_LEASE) {
            assertRange(page, PropertyNames.NODE_LEASES + ".<key>." + setting.key(), setting.allowed());
        }
        for (Setting setting : Setting.OF_SEQUENCE) {
            assertRange(page, PropertyNames.SEQUENCES + ".<key>." + setting.key(), setting.allowed());
        }
    }

    private static void assertRange(String page, String property, String allowed) {
        String range = page.lines()
                .filter(line -> line.startsWith("| `" + property + "` |"))
                .findFirst()
                .map(line -> line.split("\\|", -1)[2])
                .orElseThrow();
        Matcher number = Pattern.compile("\\b\\d+[smhd]?\\b").matcher(allowed.replaceFirst(", such as .*", ""));
        while (number.find()) {
            assertThat(range).as(property).containsPattern("\\b" + number.group() + "\\b");
        }
    }
}
