// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.noctarius.snowcast.SnowcastSequenceState.Attached;
import static com.noctarius.snowcast.SnowcastSequenceState.Detached;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests the auto-configuration with real members and clients. */
class SnowcastAutoConfigurationTest extends MemberOfTests {
    private static final String EPOCH = "2024-01-01T00:00:00Z";
    private static final String ORDERS = "snowcast.sequencers.orders.epoch=" + EPOCH;

    @Configuration(proxyBeanMethods = false)
    static class MemberConfig {
        @Bean
        Config config() {
            return Members.config();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClientOfMember {
        @Bean
        ClientConfig clientConfig() {
            return Members.clientConfig(member);
        }
    }

    record Desk(SnowcastSequencer first, SnowcastSequencer deliveries) {}

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Desk desk(@Qualifier("orders") SnowcastSequencer first, SnowcastSequencer deliveries) {
            return new Desk(first, deliveries);
        }
    }

    @Test
    void sequencersAreInjectedByQualifierAndParameterAndDetachedAtTheEnd() {
        List<SnowcastSequencer> seen = new ArrayList<>();
        shared().withUserConfiguration(Shop.class)
                .withPropertyValues(ORDERS, "snowcast.sequencers.deliveries.epoch=" + EPOCH)
                .run(context -> {
                    Desk desk = context.getBean(Desk.class);
                    assertThat(desk.first().getSequencerName()).isEqualTo("orders");
                    assertThat(desk.deliveries().getSequencerName()).isEqualTo("deliveries");
                    assertThat(desk.first().next()).isPositive();
                    seen.addAll(List.of(desk.first(), desk.deliveries()));
                });
        assertThat(seen)
                .hasSize(2)
                .allSatisfy(
                        sequencer -> assertThat(sequencer.getSequencerState()).isEqualTo(Detached));
    }

    @Test
    void allPropertiesTakeEffect() {
        shared().withPropertyValues(
                        "snowcast.backup-count=1",
                        "snowcast.lease=2m",
                        "snowcast.sequencers.all.epoch=2025-01-01T00:00:00Z",
                        "snowcast.sequencers.all.name=cluster.all",
                        "snowcast.sequencers.all.layout=40/11/12",
                        "snowcast.sequencers.all.counter-start=zero",
                        "snowcast.sequencers.all.lease=90s",
                        "snowcast.sequencers.all.backup-count=0",
                        "snowcast.sequencers.all.start-above=1234567",
                        "snowcast.sequencers.nodes.epoch=" + EPOCH,
                        "snowcast.sequencers.nodes.max-logical-nodes=300",
                        "snowcast.sequencers.positive.epoch=" + EPOCH,
                        "snowcast.sequencers.positive.layout=Positive",
                        "snowcast.sequencers.javascript.epoch=" + EPOCH,
                        "snowcast.sequencers.javascript.layout=javascript",
                        "snowcast.sequencers.plain.epoch=" + EPOCH,
                        "snowcast.sequencers.plain.layout=default")
                .run(context -> {
                    SnowcastSequencer all = context.getBean("all", SnowcastSequencer.class);
                    assertThat(all.getSequencerName()).isEqualTo("cluster.all");
                    assertThat(all.epoch()).isEqualTo(SnowcastEpoch.byInstant(Instant.parse("2025-01-01T00:00:00Z")));
                    assertThat(all.layout()).isEqualTo(new SnowcastLayout(40, 11, 12));
                    assertThat(all.stats().lease()).isEqualTo(Duration.ofSeconds(90));
                    assertThat(all.counterValue(all.tryNext().orElseThrow())).isZero();
                    Snowcast snowcast = context.getBean(Snowcast.class);
                    SequencerConfig.Builder same = SequencerConfig.builder("cluster.all")
                            .epoch(all.epoch())
                            .layout(all.layout())
                            .startAbove(1_234_567);
                    assertThat(snowcast.createSequencer(same.backupCount(0).build()))
                            .isSameAs(all);

                    SnowcastSequencer nodes = context.getBean("nodes", SnowcastSequencer.class);
                    assertThat(nodes.layout()).isEqualTo(SnowcastLayout.forMaxLogicalNodeCount(512));
                    assertThat(nodes.stats().lease()).isEqualTo(Duration.ofMinutes(2));
                    assertThat(layout(context.getBean("positive"))).isEqualTo(SnowcastLayout.POSITIVE);
                    assertThat(layout(context.getBean("javascript"))).isEqualTo(SnowcastLayout.JAVASCRIPT);
                    assertThat(layout(context.getBean("plain"))).isEqualTo(SnowcastLayout.DEFAULT);
                });
    }

    private static SnowcastLayout layout(Object sequencer) {
        return ((SnowcastSequencer) sequencer).layout();
    }

