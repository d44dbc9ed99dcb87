// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.jdbc.DataSourceResolver;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The factory of an application that creates the {@code Snowcast} itself. */
@Factory
@Requires(property = "own.snowcast")
class OwnBean {
    private JdbcSnowcast snowcast;

    @Singleton
    @Bean(
            preDestroy = "close",
            typed = {Snowcast.class, JdbcSnowcast.class})
    JdbcSnowcast snowcast(DataSource dataSource, DataSourceResolver resolver) {
        snowcast = JdbcSnowcast.of(resolver.resolve(dataSource));
        snowcast.createTables();
        return snowcast;
    }

    JdbcSnowcast made() {
        return snowcast;
    }
}
