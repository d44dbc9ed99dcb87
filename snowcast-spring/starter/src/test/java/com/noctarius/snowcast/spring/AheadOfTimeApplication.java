// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.config.Config;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application of {@link AheadOfTimeTest}. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    SnowcastAutoConfiguration.class,
    SnowcastActuatorAutoConfiguration.class,
    SnowcastBoot3HealthAutoConfiguration.class,
    SnowcastBoot4HealthAutoConfiguration.class,
    SnowcastBoot3HazelcastAutoConfiguration.class,
    SnowcastBoot4HazelcastAutoConfiguration.class
})
public class AheadOfTimeApplication {
    public static void main(String[] args) throws InterruptedException {
        SpringApplication application = new SpringApplication(AheadOfTimeApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of(
                "snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z",
                "snowcast.sequencers[my.deliveries].epoch", "2024-01-01T00:00:00Z",
                "snowcast.sequences.products.first-value", "5000001"));
        try (ConfigurableApplicationContext context = application.run(args)) {
            for (Map.Entry<String, SnowcastSequencer> sequencer :
                    context.getBeansOfType(SnowcastSequencer.class).entrySet()) {
                System.out.println("ID of " + sequencer.getKey() + ": "
                        + sequencer.getValue().next() + ", "
                        + sequencer.getValue().layout().logicalNodeCount() + " nodes");
            }
            System.out.println("product "
                    + context.getBean("products", IntegerSequence.class).next());
        }
    }

    @Bean
    Config config() {
        return Members.config();
    }

    @Bean
    BlockStore store() {
        return new MemoryBlockStore(7_000_000, Long.MAX_VALUE);
    }
}
