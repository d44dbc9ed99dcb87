// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
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

/** Which properties are known, from whatever source: relaxed names, variables and those of Hazelcast. */
class UnknownPropertiesTest {
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
                "snowcast.cluster.floorDir",
                "snowcast.jdbc.pool-size",
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
                "SNOWCAST_CLUSTER_FLOORDIR",
                "SNOWCAST_CLUSTER_FLOOR_DIR",
                "SNOWCAST_SEQUENCERS_ORDERS_EPOCH",
                // Of Kubernetes, for services named snowcast and snowcast-members.
                "SNOWCAST_SERVICE_HOST",
                "SNOWCAST_MEMBERS_SERVICE_PORT_HTTP",
                "SNOWCAST_PORT_5701_TCP_ADDR",
                // Of whomever else: said, but no reason to stop a start.
                "SNOWCAST_HOME"
            })
    void variablesOfOthersStopNobody(String name) {
        assertThatCode(() -> check(variable(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource
    void thoseOfHazelcastBelongElsewhereOrToTheJvm(ClusterSetting setting) {
        String name = setting.hazelcastName();
        String variable = name.replace('.', '_').toUpperCase(Locale.ROOT);
        assertThatCode(() -> check(systemProperty(name))).doesNotThrowAnyException();
        for (PropertySource<?> source : new PropertySource<?>[] {file(name), variable(variable)}) {
            assertThatThrownBy(() -> check(source)).isInstanceOfSatisfying(InvalidPropertyException.class, e -> {
                assertThat(e.property()).isEqualTo(name);
                assertThat(e.action())
                        .contains("Set " + setting.property() + " here")
                        .contains(name);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "snowcast.attach-timout, snowcast.attach-timeout",
        "snowcast.sequencer.orders.epoch, snowcast.sequencers",
        "snowcast.sequence.orders.first-value, snowcast.sequences",
        "snowcast.cluster.floor-directory, snowcast.cluster.floor-dir",
        "snowcast.jdbc.poolsize2, snowcast.jdbc.pool-size",
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

    @Test
    void thoseOfTheJvmAreKnownThere() {
        assertThatCode(() -> check(systemProperty("snowcast.hazelcast.version.check")))
                .doesNotThrowAnyException();
        assertThatCode(() -> check(systemProperty("snowcast.max.lease.millis"))).doesNotThrowAnyException();
        assertThatCode(() -> check(systemProperty("snowcast.metrics.max.named")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> check(file("snowcast.hazelcast.version.check")))
                .isInstanceOf(InvalidPropertyException.class);
    }
}
