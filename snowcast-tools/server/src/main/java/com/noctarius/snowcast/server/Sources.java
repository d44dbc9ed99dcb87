// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Configures the source of the status: the cluster, or with {@code snowcast.store=jdbc} the database. */
@Configuration(proxyBeanMethods = false)
class Sources {
    /** Configures a data source only if its URL is set, because Boot would fail to start without a URL. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(Database.URL)
    @Import(DataSourceAutoConfiguration.class)
    static class Database {
        private static final String URL = "spring.datasource.url";

        /** Checks the driver before any other bean is created. */
        @Bean
        static BeanFactoryPostProcessor driverCheck(Environment environment) {
            return beanFactory -> {
                String driver =
                        DatabaseDriver.fromJdbcUrl(environment.getProperty(URL)).getDriverClassName();
                if (driver != null && !ClassUtils.isPresent(driver, Sources.class.getClassLoader())) {
                    throw new WrongSettingException(
                            URL,
                            "needs the driver " + driver + ", which is not in the jar of the server",
                            "Put the jar of the driver into a directory, and start the server with"
                                    + " java -Dloader.path=DIRECTORY -jar");
                }
            };
        }
    }

    @Bean
    ClusterSource clusterSource(ObjectProvider<JdbcSnowcast> database, ObjectProvider<HazelcastInstance> cluster) {
        JdbcSnowcast granting = database.getIfAvailable();
        if (granting != null) {
            return new ClusterReader("database", granting::status);
        }
        HazelcastInstance hazelcast = cluster.getObject();
        return new ClusterReader("cluster", () -> SnowcastSystem.clusterStatus(hazelcast));
    }

    @Bean
    Neighbours neighbours(
            ObjectProvider<JdbcSnowcast> database,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<HazelcastInstance> cluster,
            @Value("${spring.application.name}") String name)
            throws SQLException {
        return database.getIfAvailable() == null
                ? new ClusterNeighbours(cluster.getObject())
                : DatabaseProcess.of(name, dataSource.getObject());
    }
}
