// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class IntegerSequenceAutoConfigurationTest extends MemberOfTests {
    /** A store that records whether the sequences were closed before the store. */
    static final class Store implements BlockStore {
        final MemoryBlockStore memory = new MemoryBlockStore(1_000, 9_999);
        final List<IntegerSequence> users = new ArrayList<>();
        final List<Boolean> closedBefore = new ArrayList<>();

        @Override
        public Block reserve(String sequence, long size) {
            return memory.reserve(sequence, size);
        }

        @Override
        public void close() {
            users.forEach(user -> closedBefore.add(user.isClosed()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Stores {
        @Bean
        Store shards() {
            return new Store();
        }

        @Bean
        BlockStore other() {
            return new MemoryBlockStore();
        }
    }

    @Test
    void allPropertiesTakeEffect() {
        BlockStore store = new MemoryBlockStore();
        shared().withUserConfiguration(Stores.class)
                .withPropertyValues(
                        "snowcast.sequences.all.name=shop.all",
                        "snowcast.sequences.all.first-value=7",
                        "snowcast.sequences.all.last-value=3000000000",
                        "snowcast.sequences.all.min-block-size=10",
                        "snowcast.sequences.all.max-block-size=1000",
                        "snowcast.sequences.all.block-duration=30s",
                        "snowcast.sequences.all.prefetch-threshold=0.25",
                        "snowcast.sequences.all.max-wait=1500ms",
                        "snowcast.sequences.all.store-ref=shards",
                        "snowcast.sequences[my.fixed].block-size=5",
                        "snowcast.sequences[my.fixed].store-ref=other")
                .run(context -> {
                    SnowcastProperties properties = context.getBean(SnowcastProperties.class);
                    IntegerSequenceConfig all = config(properties, "all", null);
                    assertThat(all.name()).isEqualTo("shop.all");
                    assertThat(all.firstValue()).isEqualTo(7);
                    assertThat(all.lastValue()).isEqualTo(3_000_000_000L);
                    assertThat(all.minBlockSize()).isEqualTo(10);
                    assertThat(all.maxBlockSize()).isEqualTo(1_000);
                    assertThat(all.blockDuration()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(all.prefetchThreshold()).isEqualTo(0.25);
                    assertThat(all.maxWait()).isEqualTo(Duration.ofMillis(1_500));
                    assertThat(all.store()).isNull();

                    IntegerSequenceConfig fixed = config(properties, "my.fixed", store);
                    assertThat(fixed.toString())
                            .isEqualTo(IntegerSequenceConfig.builder("my.fixed")
                                    .blockSize(5)
                                    .store(store)
                                    .build()
                                    .toString());

                    assertThat(context.getBean("all", IntegerSequence.class).next())
                            .isEqualTo(1_000);
                    IntegerSequence ofStore = context.getBean("my.fixed", IntegerSequence.class);
                    assertThat(ofStore.next()).isEqualTo(1);
                    assertThat(ofStore.stats().blockSize()).isEqualTo(5);
                    assertThat(ofStore.toString()).contains("MemoryBlockStore");
                });
    }

    private static IntegerSequenceConfig config(SnowcastProperties properties, String key, @Nullable BlockStore store) {
        return Objects.requireNonNull(properties.sequences().get(key)).toConfig(key, store);
    }

    @Test
    void theOnlyOrPrimaryStoreIsThatOfASequenceWithoutOne() {
        shared("snowcast.sequences.tickets.block-size=5")
                .withBean("only", BlockStore.class, () -> new MemoryBlockStore(50, 99))
                .run(Boot.gives(50));
        shared("snowcast.sequences.tickets.block-size=5", "snowcast.sequences.parcels.store-ref=other")
                .withUserConfiguration(Stores.class)
                .withBean(
                        "main",
                        BlockStore.class,
                        () -> new MemoryBlockStore(50, 99),
                        definition -> definition.setPrimary(true))
                .run(context -> {
                    assertThat(context.getBean("tickets", IntegerSequence.class).next())
                            .isEqualTo(50);
                    assertThat(context.getBean("parcels", IntegerSequence.class).next())
                            .isEqualTo(1);
                });
    }

    @Test
    void storeIsClosedAfterTheSequenceThatNamesIt() {
        ApplicationContextRunner runner = shared().withUserConfiguration(Stores.class)
                .withPropertyValues("snowcast.sequences.tickets.store-ref=shards");
        List<Store> stores = new ArrayList<>();
        runner.run(context -> {
            Store store = context.getBean(Store.class);
            stores.add(store);
            store.users.add(context.getBean(IntegerSequence.class));
            assertThat(store.users.get(0).next()).isEqualTo(1_000);
        });
        // Destroy only the store bean. Spring must first close the sequence that depends on the store.
        runner.run(context -> {
            Store store = context.getBean(Store.class);
            stores.add(store);
            store.users.add(context.getBean(IntegerSequence.class));
            ((DefaultListableBeanFactory) context.getBeanFactory()).destroySingleton("shards");
        });
        assertThat(stores)
                .hasSize(2)
                .allSatisfy(store -> assertThat(store.closedBefore).containsExactly(true));
    }

    @Test
    void storeOfAParentContextCanBeNamed() {
        new ApplicationContextRunner()
                .withUserConfiguration(Stores.class)
                .run(parent -> shared().withParent(parent)
                        .withPropertyValues("snowcast.sequences.tickets.store-ref=shards")
                        .run(Boot.gives(1_000)));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {
        @Bean
        IntegerSequence products() {
            return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("mine")
                    .store(new MemoryBlockStore())
                    .build());
        }
    }

    @Test
    void backsOffForABeanOfTheUser() {
        shared().withUserConfiguration(OwnBeans.class)
                .withPropertyValues("snowcast.sequences.products.first-value=7")
                .run(context -> {
                    assertThat(context.getBean("products", IntegerSequence.class)
                                    .name())
                            .isEqualTo("mine");
                    assertThat(context.getBean(Snowcast.class).integerSequences())
                            .isEmpty();
                });
    }

    @Test
    void sequencersAndSequencesStandSideBySide() {
        shared().withBean(MemoryBlockStore.class)
                .withPropertyValues(
                        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z", "snowcast.sequences.lines.name=orders")
                .run(context -> {
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                    assertThat(context.getBean(IntegerSequence.class).nextInt()).isEqualTo(1);
                });
    }
}
