// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.metrics.MetricsRegistry;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Metrics;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests snowcast's metrics in Hazelcast's registry and in JMX, on members and clients. */
@Tag("integration")
class MetricsClusterTest {
    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    private final String name = TestCluster.newName();

    @AutoClose
    private final MockCluster cluster = MockCluster.of(0, Map.of("snowcast.lease.millis", "60000"));

    private HazelcastInstance addMember() {
        return cluster.addMember(config -> config.getMetricsConfig().setCollectionFrequencySeconds(1));
    }

    private HazelcastInstance addClient() {
        return cluster.addClient(config -> config.getMetricsConfig().setCollectionFrequencySeconds(1));
    }

    private static void awaitMetric(HazelcastInstance hazelcast, String metric, long value) {
        Await.until(
                metric + " = " + value,
                () -> Long.valueOf(value).equals(Metrics.of(hazelcast).get(metric)));
    }

    private IntegerSequence createIntegers(HazelcastInstance instance) {
        return SnowcastSystem.snowcast(instance)
                .createIntegerSequence(IntegerSequenceConfig.builder(name)
                        .blockSize(10)
                        .prefetchThreshold(1)
                        .store(new MemoryBlockStore())
                        .build());
    }

    @Test
    void metricsOfAClientReachAMember() throws InterruptedException {
        HazelcastInstance member = addMember();
        HazelcastInstance client = addClient();
        TestCluster.create(client, name).next(7);

        Await.until(
                "what the client sends",
                () -> Long.valueOf(7).equals(Metrics.sentBy(client, member).get(name + ".issued")));
        assertThat(Metrics.of(member)).containsEntry("issued", 0L);
    }

    @Test
    void ownerAndHoldersShowHowManyNodeIdsAreInUse() {
        addMember();
        addMember();
        cluster.awaitSafe();
        HazelcastInstance client = addClient();
        cluster.createOnAll(name);
        SnowcastSequencer third = TestCluster.create(client, name);
        HazelcastInstance owner = cluster.owner(name);
        HazelcastInstance other = cluster.backup(name);

        for (HazelcastInstance each : List.of(owner, other, client)) {
            awaitMetric(each, name + ".attachedNodeIds", 3);
            awaitMetric(each, name + ".expiringNodeIds", 0);
            awaitMetric(each, name + ".nodeIds", third.layout().logicalNodeCount());
            assertThat(SnowcastSystem.snowcast(each).metrics())
                    .contains(
                            new Snowcast.Metric("attachedNodeIds", "name", name, 3),
                            new Snowcast.Metric("sequencers", "", "", 1));
        }

        third.detachLogicalNode();
        awaitMetric(owner, name + ".attachedNodeIds", 2);

        cluster.crash(owner);
        awaitMetric(other, name + ".attachedNodeIds", 2);
    }

    @Test
    void backupShowsNothingAlsoIfItWasTheOwnerBefore() {
        HazelcastInstance first = addMember();
        TestCluster.create(addClient(), name);
        awaitMetric(first, name + ".attachedNodeIds", 1);
        HazelcastInstance second = addMember();
        Await.until("the partition moves or stays", () -> {
            cluster.awaitSafe();
            return Metrics.of(cluster.owner(name)).containsKey(name + ".attachedNodeIds");
        });
        HazelcastInstance backup = cluster.backup(name);

        assertThat(List.of(first, second)).contains(backup);
        assertThat(Metrics.of(backup)).doesNotContainKey(name + ".attachedNodeIds");
    }

    @Test
    void nothingIsShownAfterTheShutdown() {
        HazelcastInstance member = addMember();
        HazelcastInstance client = addClient();
        TestCluster.create(member, name);
        TestCluster.create(client, name);
        createIntegers(member);
        createIntegers(client);
        MetricsRegistry ofClient = Metrics.registry(client);
        MetricsRegistry ofMember = Metrics.registry(member);
        assertThat(Metrics.of(ofClient)).isNotEmpty();
        String clientName = client.getName();
        String memberName = member.getName();

        client.shutdown();
        assertThat(Metrics.of(ofClient)).isEmpty();
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        cluster.leave(member);
        assertThat(snowcast.metrics()).contains(new Snowcast.Metric("sequencers", "", "", 1));
        assertThat(Metrics.of(ofMember)).isEmpty();
        // A collection of metrics that is still running may register the beans once more.
        awaitNoBeans(clientName);
        awaitNoBeans(memberName);
    }

