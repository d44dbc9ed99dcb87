// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientFlakeIdGeneratorConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.FlakeIdGeneratorConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.security.SecurityContext;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.cluster.Tables;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a client gets snowcast's IDs from Hazelcast's own {@code FlakeIdGenerator}. Hazelcast's Java client sends
 * the same requests as its clients in other languages.
 */
@Tag("integration")
class FlakeIdsClusterTest {
    private static final int FEW = 3_000;

    private final String name = TestCluster.newName();

    @AutoClose
    private final MockCluster cluster = MockCluster.of(2);

    private HazelcastInstance client(int prefetchCount) {
        return cluster.addClient(config -> config.addFlakeIdGeneratorConfig(
                new ClientFlakeIdGeneratorConfig("snowcast*").setPrefetchCount(prefetchCount)));
    }

    private FlakeIdGenerator generator(String prefix, int prefetchCount) {
        return client(prefetchCount).getFlakeIdGenerator(prefix + name);
    }

    private static long[] take(FlakeIdGenerator generator, int count) {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = generator.newId();
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 10, 15})
    void idsAreThoseOfTheSequencerWhateverItsLayout(int counterBits) throws Exception {
        SnowcastLayout layout = new SnowcastLayout(41, 7, counterBits);
        SequencerConfig config =
                SequencerConfig.builder(name).epoch(EPOCH).layout(layout).build();
        SnowcastSequencer own = cluster.snowcast(0).createSequencer(config);
        Load load = Load.of(EPOCH).on(own, 1);
        int count = counterBits == 0 ? 50 : FEW;
        long from = System.currentTimeMillis();
        List<long[]> ids = new ArrayList<>();
        for (int prefetchCount : new int[] {1, 100, 1_000, 100_000}) {
            ids.add(take(generator("snowcast:", prefetchCount), count));
        }
        for (long[] each : ids) {
            IdCheck.requireTimeBetween(layout, EPOCH, from, System.currentTimeMillis(), each);
        }
        ids.addAll(load.stopAndCheck());
        IdCheck.requireUnique(layout, ids);
        // A client increments the first ID of a batch. Beyond the last counter of a millisecond, the carry would change
        // the node ID.
        assertThat(ids.stream()
                        .flatMapToLong(Arrays::stream)
                        .mapToInt(layout::logicalNodeId)
                        .distinct()
                        .count())
                .isLessThanOrEqualTo(2);
    }

    /**
     * Clients send requests to random members. A member that does not use the sequencer yet attaches to it, with the
     * definition that the cluster has.
     */
    @Test
    void everyMemberAnswersAndNoneCreatesAnything() {
        SnowcastSequencer own = cluster.snowcast(0)
                .createSequencer(SequencerConfig.builder(name)
                        .epoch(EPOCH)
                        .layout(SnowcastLayout.POSITIVE)
                        .backupCount(0)
                        .startAbove(42)
                        .build());
        FlakeIdGenerator ids = generator("snowcast:", 1);
        Set<Integer> nodes = new HashSet<>();
        Await.until("both members", () -> {
            nodes.add(own.logicalNodeId(ids.newId()));
            return nodes.size() == 2;
        });
        assertThat(Tables.attached(cluster.owner(name), name)).isEqualTo(2);
    }

    @Test
    void anUnknownNameIsAnErrorAndCreatesNothing() {
        FlakeIdGenerator generator = generator("snowcast:", 100);
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(generator::newId)
                    .isExactlyInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("the cluster has no sequencer " + name);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(cluster.snowcast(i).sequencers()).isEmpty();
        }
        assertThat(Tables.attached(cluster.owner(name), name)).isZero();

        TestCluster.create(cluster.member(0), name);
        generator.newId();
    }

    @Test
    void aSequencerThatIsDetachedOrDestroyedIsAnError() {
        cluster.leave(cluster.member(1));
        SnowcastSequencer own = TestCluster.create(cluster.member(0), name);
        FlakeIdGenerator generator = generator("snowcast:", 1);
        long before = generator.newId();
        own.detachLogicalNode();
        assertThatThrownBy(generator::newId)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("it is Detached, it was detached");
        own.attachLogicalNode();
        assertThat(generator.newId()).isGreaterThan(before);

        cluster.snowcast(0).destroySequencer(own);
        assertThatThrownBy(generator::newId)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("the cluster has no sequencer " + name);
        TestCluster.create(cluster.member(0), name);
        assertThat(generator.newId()).isGreaterThan(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowcast:", "snowcast:\u0000", "snowcast: "})
    void aNameThatIsNoneIsRefused(String generator) {
        FlakeIdGenerator refused = client(100).getFlakeIdGenerator(generator);
        assertThatThrownBy(refused::newId)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name must");
    }

    @Test
    void allOtherNamesAreHazelcasts() {
        TestCluster.create(cluster.member(0), name);
        FlakeIdGenerator ofClient = client(100).getFlakeIdGenerator(name);
        FlakeIdGenerator ofMember = cluster.member(1).getFlakeIdGenerator(name);
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < FEW; i++) {
            assertThat(ids.add(ofClient.newId())).isTrue();
            assertThat(ids.add(ofMember.newId())).isTrue();
        }
        assertThat(Tables.attached(cluster.owner(name), name)).isEqualTo(1);
    }

    /** Open-source Hazelcast checks no permissions, so this test installs a security context that does. */
    @Test
    void aClientNeedsThePermissionsThatItNeedsWithSnowcast() throws Exception {
        cluster.leave(cluster.member(1));
        TestCluster.create(cluster.member(0), name);
        FlakeIdGenerator generator = generator("snowcast:", 1);
        generator.newId();
        Queue<Permission> asked = new ConcurrentLinkedQueue<>();
        SecurityContext security = (SecurityContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SecurityContext.class}, (context, method, arguments) -> {
                    if (method.getName().equals("checkPermission")) {
                        asked.add((Permission) arguments[1]);
                        throw new SecurityException("denied");
                    }
                    return null;
                });
        Field field = Node.class.getField("securityContext");
        field.setAccessible(true);
        field.set(Accessors.getNode(cluster.member(0)), security);

        assertThatThrownBy(generator::newId).hasStackTraceContaining("denied");
        assertThat(asked).containsExactly(new FlakeIdGeneratorPermission(name, "create", "modify"));
    }

    /** A member's generator must fail, because an ordinary Flake ID may equal an ID that snowcast has issued. */
    @Test
    void onAMemberAGeneratorFailsAndTheLogSaysWhy() {
        String generator = "snowcast:orders";
        Queue<String> logged = new ConcurrentLinkedQueue<>();
        HazelcastInstance member = cluster.addMember(
                config -> config.addFlakeIdGeneratorConfig(new FlakeIdGeneratorConfig(generator).setPrefetchCount(5)));
        member.getLoggingService()
                .addLogListener(
                        Level.SEVERE, event -> logged.add(event.getLogRecord().getMessage()));
        TestCluster.create(member, "orders");
        FlakeIdGenerator ofClient = client(100).getFlakeIdGenerator("snowcast:orders");
        ofClient.newId();
        for (HazelcastInstance each : List.of(member, cluster.member(0))) {
            assertThatThrownBy(() -> each.getFlakeIdGenerator(generator).newId())
                    .isExactlyInstanceOf(HazelcastException.class)
                    .hasMessage("Current time out of allowed range");
        }
        FlakeIdGenerator unknown = member.getFlakeIdGenerator("snowcast:bills");
        assertThatThrownBy(unknown::newId).isInstanceOf(HazelcastException.class);
        Await.until(
                "a line", () -> logged.stream().anyMatch(line -> line.contains("\"snowcast:bills\") is for clients")));
        assertThat(ofClient.newId()).isNotZero();
    }

    @Test
    void aPropertySwitchesItOff() {
        try (MockCluster off = MockCluster.of(1, Map.of("snowcast.flake.ids", "false"))) {
            off.addClient().getFlakeIdGenerator("snowcast:" + name).newId();
            off.member(0).getFlakeIdGenerator("snowcast:" + name).newId();
            assertThat(off.snowcast(0).sequencers()).isEmpty();
        }
        Config wrong = TestCluster.config(Map.of("snowcast.flake.ids", "no"));
        assertThatThrownBy(() -> cluster.newMember(wrong))
                .hasStackTraceContaining("snowcast.flake.ids must be true or false: no");
    }
}
