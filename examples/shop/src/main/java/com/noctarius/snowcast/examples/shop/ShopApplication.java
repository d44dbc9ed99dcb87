// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.shop;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The order service. Each instance is a member of the cluster. It listens on the first port in {@code --shop.ports};
 * the other ports are those of its peers.
 */
@SpringBootApplication
public class ShopApplication {
    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Starts an instance.
     *
     * @param arguments the arguments of Spring Boot, with {@code --shop.ports}
     */
    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }

    @Bean
    Config hazelcastConfig(@Value("${shop.ports}") List<Integer> ports) {
        Config config =
                new Config().setClusterName("shop-" + ports.stream().sorted().toList());
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(ports.get(0)).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        ports.forEach(port -> join.getTcpIpConfig().addMember(LOOPBACK + ':' + port));
        return config;
    }
}
