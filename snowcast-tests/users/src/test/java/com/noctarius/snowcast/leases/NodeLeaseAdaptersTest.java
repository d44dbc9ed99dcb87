// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.leases;

import static org.assertj.core.api.Assertions.assertThat;

import cn.hutool.core.lang.Snowflake;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.Tsid;
import com.github.yitter.contract.IdGeneratorOptions;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import io.hypersistence.tsid.TSID;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeIdStateParser;
import me.ahoo.cosid.snowflake.SecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeIdStateParser;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;
import org.apache.shardingsphere.infra.spi.type.typed.TypedSPILoader;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the code of docs/node-leases-adapters.md with a member and a client. */
@Tag("integration")
class NodeLeaseAdaptersTest {
    private static final int IDS = 10_000;
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Reads the time and node ID of an ID with the generator's library, or from the bits if the library cannot. */
    private record Reader(LongUnaryOperator millis, LongToIntFunction node) {}

    private static final Snowflake HUTOOL = new Snowflake(0, 0);

    private static final Map<String, Reader> READERS = Map.of(
            "TSID",
            new Reader(id -> Tsid.from(id).getInstant().toEpochMilli(), NodeLeaseAdaptersTest::tenBitsAboveTwelve),
            "MyBatis-Plus",
            new Reader(Sequence::parseIdTimestamp, NodeLeaseAdaptersTest::tenBitsAboveTwelve),
            "CosId",
            new Reader(
                    id -> MillisecondSnowflakeIdStateParser.INSTANCE
                            .parse(id)
                            .getTimestamp()
                            .atZone(ZoneId.systemDefault())
                            .toInstant()
                            .toEpochMilli(),
                    id -> MillisecondSnowflakeIdStateParser.INSTANCE.parse(id).getMachineId()),
            "hutool",
            new Reader(HUTOOL::getGenerateDateTime, id ->
                    (int) (HUTOOL.getDataCenterId(id) << 5 | HUTOOL.getWorkerId(id))),
            "Agrona",
            new Reader(id -> id >>> 22, NodeLeaseAdaptersTest::tenBitsAboveTwelve),
            "ShardingSphere",
            new Reader(
                    id -> (id >>> 22) + Instant.parse("2016-11-01T00:00:00Z").toEpochMilli(),
                    NodeLeaseAdaptersTest::tenBitsAboveTwelve),
            "Hibernate's @Tsid",
            new Reader(id -> TSID.from(id).getInstant().toEpochMilli(), NodeLeaseAdaptersTest::tenBitsAboveTwelve),
            "yitter",
            new Reader(id -> (id >>> 12) + new IdGeneratorOptions().BaseTime, id -> (int) (id >>> 6) & 63));

    @TempDir
    private static Path output = Path.of("");

    @AutoClose("shutdown")
    private static HazelcastInstance member = member();

    @AutoClose("shutdown")
    private static HazelcastInstance client = client(member);

    @AutoClose("shutdownNow")
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private static List<Adapter> adapters = List.of();

    private static int tenBitsAboveTwelve(long id) {
        return (int) (id >>> 12) & 1_023;
    }

    private static HazelcastInstance member() {
        Config config = new Config().setClusterName("leases-" + UUID.randomUUID());
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        // The member must bind to one address only, because other tests use the same port at other addresses.
        config.setProperty("hazelcast.socket.bind.any", "false");
        return Hazelcast.newHazelcastInstance(config);
    }

    private static HazelcastInstance client(HazelcastInstance member) {
        int port = member.getCluster().getLocalMember().getAddress().getPort();
        ClientConfig config =
                new ClientConfig().setClusterName(member.getConfig().getClusterName());
        config.getNetworkConfig().addAddress("127.0.0.1:" + port);
        return HazelcastClient.newHazelcastClient(config);
    }

    @BeforeAll
    static void compile() throws Exception {
        adapters = Adapter.all(output);
        assertThat(adapters.stream().map(Adapter::name)).hasSameElementsAs(READERS.keySet());
    }

    /** As in an application, libraries find services and entities by this class loader. */
    @BeforeEach
    void useLoaderOfTheAdapters() {
        Thread.currentThread().setContextClassLoader(adapters.get(0).loader());
    }

    @AfterEach
    void closeLeases() {
        for (HazelcastInstance hazelcast : List.of(member, client)) {
            SnowcastSystem.snowcast(hazelcast).nodeLeases().forEach(NodeLease::close);
        }
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }

    private static Reader reader(Adapter adapter) {
        return Objects.requireNonNull(READERS.get(adapter.name()));
    }

    @Test
    void idsHaveTheNodeAndTheTimeOfTheirLeaseAndNoneComesTwice() throws Exception {
        Snowcast ofMember = SnowcastSystem.snowcast(member);
        Snowcast ofClient = SnowcastSystem.snowcast(client);
        for (Adapter adapter : adapters) {
            Adapter.Use first = adapter.use(ofMember);
            Adapter.Use second = adapter.use(ofClient);
            assertThat(first.lease.nodeId()).as(adapter.name()).isNotEqualTo(second.lease.nodeId());
            List<Future<List<Long>>> results = new ArrayList<>();
            for (Adapter.Use use : List.of(first, second, first, second)) {
                results.add(THREADS.submit(() -> checkedIds(adapter, use)));
            }
            Set<Long> all = new HashSet<>();
            for (Future<List<Long>> result : results) {
                all.addAll(result.get(3, TimeUnit.MINUTES));
            }
            assertThat(all).as(adapter.name()).hasSize(4 * IDS);
            assertThat(first.generatorCount).isOne();
        }
    }

