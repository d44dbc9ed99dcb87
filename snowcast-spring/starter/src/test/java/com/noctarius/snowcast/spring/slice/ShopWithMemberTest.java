// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestPropertySource;

/** Tests the complete application with its own member. */
@Tag("integration")
@TestPropertySource("classpath:without-r2dbc.properties")
@SpringBootTest
class ShopWithMemberTest {
    @TestConfiguration(proxyBeanMethods = false)
    static class Stores {
        @Bean
        BlockStore jdbc() {
            return new MemoryBlockStore(5_000_001, Integer.MAX_VALUE);
        }

        @Bean
        BlockStore datacenter() {
            return new MemoryBlockStore();
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class OneMember {
        @Bean
        Config hazelcastConfig() {
            Config config = new Config().setClusterName("test-" + UUID.randomUUID());
            JoinConfig join = config.getNetworkConfig().getJoin();
            join.getAutoDetectionConfig().setEnabled(false);
            join.getMulticastConfig().setEnabled(false);
            return config;
        }
    }

    @Test
    void theDeskHasIds(@Autowired OrderDesk desk, @Autowired HazelcastInstance member) throws InterruptedException {
        assertThat(desk.newOrderId()).isPositive();
        assertThat(member.getCluster().getMembers()).hasSize(1);
    }
}
