// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.EurekaConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;

/** Tests members without a configured join. */
@Tag("integration")
@ExtendWith(OutputCaptureExtension.class)
class MemberJoinTest {
    private static final String WARNING = "No join is configured: the member ";
    private static final Surroundings DESK = new Surroundings(null);
    private static final Surroundings POD = new Surroundings("a pod of Kubernetes (KUBERNETES_SERVICE_HOST is set)");

    private final String clusterName = "join-" + UUID.randomUUID();

    /** Returns a configuration with auto-detection, as by default, but with a cluster name that no other test uses. */
    private Config undecided() {
        Config config = Members.config().setClusterName(clusterName);
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(true);
        return config;
    }

    private static ApplicationContextRunner application(Surroundings surroundings) {
        return Boot.runner()
                .withBean(Surroundings.class, () -> surroundings)
                .withPropertyValues("snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
    }

    private ApplicationContextRunner undecided(Surroundings surroundings) {
        return application(surroundings).withBean(Config.class, this::undecided);
    }

    @Test
    void itsMembersAreLoggedWithWhatToConfigure(CapturedOutput output) {
        undecided(DESK).run(context -> {
            assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
            HazelcastInstance member = context.getBean(HazelcastInstance.class);
            assertThat(output)
                    .contains(WARNING + member.getName() + " searched for others by itself, and the cluster "
                            + clusterName + " has 1 ("
                            + member.getCluster().getLocalMember().getAddress() + ")")
                    .contains("Configure network.join and cluster-name in hazelcast.yaml");
        });
    }

    @Test
    void aConfiguredMemberAndAClientAreNotWarnedOf(CapturedOutput output) {
        HazelcastInstance cluster = Hazelcast.newHazelcastInstance(undecided());
        try {
            application(POD)
                    .withBean(ClientConfig.class, () -> Members.clientConfig(cluster))
                    .run(context -> assertThat(context).hasNotFailed());
        } finally {
            cluster.shutdown();
        }
        application(POD)
                .withBean(Config.class, Members::config)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain(WARNING);
    }

    /** Runs without Boot's Hazelcast module, because snowcast does not stop Boot from starting a member. */
    @Test
    void inAContainerSnowcastStartsNoneAndSaysWhatToSet() {
        for (String location : new String[] {"", "classpath:hazelcast-default-join.yaml"}) {
            ApplicationContextRunner runner = SnowcastAutoConfigurationTest.withoutBootsHazelcast()
                    .withBean(Surroundings.class, () -> POD)
                    .withPropertyValues(
                            "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                            "spring.hazelcast.config=" + location);
            runner.run(context -> {
                Throwable failure = Objects.requireNonNull(context.getStartupFailure());
                FailureAnalysis analysis =
                        Objects.requireNonNull(new SnowcastFailureAnalyzer(new StandardEnvironment()).analyze(failure));
                assertThat(analysis.getDescription())
                        .startsWith("The Hazelcast member of this application is not started. It runs in a pod of"
                                + " Kubernetes (KUBERNETES_SERVICE_HOST is set), and nothing says how it finds the"
                                + " other members.");
                assertThat(analysis.getAction())
                        .contains("network.join")
                        .contains("hazelcast-client.yaml")
                        .contains("snowcast.store=jdbc")
                        .contains("snowcast.standalone-node=0");
                assertThat(Hazelcast.getAllHazelcastInstances()).isEmpty();
            });
        }
    }

    @Test
    void healthShowsTheMembersAndHowTheyAreFound() {
        HazelcastInstance first = Hazelcast.newHazelcastInstance(undecided());
        try {
            assertThat(HazelcastHealth.of(first).details())
                    .containsEntry("members", 1)
                    .containsEntry("clusterName", clusterName)
                    .containsEntry("join", "auto-detection, since none is configured");
            HazelcastInstance client = Members.startClient(first);
            assertThat(HazelcastHealth.of(client).details())
                    .containsEntry("members", 1)
                    .containsEntry("clusterName", clusterName)
                    .doesNotContainKey("join");
            client.shutdown();
        } finally {
            first.shutdown();
        }
    }

    private static String described(Consumer<JoinConfig> change) {
        Config config = Members.config();
        change.accept(config.getNetworkConfig().getJoin());
        return MemberJoin.describe(config);
    }

    @Test
    void eachKindOfJoinIsNamed() {
        assertThat(MemberJoin.describe(new Config())).isEqualTo("auto-detection, since none is configured");
        assertThat(described(join -> {})).isEqualTo("none: it is alone, or the first");
        assertThat(described(join -> join.getTcpIpConfig().setEnabled(true))).isEqualTo("tcp-ip");
        assertThat(described(join -> join.getMulticastConfig().setEnabled(true)))
                .isEqualTo("multicast");
        assertThat(described(join -> join.getKubernetesConfig().setEnabled(true)))
                .isEqualTo("kubernetes");
        assertThat(described(join -> join.getAwsConfig().setEnabled(true))).isEqualTo("aws");
        assertThat(described(join -> join.getGcpConfig().setEnabled(true))).isEqualTo("gcp");
        assertThat(described(join -> join.getAzureConfig().setEnabled(true))).isEqualTo("azure");
        assertThat(described(join -> join.setEurekaConfig(new EurekaConfig().setEnabled(true))))
                .isEqualTo("eureka");
        Config advanced = Members.config();
        advanced.getAdvancedNetworkConfig().setEnabled(true);
        assertThat(MemberJoin.describe(advanced)).isEqualTo("auto-detection, since none is configured");
    }
}
