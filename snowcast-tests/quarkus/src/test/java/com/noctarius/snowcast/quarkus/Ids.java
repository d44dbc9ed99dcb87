// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Instant;
import javax.sql.DataSource;

class Ids {
    @Produces
    @ApplicationScoped
    JdbcSnowcast snowcast(DataSource dataSource) {
        JdbcSnowcast snowcast = JdbcSnowcast.of(dataSource);
        snowcast.createTables();
        return snowcast;
    }

    void close(@Disposes JdbcSnowcast snowcast) {
        snowcast.close();
    }

    @Produces
    @Singleton
    @Startup
    SnowcastSequencer orders(JdbcSnowcast snowcast) {
        return snowcast.createSequencer(SequencerConfig.builder("orders")
                .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                .layout(SnowcastLayout.POSITIVE)
                .build());
    }
}
