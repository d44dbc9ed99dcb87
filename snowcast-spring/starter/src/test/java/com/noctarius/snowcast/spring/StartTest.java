// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;

/** Tests the start of a context whose cluster cannot serve yet. */
@Tag("integration")
class StartTest {
    private static final String ORDERS = "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z";
    private static final String PROTECTED = "snowcast.cluster.split-brain-protection-name=both";

    private final String clusterName = "start-" + UUID.randomUUID();
    private final int port = FreePort.get();
    private final int other = FreePort.get();

    @AfterEach
    void endMembers() {
        Hazelcast.shutdownAll();
    }

    /** Returns a runner of an application that is one of two members. The other member has not started yet. */
    private ApplicationContextRunner application(String... properties) {
        return Boot.runner()
                .withConfiguration(AutoConfigurations.of(SnowcastActuatorAutoConfiguration.class))
                .withBean(Config.class, () -> Members.oneOfTwo(clusterName, port, other, "both"))
                .withPropertyValues(PROTECTED)
                .withPropertyValues(properties);
    }

    private HazelcastInstance startOther() {
        Config config = Members.oneOfTwo(clusterName, other, port, "both");
        return Hazelcast.newHazelcastInstance(config.setProperty("snowcast.split.brain.protection.name", "both"));
    }

    private static SnowcastHealth health(ApplicationContext context) {
        return SnowcastHealth.of(
                context.getBean(KnownSequencers.class), Stream.empty(), context.getBean(Attacher.class));
    }

