// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Runs Spring Boot applications, each with its own database, and most with a fixed node ID. */
public final class Contexts {
    /** Disables R2DBC, because Boot creates a DataSource only if there is no ConnectionFactory. */
    private static final String WITHOUT_R2DBC = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration,"
            + "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration";

    /** A node ID that no test uses for sequencers of its own. */
    private static final String STANDALONE = "snowcast.standalone-node=9";

    private Contexts() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Runs an application with a DataSource, and with JPA and Spring Data JDBC as far as Boot configures them. */
    public static ConfigurableApplicationContext jdbc(Class<?> application, String... properties) {
        return run(application, STANDALONE, properties);
    }

    /** Runs an application with a DataSource. The application itself declares its member, if it needs one. */
    public static ConfigurableApplicationContext withoutMember(Class<?> application, String... properties) {
        return run(application, "", properties);
    }

    private static ConfigurableApplicationContext run(Class<?> application, String node, String... properties) {
        return builder(application)
                .properties(
                        WITHOUT_R2DBC,
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "snowcast.store=hazelcast",
                        "snowcast.jdbc.create-tables=true",
                        "spring.jpa.hibernate.ddl-auto=create",
                        "spring.jpa.open-in-view=false",
                        "spring.jpa.properties.hibernate.generate_statistics=true",
                        "spring.jpa.properties.hibernate.jdbc.batch_size=50",
                        node)
                .properties(properties)
                .run();
    }

    static ConfigurableApplicationContext r2dbc(Class<?> application, String... properties) {
        return builder(application)
                .properties(
                        "spring.r2dbc.url=r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1",
                        STANDALONE)
                .properties(properties)
                .run();
    }

    private static SpringApplicationBuilder builder(Class<?> application) {
        return new SpringApplicationBuilder(Application.class, application).web(WebApplicationType.NONE);
    }
}