    private static List<Long> checkedIds(Adapter adapter, Adapter.Use use) throws InterruptedException {
        Reader reader = reader(adapter);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            long id = use.ids.next();
            ids.add(id);
            long millis = use.timestampMillis.applyAsLong(id);
            if (millis != reader.millis.applyAsLong(id)
                    || millis < use.lease.validFrom().toEpochMilli()
                    || millis >= use.lease.validUntil().toEpochMilli()
                    || reader.node.applyAsInt(id) != use.lease.nodeId()) {
                throw new AssertionError(adapter + ": " + id + " has the time " + millis + " of " + use.lease);
            }
        }
        return ids;
    }

    @Test
    void bareGeneratorOfEachNodeIdHasIt() throws Exception {
        for (Adapter adapter : adapters) {
            Adapter.Use use = adapter.use(SnowcastSystem.snowcast(client));
            for (int nodeId = 0; nodeId < use.lease.maxNodeCount(); nodeId++) {
                // Allow a minute, because the thread that sets the clock of MyBatis-Plus each millisecond may have to
                // wait for a processor.
                long before = System.currentTimeMillis() - 60_000;
                long id = use.newGenerator.apply(nodeId).getAsLong();
                assertThat(reader(adapter).node.applyAsInt(id))
                        .as(adapter.name())
                        .isEqualTo(nodeId);
                assertThat(use.timestampMillis.applyAsLong(id))
                        .as(adapter.name())
                        .isBetween(before, System.currentTimeMillis());
            }
        }
    }

    @Test
    void nothingIsLetOutAfterTheEndOfALease() throws Exception {
        HazelcastInstance ending = member();
        HazelcastInstance left = client(ending);
        Snowcast snowcast = SnowcastSystem.snowcast(left);
        List<Callable<String>> calls = new ArrayList<>();
        for (Adapter adapter : adapters) {
            Adapter.Use use = adapter.use(snowcast, SHORT);
            use.ids.next();
            calls.add(() -> {
                long last = lastBeforeAFailure(use);
                long end = use.lease.validUntil().toEpochMilli();
                assertThat(use.timestampMillis.applyAsLong(last))
                        .as(adapter.name())
                        .isLessThan(end);
                assertThat(use.timestampMillis.applyAsLong(
                                use.newGenerator.apply(0).getAsLong()))
                        .as("a bare %s goes on", adapter)
                        .isGreaterThan(end);
                return adapter.name();
            });
        }
        List<Future<String>> results = calls.stream().map(THREADS::submit).toList();
        ending.getLifecycleService().terminate();
        for (Future<String> result : results) {
            result.get(3, TimeUnit.MINUTES);
        }
        left.shutdown();
    }

    private static long lastBeforeAFailure(Adapter.Use use) throws InterruptedException {
        long last = use.ids.next();
        while (true) {
            try {
                last = use.ids.next();
                LockSupport.parkNanos(100_000);
            } catch (SnowcastStateException e) {
                return last;
            }
        }
    }

    private Adapter adapter(String name) {
        return adapters.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Object made(String className) throws Exception {
        Constructor<?> constructor =
                adapters.get(0).loader().loadClass(className).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    @Test
    void shardingSphereLoadsTheKeyGenerator() throws Exception {
        Path services = Files.createDirectories(output.resolve("META-INF/services"));
        assertThat(Adapter.page()).contains("`META-INF/services/" + KeyGenerateAlgorithm.class.getName() + "`");
        Files.writeString(services.resolve(KeyGenerateAlgorithm.class.getName()), "LeasedKeys");
        Adapter adapter = adapter("ShardingSphere");
        Adapter.Use use = adapter.use(SnowcastSystem.snowcast(client));
        KeyGenerateAlgorithm algorithm = TypedSPILoader.getService(KeyGenerateAlgorithm.class, "NODE_LEASE", null);
        Collection<?> keys = algorithm.generateKeys(null, 3);
        assertThat(keys).hasSize(3).doesNotHaveDuplicates();
        assertThat(keys).allMatch(key -> reader(adapter).node.applyAsInt((long) key) == use.lease.nodeId());
    }

    @Test
    void secondsOfCosIdAreReadAsThePageSays() throws Exception {
        assertThat(Adapter.page()).contains("`id -> ((id >>> 32) + 1_577_203_200L) * 1_000`");
        SecondSnowflakeId generator = new SecondSnowflakeId(1_023);
        long id = generator.generate();
        assertThat(SnowflakeIdStateParser.of(generator).parseTimestamp(id).atZone(ZoneId.systemDefault()))
                .isEqualTo(Instant.ofEpochMilli(((id >>> 32) + 1_577_203_200L) * 1_000)
                        .atZone(ZoneId.systemDefault()));
    }

    @Test
    void hibernateInsertsLeasedTsids() throws Exception {
        assertThat(Adapter.page()).contains("`@Id @LeasedTsids.LeasedTsid Long id;`");
        Adapter adapter = adapter("Hibernate's @Tsid");
        Adapter.Use use = adapter.use(SnowcastSystem.snowcast(client));
        Configuration configuration = new Configuration()
                .addAnnotatedClass(adapter.loader().loadClass(Adapter.ENTITY))
                .setProperty(AvailableSettings.JAKARTA_JDBC_URL, "jdbc:h2:mem:leases")
                .setProperty(AvailableSettings.HBM2DDL_AUTO, "create-drop");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> {
                for (int i = 0; i < 3; i++) {
                    session.persist(newOrder());
                }
            });
            List<Long> ids =
                    factory.fromSession(session -> session.createSelectionQuery("select id from orders", Long.class)
                            .getResultList());
            assertThat(ids).hasSize(3).doesNotHaveDuplicates();
            assertThat(ids).allMatch(id -> reader(adapter).node.applyAsInt(id) == use.lease.nodeId());
        }
    }

    private Object newOrder() {
        try {
            return made(Adapter.ENTITY);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
