// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.jdbc.DataSourceResolver;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

@Factory
class Ids {
    @Singleton
    @Bean(preDestroy = "close")
    JdbcSnowcast snowcast(DataSource dataSource, Optional<DataSourceResolver> resolver) {
        DataSource pool = resolver.orElse(DataSourceResolver.DEFAULT).resolve(dataSource);
        JdbcSnowcast snowcast = JdbcSnowcast.of(pool);
        snowcast.createTables();
        return snowcast;
    }

    @Context
    SnowcastSequencer orders(JdbcSnowcast snowcast) {
        return snowcast.createSequencer(SequencerConfig.builder("orders")
                .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                .layout(SnowcastLayout.POSITIVE)
                .build());
    }
}
