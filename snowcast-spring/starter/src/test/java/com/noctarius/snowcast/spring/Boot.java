// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.util.ClassUtils;

/** Constants and methods that hide the differences between Spring Boot 3 and 4. */
public final class Boot {
    /** Boot's auto-configuration for Hazelcast. It is part of Boot 3, and in a separate module of Boot 4. */
    static final Class<?> HAZELCAST = first(
            "org.springframework.boot.autoconfigure.hazelcast.HazelcastAutoConfiguration",
            "org.springframework.boot.hazelcast.autoconfigure.HazelcastAutoConfiguration");

    public static final String NO_DATABASES = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration,"
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration";

    private Boot() {}

    private static Class<?> first(String... names) {
        for (String name : names) {
            if (ClassUtils.isPresent(name, null)) {
                return ClassUtils.resolveClassName(name, null);
            }
        }
        throw new AssertionError("none is present: " + String.join(", ", names));
    }

    /**
     * Returns the class path of this test without Boot's Hazelcast module and {@code hazelcast-spring}. An application
     * with only the dependency that docs/spring.md names has neither of these jars.
     */
    static String classPathOfOneDependency() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        !Path.of(entry).getFileName().toString().matches("(spring-boot-hazelcast|hazelcast-spring)-.*"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns a runner of contexts with snowcast's auto-configuration and Boot's for Hazelcast. */
    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HAZELCAST, SnowcastAutoConfiguration.class));
    }

    /** Asserts that the start fails, with a stack trace that has these parts. */
    static ContextConsumer<AssertableApplicationContext> failure(String... parts) {
        return context -> {
            for (String part : parts) {
                assertThat(context).getFailure().hasStackTraceContaining(part);
            }
        };
    }

    /** Asserts that the start fails, and that the message of the root cause has these parts. */
    static ContextConsumer<AssertableApplicationContext> rootFailure(String... parts) {
        return context -> assertThat(context).getFailure().rootCause().hasMessageContainingAll(parts);
    }

    /** Asserts that the only integer sequence of a context begins with an integer. */
    static ContextConsumer<AssertableApplicationContext> gives(long first) {
        return context ->
                assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(first);
    }
}
