// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.noctarius.snowcast.SnowcastSequenceState.Detached;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tests contexts of one process. They share the Hazelcast instance that Boot has created, because its configuration has
 * an instance name.
 */
@Tag("integration")
class SharedHazelcastTest {
    private static final String ORDERS = "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z";

    /** An application whose start fails after its sequencer was created. */
    @Configuration(proxyBeanMethods = false)
    static class Broken {
        @Bean
        List<Long> firstIds(SnowcastSequencer orders) throws InterruptedException {
            throw new IllegalStateException("broken after ID " + orders.next());
        }
    }

    @Test
    void contextsOnOneNamedMemberGoOnAfterAnotherFailsAndTheCreatorCloses() {
        Config named = Members.config().setInstanceName("named-" + UUID.randomUUID());
        goOnUntilTheLast(Boot.runner().withBean(Config.class, () -> named));
        assertThat(Hazelcast.getHazelcastInstanceByName(named.getInstanceName()))
                .isNull();
    }

    @Test
    void contextsOnOneNamedClientGoOnAfterAnotherFailsAndTheCreatorCloses() {
        HazelcastInstance member = Members.start();
        try {
            ClientConfig named = Members.clientConfig(member).setInstanceName("named-" + UUID.randomUUID());
            goOnUntilTheLast(Boot.runner().withBean(ClientConfig.class, () -> named));
            assertThat(HazelcastClient.getHazelcastClientByName(named.getInstanceName()))
                    .isNull();
        } finally {
            member.shutdown();
        }
    }

    private static void goOnUntilTheLast(ApplicationContextRunner runner) {
        ApplicationContextRunner shop = runner.withPropertyValues(ORDERS);
        List<SnowcastSequenceState> statesAtEnd = new ArrayList<>();
        shop.run(first -> shop.run(second -> {
            SnowcastSequencer orders = first.getBean(SnowcastSequencer.class);
            assertThat(second.getBean(SnowcastSequencer.class)).isSameAs(orders);
            shop.withUserConfiguration(Broken.class)
                    .run(third -> assertThat(third)
                            .getFailure()
                            .isInstanceOf(BeanCreationException.class)
                            .hasRootCauseInstanceOf(IllegalStateException.class)
                            .rootCause()
                            .hasMessageStartingWith("broken after ID"));
            assertThat(orders.next()).as("after the failed start").isPositive();
            first.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();
            HazelcastInstance hazelcast = second.getBean(HazelcastInstance.class);
            assertThat(hazelcast.getLifecycleService().isRunning()).isTrue();
            assertThat(orders.next()).as("after the end of the creator").isPositive();
            hazelcast.getLifecycleService().addLifecycleListener(event -> statesAtEnd.add(orders.getSequencerState()));
        }));
        assertThat(statesAtEnd).isNotEmpty().containsOnly(Detached);
    }
}