    @Test
    void itWaitsUntilTheClusterCanServe() throws Exception {
        CompletableFuture<HazelcastInstance> first = new CompletableFuture<>();
        CompletableFuture<Void> started = CompletableFuture.runAsync(() -> application(ORDERS)
                .withBean(Seen.class, () -> new Seen(first))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                }));
        assertThat(first.get().getLifecycleService().isRunning()).isTrue();
        startOther();
        started.get();
        assertThat(first.get().getLifecycleService().isRunning()).isFalse();
    }

    /** Passes the member or client to the test before Spring creates the sequencers, which wait for the cluster. */
    private record Seen(CompletableFuture<HazelcastInstance> member) implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof HazelcastInstance instance) {
                member.complete(instance);
            }
            return bean;
        }
    }

    @Test
    void itGivesUpAfterItsDeadlineAndSaysWhatToDo() {
        application(ORDERS, "snowcast.attach-timeout=200ms").run(context -> {
            assertThat(context).getFailure().hasRootCauseInstanceOf(SplitBrainProtectionException.class);
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            FailureAnalysis analysis =
                    Objects.requireNonNull(new SnowcastFailureAnalyzer(new StandardEnvironment()).analyze(failure));
            assertThat(analysis.getDescription())
                    .startsWith("The cluster cannot serve yet:")
                    .contains("sequencer orders was not ready within PT0.2S: ")
                    .contains("both");
            assertThat(analysis.getAction())
                    .contains("snowcast.attach-timeout")
                    .contains("snowcast.start-detached=true");
        });
    }

    @Test
    void itStartsDetachedAndAttachesWhenItCan() {
        application(ORDERS, "snowcast.start-detached=true").run(context -> {
            SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
            assertThat(orders.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
            SnowcastHealth without = health(context);
            assertThat(without.isUp()).isFalse();
            assertThat(without.details().toString())
                    .contains("orders={state=Detached")
                    .contains("both");

            startOther();
            Await.until("attached", () -> orders.getSequencerState() == SnowcastSequenceState.Attached);
            assertThat(orders.next()).isPositive();
            Await.until("up", () -> health(context).isUp());
            Await.until("no thread more", () -> threads() == 0);
        });
    }

    @Test
    void whatIsStillDetachedIsLeftSoWhenTheContextCloses() throws InterruptedException {
        application(ORDERS, "snowcast.start-detached=true").run(context -> {
            Await.until("an attempt", () -> threads() == 1);
            context.close();
            assertThat(context.getBeanFactory().getSingleton("orders")).isNull();
        });
        Await.until("the thread to end", () -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("snowcast.attach"))
                .count();
    }

    @Test
    void aMemberThatWaitsAfterAFullRestartIsWaitedForByDefault() {
        Boot.runner()
                .withBean(Config.class, Members::config)
                .withPropertyValues(
                        ORDERS,
                        "snowcast.cluster.full-restart-wait=true",
                        "snowcast.cluster.lease=1s",
                        "snowcast.cluster.max-lease=2s",
                        "snowcast.cluster.max-clock-skew=500ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(StartRules.class).timeout())
                            .isEqualTo(Duration.ofMinutes(2).plusMillis(2_500));
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                });
    }

    /** An integer sequence does not need the cluster, because its integers come from a store. */
    @Test
    void anIntegerSequenceDoesNotWaitForTheCluster() {
        application("snowcast.sequences.products.block-size=5")
                .withBean(MemoryBlockStore.class)
                .run(Boot.gives(1));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void propertiesOfTheClusterReachTheMemberAndAShortLeaseIsAllowedWithAnAdvice(CapturedOutput output) {
        Boot.runner()
                .withBean(Config.class, Members::config)
                .withPropertyValues(
                        "snowcast.cluster.lease=90s",
                        "snowcast.cluster.max-lease=2m",
                        "snowcast.cluster.node-id-range=10000-20000",
                        "snowcast.cluster.flake-ids=false")
                .run(context -> {
                    Config config = context.getBean(HazelcastInstance.class).getConfig();
                    Map<String, String> wanted = Map.of(
                            "snowcast.lease.millis", "90000",
                            "snowcast.max.lease.millis", "120000",
                            "snowcast.node.id.range", "10000-20000",
                            "snowcast.flake.ids", "false",
                            "hazelcast.shutdownhook.enabled", "false");
                    wanted.forEach((name, value) ->
                            assertThat(config.getProperty(name)).as(name).isEqualTo(value));
                    assertThat(output).contains("snowcast.cluster.lease=PT1M30S is short: ");
                });
    }

    /** Returns a runner of an application whose client does not wait for its cluster, which has not started yet. */
    private ApplicationContextRunner clientApplication(String... properties) {
        return Boot.runner()
                .withConfiguration(AutoConfigurations.of(SnowcastActuatorAutoConfiguration.class))
                .withBean(ClientConfig.class, () -> {
                    ClientConfig config = new ClientConfig().setClusterName(clusterName);
                    config.getNetworkConfig().addAddress("127.0.0.1:" + port);
                    config.getConnectionStrategyConfig().setAsyncStart(true);
                    config.getConnectionStrategyConfig()
                            .getConnectionRetryConfig()
                            .setInitialBackoffMillis(50)
                            .setMaxBackoffMillis(200);
                    return config;
                })
                .withPropertyValues(properties);
    }

    private HazelcastInstance startMember() {
        Config config = Members.config().setClusterName(clusterName);
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        return Hazelcast.newHazelcastInstance(config);
    }

    @Test
    void aClientWhoseClusterIsAwayWaitsForIt() throws Exception {
        CompletableFuture<HazelcastInstance> client = new CompletableFuture<>();
        CompletableFuture<Void> started = CompletableFuture.runAsync(() -> clientApplication(ORDERS)
                .withBean(Seen.class, () -> new Seen(client))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                }));
        client.get();
        startMember();
        started.get();
    }

    @Test
    void aClientWhoseClusterIsAwayStartsDetachedAndAttachesWhenItCan() {
        clientApplication(ORDERS, "snowcast.start-detached=true").run(context -> {
            SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
            assertThat(orders.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
            assertThat(health(context).details().toString())
                    .contains("orders={state=Detached")
                    .contains("the client is not connected to the cluster");

            startMember();
            Await.until("attached", () -> orders.getSequencerState() == SnowcastSequenceState.Attached);
            assertThat(orders.next()).isPositive();
        });
    }

    @Test
    void plainSpringWaitsToo() {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(Members.oneOfTwo(clusterName, port, other, "both")
                .setProperty("snowcast.split.brain.protection.name", "both"));
        SequencerFactoryBean bean = new SequencerFactoryBean(
                SnowcastSystem.snowcast(member),
                SequencerConfig.builder("orders")
                        .epoch(SnowcastEpoch.byTimestamp(0))
                        .build());
        bean.setAttachTimeout(Duration.ofMillis(10));
        assertThatThrownBy(bean::afterPropertiesSet)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageStartingWith("sequencer orders was not ready within PT0.01S: ");
    }
}
