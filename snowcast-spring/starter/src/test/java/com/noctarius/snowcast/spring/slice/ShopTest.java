// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static com.noctarius.snowcast.test.IdAssertions.assertThatId;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestPropertySource;

/** Tests the complete application without a cluster. */
@Tag("integration")
@TestPropertySource("classpath:without-r2dbc.properties")
@SpringBootTest(properties = "snowcast.standalone-node=3")
class ShopTest {
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

    @Test
    void theDeskHasIds(@Autowired OrderDesk desk, @Autowired SnowcastSequencer orders) throws InterruptedException {
        assertThatId(desk.newOrderId(), orders).hasLogicalNodeId(3);
        assertThat(desk.newProductId()).isGreaterThan(5_000_000);
    }

    @Test
    void noMemberIsStarted(@Autowired ApplicationContext context) {
        assertThat(context.getBeanNamesForType(HazelcastInstance.class)).isEmpty();
    }
}
