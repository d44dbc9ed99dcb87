// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The configured {@code Snowcast}, which the caller of {@link #of} has to close.
 *
 * @param end closes the {@code JdbcSnowcast}, or shuts down the Hazelcast client
 */
public record OpenedSnowcast(Snowcast snowcast, Runnable end) implements AutoCloseable {
    /**
     * Opens the {@code Snowcast}. If the settings require that tables are created and the database cannot serve yet,
     * retries for up to the {@code attach-timeout}.
     *
     * @param dataSources finds the data source with a name, or the default one if there is no name
     * @throws IllegalArgumentException if the settings leave open whether a data source or a Hazelcast client is used,
     *     or if the data source or the client's configuration file is missing
     */
    public static OpenedSnowcast of(Settings settings, Function<Optional<String>, Optional<DataSource>> dataSources) {
        Optional<DataSource> database = dataSources.apply(settings.dataSource());
        return switch (settings.store().orElseGet(() -> found(settings, database.isPresent()))) {
            case JDBC -> ofDatabase(settings, database.orElseThrow(() -> noDataSource(settings)));
            case HAZELCAST -> HazelcastClients.open(settings.hazelcastConfig()
                    .orElseThrow(() -> new IllegalArgumentException(Settings.STORE
                            + " is hazelcast, which needs a client: set " + Settings.HAZELCAST_CONFIG
                            + " to the file that configures it, or make a bean of type Snowcast")));
        };
    }

    private static Settings.Store found(Settings settings, boolean hasDatabase) {
        boolean hasCluster = settings.hazelcastConfig().isPresent();
        if (hasDatabase == hasCluster) {
            throw new IllegalArgumentException(
                    (hasCluster
                                    ? "There are a data source and " + Settings.HAZELCAST_CONFIG + ", and "
                                    : "There are neither a data source nor " + Settings.HAZELCAST_CONFIG + ", and ")
                            + "no setting says where node IDs come from: set " + Settings.STORE
                            + " to jdbc or hazelcast");
        }
        return hasDatabase ? Settings.Store.JDBC : Settings.Store.HAZELCAST;
    }

    private static IllegalArgumentException noDataSource(Settings settings) {
        return new IllegalArgumentException(settings.dataSource()
                .map(name -> Settings.DATA_SOURCE + " is " + name + ", and there is no data source of that name")
                .orElse(Settings.STORE + " is jdbc, which needs a data source; there is none, or there are several"
                        + " and none is the default: define one, or name one by " + Settings.DATA_SOURCE));
    }

    private static OpenedSnowcast ofDatabase(Settings settings, DataSource database) {
        JdbcSnowcast.Builder builder = JdbcSnowcast.builder(database);
        settings.lease().ifPresent(builder::lease);
        settings.tablePrefix()
                .ifPresent(prefix -> Section.checked(
                        Settings.TABLE_PREFIX,
                        "at most 40 letters, digits and _, the first not a digit, after a schema and a point or not",
                        prefix,
                        builder::tablePrefix));
        settings.processName()
                .ifPresent(name -> Section.checked(
                        Settings.PROCESS_NAME, "a text of 1 to 255 characters", name, builder::processName));
        JdbcSnowcast snowcast = builder.build();
        try {
            if (settings.createTables()) {
                settings.start().run("the tables of node IDs", () -> {
                    snowcast.createTables();
                    return snowcast;
                });
            }
            return new OpenedSnowcast(snowcast, snowcast::close);
        } catch (RuntimeException | Error e) {
            snowcast.close();
            throw e;
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