    @Test
    void metricsCanFirstBeReadAfterTheShutdown() {
        HazelcastInstance member =
                cluster.addMember(config -> config.getMetricsConfig().setEnabled(false));
        TestCluster.create(member, name);
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        cluster.leave(member);

        assertThat(snowcast.metrics()).contains(new Snowcast.Metric("sequencers", "", "", 1));
    }

    @Test
    void beansOfMembersAndClientsShowTheMetrics() throws Exception {
        HazelcastInstance member = addMember();
        HazelcastInstance client = addClient();
        List<HazelcastInstance> both = List.of(member, client);
        List<IntegerSequence> integers = new ArrayList<>();
        for (HazelcastInstance instance : both) {
            TestCluster.create(instance, name).next(6);
            integers.add(createIntegers(instance));
            integers.get(integers.size() - 1).next(4);
        }
        String ofSequencer = ",prefix=snowcast,tag0=\"name=" + name + '"';
        for (HazelcastInstance instance : both) {
            awaitBean(instance, ofSequencer, "issued", 6);
            awaitBean(instance, ",prefix=snowcast", "issued", 6);
            awaitBean(instance, ",prefix=snowcast,tag0=\"sequence=" + name + '"', "integersIssued", 4);
            awaitBean(instance, ",prefix=snowcast", "integersIssued", 4);
            awaitBeans(instance, 3);
        }
        awaitBean(member, ofSequencer, "attachedNodeIds", 2);

        SnowcastSystem.snowcast(client).destroySequencer(TestCluster.create(client, name));
        both.forEach(instance -> awaitBeans(instance, 2));
        integers.forEach(IntegerSequence::close);
        both.forEach(instance -> awaitBeans(instance, 1));
    }

    /** There is an MBean for the totals, and, with up to 100 names, one for each name. */
    @Tag("faults")
    @Test
    void moreThanAHundredSequencersShareOneBean() throws Exception {
        HazelcastInstance member = addMember();
        HazelcastInstance client = addClient();
        for (HazelcastInstance instance : List.of(member, client)) {
            int created = 0;
            for (int count : new int[] {1, 100, 1_000, 10_000}) {
                for (; created < count; created++) {
                    TestCluster.create(instance, name + "-" + instance.getName() + "-" + created);
                }
                awaitBean(instance, ",prefix=snowcast", "sequencers", count);
                awaitBeans(instance, count <= 100 ? count + 1 : 1);
            }
        }
    }

    @Test
    void aPropertySetsHowManyAreShownOneByOne() throws Exception {
        HazelcastInstance member = cluster.addMember(config -> config.setProperty("snowcast.metrics.max.named", "1")
                .getMetricsConfig()
                .setCollectionFrequencySeconds(1));
        HazelcastInstance client = cluster.addClient(config -> config.setProperty("snowcast.metrics.max.named", "0")
                .getMetricsConfig()
                .setCollectionFrequencySeconds(1));
        TestCluster.create(client, name);
        awaitBean(client, ",prefix=snowcast", "sequencers", 1);
        awaitBeans(client, 1);
        TestCluster.create(member, name);
        awaitBean(member, ",prefix=snowcast,tag0=\"name=" + name + '"', "attachedNodeIds", 2);
        TestCluster.create(member, name + "2");
        awaitBeans(member, 1);
        assertThat(SnowcastSystem.snowcast(member).metrics())
                .contains(new Snowcast.Metric("attachedNodeIds", "name", name, 2));
    }

    private static void awaitNoBeans(String instance) {
        Await.until("no bean of " + instance, () -> beans(instance, "*").isEmpty());
    }

    private static void awaitBeans(HazelcastInstance hazelcast, int count) {
        Await.until(
                count + " beans of " + hazelcast.getName(),
                () -> beans(hazelcast.getName(), "snowcast").size() == count);
    }

    private static void awaitBean(HazelcastInstance hazelcast, String bean, String metric, long value)
            throws MalformedObjectNameException {
        ObjectName object = new ObjectName("com.hazelcast:type=Metrics,instance=" + hazelcast.getName() + bean);
        Await.until(object + " shows " + metric + " = " + value, () -> shows(object, metric, value));
    }

    private static boolean shows(ObjectName object, String metric, long value) {
        try {
            return BEANS.getAttributes(object, new String[] {metric}).asList().stream()
                    .anyMatch(attribute -> Objects.equals(attribute.getValue(), value)); // null until it is first set
        } catch (InstanceNotFoundException e) {
            return false; // The bean is not registered yet.
        } catch (ReflectionException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Set<ObjectName> beans(String instance, String prefix) {
        try {
            return BEANS.queryNames(
                    new ObjectName("com.hazelcast*:type=Metrics,instance=" + instance + ",prefix=" + prefix + ",*"),
                    null);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
