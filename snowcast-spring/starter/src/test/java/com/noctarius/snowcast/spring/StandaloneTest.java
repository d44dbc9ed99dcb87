// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests applications without a cluster. */
@Tag("integration")
@ExtendWith(OutputCaptureExtension.class)
class StandaloneTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    /** Unique for each test, because all contexts of a JVM share the ID generators with the same name. */
    private final String name = "orders" + UUID.randomUUID();

    private final String[] properties = {
        "snowcast.sequencers[" + name + "].epoch=2024-01-01T00:00:00Z",
        "snowcast.sequences.products.name=products" + name,
        "snowcast.sequences.products.first-value=5000001"
    };

    @Configuration(proxyBeanMethods = false)
    static class UnstartedMember {
        @Bean
        HazelcastInstance hazelcast() {
            throw new AssertionError("it was started");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSnowcast {
        @Bean
        Snowcast ids() {
            return new StandaloneSnowcast(0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSequencer {
        @Bean
        SnowcastSequencer orders() {
            return SnowcastSystem.standaloneSequencer(
                    SequencerConfig.builder("orders")
                            .epoch(EPOCH)
                            .layout(SnowcastLayout.POSITIVE)
                            .build(),
                    5);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSequence {
        @Bean
        IntegerSequence products() {
            return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("products")
                    .store(new MemoryBlockStore())
                    .build());
        }
    }

    /** Spring loads one of the two health auto-configurations: that for the Boot version on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SnowcastActuatorAutoConfiguration.class,
        SnowcastBoot3HealthAutoConfiguration.class,
        SnowcastBoot4HealthAutoConfiguration.class
    })
    static class Actuator {}

    private ApplicationContextRunner standalone(String node) {
        return withoutStore(node)
                .withBean("memory", BlockStore.class, () -> new MemoryBlockStore(5_000_001, 5_999_999));
    }

    private ApplicationContextRunner withoutStore(String node) {
        return Boot.runner().withPropertyValues(properties).withPropertyValues("snowcast.standalone-node=" + node);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "12,12", "orders-3,3", "${HOSTNAME},17", "' 7 ',7"})
    void aNumberOrTheEndOfAHostNameIsTheNode(String property, int node) {
        standalone(property).withPropertyValues("HOSTNAME=shop-orders-17").run(context -> {
            SnowcastSequencer orders = context.getBean(name, SnowcastSequencer.class);
            assertThat(orders.logicalNodeId(orders.next())).isEqualTo(node);
            assertThat(context.getBean("products", IntegerSequence.class).nextInt())
                    .isEqualTo(5_000_001);
            assertThat(context).doesNotHaveBean(HazelcastInstance.class);
            assertThat(context.getBean(Snowcast.class).sequencers()).containsExactly(orders);
        });
    }

    @Test
    void itIsLoud(CapturedOutput output) {
        standalone("orders-3")
                .run(context -> assertThat(output)
                        .contains("WARN")
                        .contains(
                                "snowcast.standalone-node=orders-3: no cluster is used. IDs are unique only while no other"
                                        + " process has node 3"));
    }

    @Test
    void whatIsOfAClusterHasNoEffect() {
        standalone("3")
                .withPropertyValues(
                        "snowcast.lease=10m",
                        "snowcast.backup-count=2",
                        "snowcast.start-detached=true",
                        "snowcast.cluster.lease=10m",
                        "snowcast.cluster.full-restart-wait=true",
                        "snowcast.cluster.high-water-mark-dir=/nowhere",
                        "snowcast.cluster.split-brain-protection-name=quorum")
                .run(context -> {
                    SnowcastSequencer orders = context.getBean(name, SnowcastSequencer.class);
                    assertThat(orders.logicalNodeId(orders.next())).isEqualTo(3);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "-1x", "orders-7d9f8b6c5d-x2x4z", "1000000", "ip-10-0-1-12"})
    void anythingElseIsRefused(String property) {
        standalone(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("snowcast.standalone-node must be a number from 0, or a host name that ends in one,"
                                + " such as orders-3 of a StatefulSet: '" + property
                                + "'. Set it to a number from 0, or a host name that ends in one, such as orders-3"
                                + " of a StatefulSet, or remove it to use the cluster"));
    }

    @Test
    void aNodeThatTheLayoutLacksIsRefused() {
        standalone("8192")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith(
                                "snowcast.standalone-node must be 0 to 8191 for the sequencer " + name + ": 8192"));
    }

    @Test
    void aMemberIsRefusedBeforeItIsStarted() {
        standalone("0")
                .withUserConfiguration(UnstartedMember.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidPropertyException.class)
                        .hasMessageContaining("snowcast.standalone-node must not be set where there is a cluster: there"
                                + " is a bean 'hazelcast' of type HazelcastInstance"));
    }

    @Test
    void aMemberOfAParentContextIsRefused() {
        new ApplicationContextRunner()
                .withBean(
                        "hazelcast",
                        HazelcastInstance.class,
                        () -> {
                            throw new AssertionError("it was started");
                        },
                        definition -> definition.setLazyInit(true))
                .run(parent -> standalone("0")
                        .withParent(parent)
                        .run(context -> assertThat(context)
                                .getFailure()
                                .hasMessageContaining("there is a bean 'hazelcast' of type HazelcastInstance")));
    }

    @Test
    void anotherSnowcastIsRefused() {
        standalone("0")
                .withUserConfiguration(OwnSnowcast.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("there is a bean 'ids' of type Snowcast"));
    }

    /** A store in memory would issue the same integers again after each start, and in each process. */
    @Test
    void anIntegerSequenceWithoutAStoreIsRefused() {
        withoutStore("0")
                .run(Boot.failure(
                        "snowcast.sequences.products.store-ref is missing, and there is no store",
                        "a MemoryBlockStore bean"));
    }

    @Test
    void contextsOfOneJvmShareWhatMakesIds() {
        standalone("0")
                .run(first -> standalone("0").run(second -> {
                    SnowcastSequencer one = first.getBean(name, SnowcastSequencer.class);
                    SnowcastSequencer other = second.getBean(name, SnowcastSequencer.class);
                    assertThat(Long.compareUnsigned(one.next(), other.next())).isNegative();
                    assertThat(Long.compareUnsigned(other.next(), one.next())).isNegative();
                    second.close();
                    assertThat(one.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
                }));
        standalone("0")
                .run(third -> assertThat(
                                third.getBean(name, SnowcastSequencer.class).getSequencerState())
                        .isEqualTo(SnowcastSequenceState.Attached));
    }

    @Test
    void aDetachedSequencerThatAnotherContextUsesStaysAttached() throws InterruptedException {
        SequencerConfig config = SequencerConfig.builder(name).epoch(EPOCH).build();
        SnowcastSequencer orders = new StandaloneSnowcast(1).createSequencer(config);
        assertThat(new StandaloneSnowcast(1).createDetachedSequencer(config)).isSameAs(orders);
        assertThat(orders.next()).isNotZero();
    }

    /** An application with a node lease can be tested without a cluster, too. */
    @Test
    void aNodeLeaseHasTheNodeAndNeverEnds() {
        standalone("3")
                .withPropertyValues("snowcast.node-leases.worker.max-nodes=16")
                .run(context -> {
                    NodeLease lease = context.getBean("worker", NodeLease.class);
                    assertThat(lease.nodeId()).isEqualTo(3);
                    assertThat(lease.stats().state()).isEqualTo(SnowcastSequenceState.Attached);
                    assertThat(lease.validUntil()).isAfter(Instant.parse("9999-01-01T00:00:00Z"));
                    assertThat(context.getEnvironment().getProperty("snowcast.node-leases.worker.node-id"))
                            .isEqualTo("3");
                    context.close();
                    assertThat(lease.stats().state()).isEqualTo(SnowcastSequenceState.Detached);
                    assertThatThrownBy(lease::nodeId)
                            .isInstanceOf(SnowcastStateException.class)
                            .hasMessageContaining("it was closed");
                });
        standalone("16")
                .withPropertyValues("snowcast.node-leases.worker.max-nodes=16")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith(
                                "snowcast.standalone-node must be 0 to 15 for the node lease worker: 16"));
    }

    /** Spring caches contexts for tests, which may use one database. */
    @Test
    void theGeneratorsOfTwoContextsAreOneAndDropIdsWithAnEarlierTime() throws InterruptedException {
        NodeLeaseConfig config = NodeLeaseConfig.builder(name).maxNodeCount(16).build();
        Iterator<Long> times = List.of(5L, 4L, 6L, 7L).iterator();
        NodeLease one = new StandaloneSnowcast(3).leaseNode(config);
        NodeLease other = new StandaloneSnowcast(3).leaseNode(config);
        NodeLease.Generator ids = one.generator(node -> times::next, id -> id);
        NodeLease.Generator same = other.generator(
                node -> {
                    throw new AssertionError("a second generator with the node ID");
                },
                id -> id);
        assertThat(ids.next()).isEqualTo(5);
        assertThat(same.next()).isEqualTo(6);
        assertThat(ids.getAsLong()).isEqualTo(7);
        assertThatThrownBy(() -> one.generator(node -> times::next, id -> id))
                .isInstanceOf(IllegalStateException.class);
        one.close();
        assertThatThrownBy(ids::next).isInstanceOf(SnowcastStateException.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoSequencesOfOneName {
        @Bean
        IntegerSequence first() {
            return orders();
        }

        @Bean
        IntegerSequence second() {
            return orders();
        }

        private static IntegerSequence orders() {
            return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("orders")
                    .store(new MemoryBlockStore())
                    .build());
        }
    }

    @Test
    void sequencesOfOneNameAreBothShown() {
        Boot.runner()
                .withUserConfiguration(TwoSequencesOfOneName.class, Actuator.class)
                .run(context -> {
                    KnownSequencers known = context.getBean(KnownSequencers.class);
                    assertThat(known.sequences().values())
                            .containsExactlyInAnyOrder(
                                    context.getBean("first", IntegerSequence.class),
                                    context.getBean("second", IntegerSequence.class));
                    assertThat(known.sequences()).containsOnlyKeys("orders", "second.orders");
                    context.getBean("second", IntegerSequence.class).close();
                    assertThat(known.sequences()).containsOnlyKeys("orders");
                });
    }

    @Test
    void healthAndEndpointShowThem() {
        standalone("0")
                .withConfiguration(AutoConfigurations.of(SnowcastActuatorAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=snowcast")
                .run(context -> {
                    KnownSequencers known = context.getBean(KnownSequencers.class);
                    assertThat(known.sequencers()).containsOnlyKeys(name);
                    assertThat(known.sequences()).containsOnlyKeys("products" + name);
                });
        standalone("0")
                .withUserConfiguration(Actuator.class)
                .withPropertyValues("management.health.snowcast.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(KnownSequencers.class)
                        .doesNotHaveBean("snowcastHealthIndicator"));
        standalone("0")
                .withUserConfiguration(Actuator.class)
                .run(context -> assertThat(context).hasBean("snowcastHealthIndicator"));
    }

    @Test
    void ofOneNameThereIsOneDefinition() {
        StandaloneSnowcast snowcast = new StandaloneSnowcast(1);
        SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
        assertThat(snowcast.createSequencer(name, EPOCH)).isSameAs(orders);
        assertThatThrownBy(() -> snowcast.createSequencer(SequencerConfig.builder(name)
                        .epoch(EPOCH)
                        .layout(SnowcastLayout.POSITIVE)
                        .build()))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
        IntegerSequenceConfig.Builder config =
                IntegerSequenceConfig.builder(name).store(new MemoryBlockStore());
        IntegerSequence products = snowcast.createIntegerSequence(config.build());
        assertThat(snowcast.createIntegerSequence(config.build())).isSameAs(products);
        assertThatThrownBy(() -> snowcast.createIntegerSequence(
                        config.store(new MemoryBlockStore()).build()))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
        assertThatThrownBy(() -> snowcast.createIntegerSequence(
                        IntegerSequenceConfig.builder(name + "-without").build()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(snowcast.integerSequences()).containsExactly(products);
        products.close();
        assertThat(snowcast.integerSequences()).isEmpty();
    }

    @Test
    void listenersAreTakenAndASequencerIsNotDestroyed() {
        StandaloneSnowcast snowcast = new StandaloneSnowcast(1);
        UUID listener = snowcast.addPossibleDuplicatesListener(unused -> {});
        assertThat(snowcast.removePossibleDuplicatesListener(listener)).isTrue();
        assertThat(snowcast.removePossibleDuplicatesListener(listener)).isFalse();
        SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
        assertThatThrownBy(() -> snowcast.destroySequencer(orders))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("detachLogicalNode()");
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnSequencer.class, OwnSequence.class})
    void ownStandaloneBeansStartNoMember(Class<?> own) {
        Boot.runner().withUserConfiguration(own, Actuator.class).run(context -> {
            KnownSequencers known = context.getBean(KnownSequencers.class);
            assertThat(known.sequencers().size() + known.sequences().size()).isEqualTo(1);
            assertThat(HazelcastHealth.of(context.getBeanFactory(), "hazelcastInstance")
                            .status())
                    .isEqualTo("UNKNOWN");
            assertThat(context.getBeanFactory().containsSingleton("hazelcastInstance"))
                    .isFalse();
            assertThat(context.getBeanFactory().containsSingleton("snowcast")).isFalse();
        });
    }
}