    @Test
    void memberIsMadeFromAConfigurationFileThatBootFindsWithTheBackupCountOfTheProperties() {
        Boot.runner()
                .withPropertyValues(
                        ORDERS, "snowcast.backup-count=2", "spring.hazelcast.config=classpath:hazelcast-alone.yaml")
                .run(context -> {
                    HazelcastInstance made = context.getBean(HazelcastInstance.class);
                    assertThat(made.getConfig().getClusterName()).isEqualTo("hazelcast-alone");
                    assertThat(SnowcastSystem.snowcast(made, 2)).isSameAs(context.getBean(Snowcast.class));
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                });
    }

    /** Returns a runner of contexts as on Boot 4 without Boot's Hazelcast module. */
    static ApplicationContextRunner withoutBootsHazelcast() {
        return new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(Boot.HAZELCAST))
                .withConfiguration(AutoConfigurations.of(SnowcastAutoConfiguration.class));
    }

    /** Three places where snowcast finds the configuration of a client. */
    static Stream<UnaryOperator<ApplicationContextRunner>> clients() {
        return Stream.of(
                runner -> runner.withUserConfiguration(ClientOfMember.class),
                runner -> runner.withPropertyValues("spring.hazelcast.config=classpath:client-of-test.yaml"),
                runner -> runner.withSystemProperties("hazelcast.client.config=classpath:client-of-test.yaml"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void clientIsStartedWithoutBootsModule(UnaryOperator<ApplicationContextRunner> configured) {
        int port = member.getCluster().getLocalMember().getAddress().getPort();
        configured
                .apply(withoutBootsHazelcast())
                .withSystemProperties("test.cluster=" + member.getConfig().getClusterName(), "test.port=" + port)
                .withPropertyValues(ORDERS)
                .run(context -> {
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                    assertThat(member.getClientService().getConnectedClients()).hasSize(1);
                });
    }

    /** The file configures a member. Either Spring's or Hazelcast's property names the file. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void memberIsStartedFromAFileWithoutBootsModule(boolean isSprings) {
        String file = "classpath:hazelcast-alone.yaml";
        ApplicationContextRunner runner = isSprings
                ? withoutBootsHazelcast().withPropertyValues("spring.hazelcast.config=" + file)
                : withoutBootsHazelcast().withSystemProperties("hazelcast.config=" + file);
        runner.withPropertyValues(ORDERS, "snowcast.cluster.lease=2m").run(context -> {
            Config config = context.getBean(HazelcastInstance.class).getConfig();
            assertThat(config.getClusterName()).isEqualTo("hazelcast-alone");
            assertThat(config.getProperty("snowcast.lease.millis")).isEqualTo("120000");
            assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
        });
    }

    @Test
    void memberIsStartedFromAConfigBeanAndEndsWithTheContext() {
        List<HazelcastInstance> started = new ArrayList<>();
        List<List<Boolean>> areClosed = new ArrayList<>();
        List<List<SnowcastSequenceState>> atShutdown = new ArrayList<>();
        withoutBootsHazelcast()
                .withUserConfiguration(MemberConfig.class)
                .withBean(MemoryBlockStore.class)
                .withPropertyValues(ORDERS, "snowcast.sequences.products.first-value=1", "snowcast.lease=10m")
                .run(context -> {
                    HazelcastInstance own = context.getBean(HazelcastInstance.class);
                    assertThat(own.getConfig().getClusterName())
                            .isEqualTo(context.getBean(Config.class).getClusterName());
                    assertThat(own.getConfig().getProperty("snowcast.lease.millis"))
                            .isEqualTo("600000");
                    assertThat(own.getConfig().getProperty("hazelcast.shutdownhook.enabled"))
                            .isEqualTo("false");
                    // The build sets this property as a system property, so snowcast does not set it.
                    assertThat(own.getConfig().getProperties()).doesNotContainKey("hazelcast.logging.type");
                    SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
                    assertThat(orders.stats().lease()).isEqualTo(Duration.ofMinutes(10));
                    started.add(own);
                    IntegerSequence products = context.getBean(IntegerSequence.class);
                    assertThat(products.next()).isEqualTo(1);
                    atShutdown.add(Members.atShutdown(own, orders::getSequencerState));
                    areClosed.add(Members.atShutdown(own, products::isClosed));
                });
        assertThat(started.get(0).getLifecycleService().isRunning()).isFalse();
        assertThat(atShutdown).containsExactly(List.of(Detached));
        assertThat(areClosed).containsExactly(List.of(true));
    }

    @Test
    void memberLogsAsTheApplicationDoesAndPropertiesThatTheConfigHasAreNotReplaced() {
        String before = System.clearProperty("hazelcast.logging.type");
        try {
            withoutBootsHazelcast()
                    .withBean(
                            Config.class,
                            () -> Members.config()
                                    .setProperty("snowcast.lease.millis", "120000")
                                    .setProperty("hazelcast.shutdownhook.enabled", "true"))
                    .withPropertyValues("snowcast.lease=1m")
                    .run(context -> assertThat(context.getBean(HazelcastInstance.class)
                                    .getConfig()
                                    .getProperties())
                            .containsEntry("hazelcast.logging.type", "slf4j")
                            .containsEntry("snowcast.lease.millis", "120000")
                            .containsEntry("hazelcast.shutdownhook.enabled", "true"));
        } finally {
            System.setProperty("hazelcast.logging.type", before);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMembers {
        @Bean(destroyMethod = "shutdown")
        HazelcastInstance left() {
            return Members.start();
        }

        @Bean(destroyMethod = "")
        HazelcastInstance right() {
            return member;
        }
    }

    @Test
    void thePrimaryOneOfSeveralInstancesIsUsedAndTheNamedOneIsShutDownLast() {
        Boot.runner()
                .withBean("primary", HazelcastInstance.class, () -> member, bean -> {
                    bean.setPrimary(true);
                    bean.setDestroyMethodName("");
                })
                .withUserConfiguration(TwoMembers.class)
                .run(context -> assertThat(context.getBean(Snowcast.class)).isSameAs(SnowcastSystem.snowcast(member)));
        List<List<SnowcastSequenceState>> atShutdown = new ArrayList<>();
        Boot.runner()
                .withUserConfiguration(TwoMembers.class)
                .withPropertyValues(ORDERS, "snowcast.hazelcast-instance-ref=left")
                .run(context -> atShutdown.add(Members.atShutdown(
                        context.getBean("left", HazelcastInstance.class),
                        context.getBean(SnowcastSequencer.class)::getSequencerState)));
        assertThat(atShutdown).containsExactly(List.of(Detached));
    }

    @Test
    void theNamedOneOfSeveralInstancesIsUsedAndEachHasAHealth() {
        Boot.runner()
                .withUserConfiguration(TwoMembers.class, StandaloneTest.Actuator.class)
                .withPropertyValues("snowcast.hazelcast-instance-ref=right")
                .run(context -> {
                    assertThat(context.getBean(Snowcast.class)).isSameAs(SnowcastSystem.snowcast(member));
                    assertThat(HazelcastHealth.namesOf(context.getBeanFactory()))
                            .containsExactlyInAnyOrder("left", "right");
                    assertThat((Iterable<?>) context.getBean("hazelcastHealthContributor"))
                            .hasSize(2);
                    context.getBean("left", HazelcastInstance.class).shutdown();
                    assertThat(HazelcastHealth.of(context.getBeanFactory(), "left")
                                    .status())
                            .isEqualTo("DOWN");
                    assertThat(HazelcastHealth.of(context.getBeanFactory(), "right")
                                    .status())
                            .isEqualTo("UP");
                });
    }

    /**
     * Destroys only the bean of the Hazelcast instance. Spring then first destroys the beans that are declared to
     * depend on it; the order of creation has no effect.
     */
    @Test
    void instanceThatIsDestroyedAloneTakesTheSequencersAlong() {
        Boot.runner()
                .withUserConfiguration(MemberConfig.class)
                .withPropertyValues(ORDERS)
                .run(context -> {
                    List<SnowcastSequenceState> atShutdown = Members.atShutdown(
                            context.getBean(HazelcastInstance.class),
                            context.getBean(SnowcastSequencer.class)::getSequencerState);
                    ((DefaultListableBeanFactory) context.getBeanFactory()).destroySingleton("hazelcastInstance");
                    assertThat(atShutdown).containsExactly(Detached);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {
        @Bean
        Snowcast mine() {
            return SnowcastSystem.snowcast(member);
        }

        @Bean
        SequencerFactoryBean orders(Snowcast mine) {
            return new SequencerFactoryBean(
                    mine,
                    SequencerConfig.builder("own.orders")
                            .epoch(SnowcastEpoch.byInstant(Instant.parse(EPOCH)))
                            .build());
        }
    }

    @Test
    void backsOffForBeansOfTheUser() {
        Boot.runner()
                .withUserConfiguration(OwnBeans.class)
                .withPropertyValues(ORDERS, "snowcast.sequencers.deliveries.epoch=" + EPOCH)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(HazelcastInstance.class);
                    assertThat(context).getBeanNames(Snowcast.class).containsExactly("mine");
                    assertThat(context.getBean("orders", SnowcastSequencer.class)
                                    .getSequencerName())
                            .isEqualTo("own.orders");
                    assertThat(context.getBean("deliveries", SnowcastSequencer.class)
                                    .getSequencerState())
                            .isEqualTo(Attached);
                });
    }

    @Test
    void canBeSwitchedOff() {
        Boot.runner()
                .withPropertyValues(ORDERS, "snowcast.sequences.products.first-value=1", "snowcast.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Snowcast.class)
                        .doesNotHaveBean(SnowcastSequencer.class)
                        .doesNotHaveBean(IntegerSequence.class)
                        .doesNotHaveBean(HazelcastInstance.class));
    }
}
