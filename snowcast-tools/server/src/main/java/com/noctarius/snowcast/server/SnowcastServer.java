// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;

/** An HTTP server that issues IDs of the configured sequencers and shows the cluster: see {@code docs/server.md}. */
@SpringBootApplication(
        proxyBeanMethods = false,
        exclude = {
            // The server has no users: it checks a token, or treats all requests alike.
            UserDetailsServiceAutoConfiguration.class,
            // {@link Sources} configures the data source of a server that needs a database.
            DataSourceAutoConfiguration.class
        })
@EnableConfigurationProperties(ServerProperties.class)
public class SnowcastServer {
    /**
     * Starts the server.
     *
     * @param args properties, such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication.run(SnowcastServer.class, args);
    }
}
