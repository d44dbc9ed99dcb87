// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSystem;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;

class NodeLeaseAutoConfigurationTest extends MemberOfTests {
    @Test
    void propertiesMakeALeaseThatEndsWithTheLastContext() {
        ApplicationContextRunner context = shared("snowcast.node-leases.tsid.max-nodes=16");
        NodeLease[] seen = new NodeLease[1];
        context.run(first -> {
            NodeLease lease = first.getBean("tsid", NodeLease.class);
            seen[0] = lease;
            assertThat(lease.nodeId()).isBetween(0, 15);
            assertThat(lease.maxNodeCount()).isEqualTo(16);
            context.run(second -> assertThat(second.getBean(NodeLease.class)).isSameAs(lease));
            assertThat(lease.stats().state()).isEqualTo(SnowcastSequenceState.Attached);
        });
        assertThat(seen[0].stats().state()).isEqualTo(SnowcastSequenceState.Detached);
        assertThat(SnowcastSystem.snowcast(member).nodeLeases()).isEmpty();
        context.run(again -> assertThat(again.getBean(NodeLease.class).nodeId()).isBetween(0, 15));
    }

    @Test
    void nameAndLeaseAreThoseOfTheProperties() {
        shared(
                        "snowcast.node-leases.workers.name=named",
                        "snowcast.node-leases.workers.max-nodes=32",
                        "snowcast.node-leases.workers.lease=7s",
                        "snowcast.node-leases.workers.backup-count=0")
                .run(context -> {
                    NodeLease lease = context.getBean("workers", NodeLease.class);
                    assertThat(lease.name()).isEqualTo("named");
                    assertThat(lease.stats().lease()).hasSeconds(7);
                });
    }

    /** Stands for a library that reads its worker ID from a property. */
    @Configuration(proxyBeanMethods = false)
    static class ForeignGenerator {
        @Bean
        Integer workerId(@Value("${foreign.worker-id}") int workerId) {
            return workerId;
        }
    }

    @Test
    void nodeIdIsAProperty() {
        shared("snowcast.node-leases.worker.max-nodes=32", "foreign.worker-id=${snowcast.node-leases.worker.node-id}")
                .withUserConfiguration(ForeignGenerator.class)
                .run(context -> {
                    int nodeId = context.getBean(NodeLease.class).nodeId();
                    assertThat(context.getBean("workerId")).isEqualTo(nodeId);
                    int bound = Binder.get(context.getEnvironment())
                            .bind("foreign.worker-id", Integer.class)
                            .get();
                    assertThat(bound).isEqualTo(nodeId);
                });
    }

    /** Stands for a library that creates its generator only if the property is set. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("foreign.worker-id")
    static class ConditionalForeignGenerator {
        @Bean
        Integer workerId(@Value("${foreign.worker-id}") int workerId) {
            return workerId;
        }
    }

    @Test
    void aConditionReadsTheDefaultAndTheBeanTheNodeId() {
        shared(
                        "snowcast.node-leases.worker.max-nodes=32",
                        "foreign.worker-id=${snowcast.node-leases.worker.node-id:pending}")
                .withUserConfiguration(ConditionalForeignGenerator.class)
                .run(context -> assertThat(context.getBean("workerId"))
                        .isEqualTo(context.getBean(NodeLease.class).nodeId()));
    }

    @Test
    void aConditionThatReadsTheNodeIdItselfFailsWithTheWayOut() {
        shared("snowcast.node-leases.worker.max-nodes=32", "foreign.worker-id=${snowcast.node-leases.worker.node-id}")
                .withUserConfiguration(ConditionalForeignGenerator.class)
                .run(context -> {
                    Throwable failure = Objects.requireNonNull(context.getStartupFailure());
                    FailureAnalysis analysis = new SnowcastFailureAnalyzer(new StandardEnvironment()).analyze(failure);
                    assertThat(Objects.requireNonNull(analysis).getDescription())
                            .contains("was read before there are beans");
                    assertThat(analysis.getAction()).contains("${snowcast.node-leases.worker.node-id:pending}");
                });
    }

    @Test
    void onlyALeaseHasThePropertyOfItsNodeId() {
        shared().run(context -> {
            for (String name : List.of("snowcastAttacher", "unknown", "", "a.b")) {
                assertThat(context.getEnvironment().getProperty("snowcast.node-leases." + name + ".node-id"))
                        .as(name)
                        .isNull();
            }
            assertThat(context.getEnvironment().getProperty("snowcast.node-leases.node-id"))
                    .isNull();
        });
    }

    @Test
    void healthAndMetersShowTheLease() {
        shared("snowcast.node-leases.shown.max-nodes=16").run(context -> {
            NodeLease lease = context.getBean(NodeLease.class);
            KnownSequencers known =
                    new KnownSequencers(Map.of("snowcast", context.getBean(Snowcast.class)), List::of, Map::of);
            SnowcastHealth health = SnowcastHealth.of(known, Stream.of(), null);
            assertThat(health.isUp()).isTrue();
            assertThat(health.details().get("nodeLeases"))
                    .asString()
                    .startsWith("{shown={state=Attached, nodeId=" + lease.nodeId() + ", leaseRemaining=PT");
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new SnowcastMetrics(known).bindTo(registry);
            assertThat(registry.get("snowcast.lease.node.id")
                            .tag("lease", "shown")
                            .gauge()
                            .value())
                    .isEqualTo(lease.nodeId());
            assertThat(registry.get("snowcast.lease.remaining")
                            .tag("lease", "shown")
                            .timeGauge()
                            .value())
                    .isPositive();
        });
    }
}
