// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Integer sequences that Boot configures. */
class IntegerSequenceAutoConfigurationTest extends MemberOfTests {
    @Configuration(proxyBeanMethods = false)
    static class OwnMember {
        @Bean(destroyMethod = "shutdown")
        HazelcastInstance hazelcast() {
            return Members.start();
        }
    }

    /** Notes whether the sequence was closed when it ends. */
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
    void orderingOfTheClusterIsAProperty() {
        shared().withPropertyValues("snowcast.sequences.tickets.ordering=cluster")
                .run(context -> {
                    IntegerSequence tickets = context.getBean("tickets", IntegerSequence.class);
                    assertThat(tickets.stats().ordering()).isEqualTo(Ordering.CLUSTER);
                    assertThat(tickets.next()).isEqualTo(1);
                    assertThat(tickets.remaining()).isZero();
                });
    }

    @Test
    void allPropertiesTakeEffect() {
        BlockStore store = new MemoryBlockStore();
        shared().withUserConfiguration(Stores.class)
                .withPropertyValues(
                        "snowcast.sequences.all.name=cluster.all",
                        "snowcast.sequences.all.first-value=7",
                        "snowcast.sequences.all.last-value=3000000000",
                        "snowcast.sequences.all.min-block-size=10",
                        "snowcast.sequences.all.max-block-size=1000",
                        "snowcast.sequences.all.block-duration=30s",
                        "snowcast.sequences.all.prefetch-threshold=0.25",
                        "snowcast.sequences.all.max-wait=1500ms",
                        "snowcast.sequences.all.ordering=strict",
                        "snowcast.sequences.all.backup-count=0",
                        "snowcast.sequences[my.fixed].block-size=5",
                        "snowcast.sequences[my.fixed].store-ref=other")
                .run(context -> {
                    SnowcastProperties properties = context.getBean(SnowcastProperties.class);
                    IntegerSequenceConfig all = config(properties, "all", null);
                    assertThat(all.name()).isEqualTo("cluster.all");
                    assertThat(all.firstValue()).isEqualTo(7);
                    assertThat(all.lastValue()).isEqualTo(3_000_000_000L);
                    assertThat(all.minBlockSize()).isEqualTo(10);
                    assertThat(all.maxBlockSize()).isEqualTo(1_000);
                    assertThat(all.blockDuration()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(all.prefetchThreshold()).isEqualTo(0.25);
                    assertThat(all.maxWait()).isEqualTo(Duration.ofMillis(1_500));
                    assertThat(all.ordering()).isEqualTo(Ordering.STRICT);
                    assertThat(all.backupCount()).isEqualTo(OptionalInt.of(0));
                    assertThat(all.store()).isNull();

                    IntegerSequenceConfig fixed = config(properties, "my.fixed", store);
                    assertThat(fixed.toString())
                            .isEqualTo(IntegerSequenceConfig.builder("my.fixed")
                                    .blockSize(5)
                                    .store(store)
                                    .build()
                                    .toString());

                    // And the beans are made of them.
                    IntegerSequence ofCluster = context.getBean("all", IntegerSequence.class);
                    assertThat(ofCluster.next()).isEqualTo(7);
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
        // A refresh of scopes destroys one bean; what depends on it has to go first.
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
                        .run(context -> assertThat(
                                        context.getBean(IntegerSequence.class).next())
                                .isEqualTo(1_000)));
    }

    @Test
    void sequencesAreClosedBeforeTheMemberThatServesThem() {
        List<Boolean> closedAtShutdown = new ArrayList<>();
        Boot.runner()
                .withUserConfiguration(OwnMember.class)
                .withPropertyValues("snowcast.sequences.products.first-value=1")
                .run(context -> {
                    IntegerSequence products = context.getBean(IntegerSequence.class);
                    assertThat(products.next()).isEqualTo(1);
                    context.getBean(HazelcastInstance.class)
                            .getLifecycleService()
                            .addLifecycleListener(event -> {
                                if (event.getState() == LifecycleState.SHUTTING_DOWN) {
                                    closedAtShutdown.add(products.isClosed());
                                }
                            });
                });
        assertThat(closedAtShutdown).containsExactly(true);
    }

    /** Without backups the pool is lost with its owner. */
    @Test
    void propertiesSayWhereToGoOnAfterALoss() throws InterruptedException {
        HazelcastInstance[] members = com.noctarius.snowcast.hibernate.Members.two();
        try {
            String name = nameOwnedBy(members[0], members[1]);
            ApplicationContextRunner runner = Boot.runner()
                    .withBean(HazelcastInstance.class, () -> members[1], bean -> bean.setDestroyMethodName(""))
                    .withPropertyValues("snowcast.sequences." + name + ".backup-count=0");
            runner.run(context ->
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1));
            // A member that joined and was never confirmed by its elders waits for minutes when they are gone.
            SnowcastSystem.snowcast(members[1])
                    .createSequencer(nameOwnedBy(members[1], members[1]), SnowcastEpoch.byTimestamp(0));
            members[0].getLifecycleService().terminate();
            runner.run(context -> assertThat(context)
                    .getFailure()
                    .hasRootCauseInstanceOf(SnowcastIllegalStateException.class)
                    .hasStackTraceContaining("snowcast.sequences." + name + " cannot be used: integer sequence " + name
                            + ": all replicas of its pool were lost at ")
                    .hasStackTraceContaining("set first-value-after-loss and lost-before"));
            // By the cluster's time, which may lag, it must not be in the future.
            ApplicationContextRunner afterLoss = runner.withPropertyValues(
                    "snowcast.sequences." + name + ".first-value-after-loss=5731001",
                    "snowcast.sequences." + name + ".lost-before=" + Instant.now());
            AtomicLong next = new AtomicLong();
            Await.until("the cluster's time has come", () -> {
                afterLoss.run(context -> {
                    if (context.getStartupFailure() == null) {
                        next.set(context.getBean(IntegerSequence.class).next());
                    }
                });
                return next.get() != 0;
            });
            assertThat(next).hasValue(5_731_001);
            // What is left in the properties decides nothing of a sequence that is there, and creates none.
            afterLoss.run(context ->
                    assertThat(context.getBean(IntegerSequence.class).next()).isGreaterThan(5_731_001));
            String unknown = nameOwnedBy(members[1], members[1]) + "-unknown";
            afterLoss
                    .withPropertyValues("snowcast.sequences." + name + ".name=" + unknown)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasRootCauseInstanceOf(IntegerSequenceUnknownException.class)
                            .hasStackTraceContaining(unknown + " does not exist in this cluster"));
        } finally {
            members[1].shutdown();
        }
    }

    private static String nameOwnedBy(HazelcastInstance owner, HazelcastInstance asked) throws InterruptedException {
        Member wanted = owner.getCluster().getLocalMember();
        List<String> names =
                IntStream.range(0, 1_000).mapToObj(number -> "lost" + number).toList();
        Predicate<String> isOwned = name ->
                wanted.equals(asked.getPartitionService().getPartition(name).getOwner());
        Await.until(
                "partitions are assigned and at rest",
                () -> names.stream().anyMatch(isOwned)
                        && asked.getPartitionService().isClusterSafe());
        return names.stream().filter(isOwned).findFirst().orElseThrow();
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
        shared().withPropertyValues(
                        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z", "snowcast.sequences.lines.name=orders")
                .run(context -> {
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                    assertThat(context.getBean(IntegerSequence.class).nextInt()).isEqualTo(1);
                });
        shared().withPropertyValues("snowcast.sequences.lines.name=orders", "snowcast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IntegerSequence.class));
    }
}
