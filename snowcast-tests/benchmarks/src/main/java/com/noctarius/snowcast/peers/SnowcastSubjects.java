// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.jdbc.ShortLeases;
import com.noctarius.snowcast.peers.Subject.Need;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hypersistence.tsid.TSID;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.jspecify.annotations.Nullable;

/** snowcast's own generators, and generators of other libraries with snowcast's node leases. */
final class SnowcastSubjects {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    /** A layout with so few node IDs that each is soon granted again, which is the worst case. */
    private static final SnowcastLayout FEW_NODES = new SnowcastLayout(41, 3, 12);

    private static final SnowcastLayout NODES_FOR_A_CROWD = new SnowcastLayout(41, 7, 12);

    /** How many node IDs a node lease has; in a crowd, it has {@link #FOR_A_CROWD}. */
    private static final int FEW = 8;

    private static final int FOR_A_CROWD = 128;
    /** As by default, a lease is longer than the time after which Hazelcast removes a silent member, here 8 seconds. */
    static final Duration LEASE_OF_CLUSTER = Duration.ofSeconds(30);

    private static final String LEASES = "docs/node-leases-adapters.md";
    private static final String FROM_SQL = ", node lease of SQL; %d node IDs".formatted(FEW);

    private static @Nullable JdbcSnowcast shared;

    private SnowcastSubjects() {}

    static List<Subject> all() {
        return List.of(
                new Subject(
                        "snowcast-sql",
                        Need.DATABASE,
                        "`JdbcSnowcast` with a pool; 8 node IDs",
                        "docs/sql.md",
                        "",
                        SnowcastSubjects::fromSql),
                new Subject(
                        "snowcast-cluster",
                        Need.CLUSTER,
                        LEASE_OF_CLUSTER,
                        "embedded members, split-brain protection with a quorum of 2; 8 node IDs",
                        "docs/operate/split-brain.md",
                        "",
                        SnowcastSubjects::fromCluster),
                leased("lease-tsid", "hypersistence TSID", SnowcastSubjects::tsid),
                leased("lease-mybatis-plus", "MyBatis-Plus `Sequence`", SnowcastSubjects::myBatisPlus),
                leased("lease-agrona", "Agrona", SnowcastSubjects::agrona));
    }

    private static Subject leased(String name, String what, Function<NodeLease, NodeLease.Generator> generator) {
        return new Subject(name, Need.DATABASE, what + FROM_SQL, LEASES, "", setup -> {
            JdbcSnowcast snowcast = open(setup);
            return lazily(() -> {
                snowcast.createTables();
                NodeLease lease = snowcast.leaseNode(NodeLeaseConfig.builder(sequence(name, setup))
                        .maxNodeCount(setup.isOfCrowd() ? FOR_A_CROWD : FEW)
                        .build());
                NodeLease.Generator ids = generator.apply(lease);
                return () -> Id.of(ids.next());
            });
        });
    }

    // --- as docs/node-leases-adapters.md has them

    private static NodeLease.Generator tsid(NodeLease lease) {
        return lease.generator(
                nodeId -> {
                    TSID.Factory factory = TSID.Factory.builder()
                            .withNodeBits(10)
                            .withNode(nodeId)
                            .build();
                    return () -> factory.generate().toLong();
                },
                id -> TSID.from(id).getUnixMilliseconds());
    }

    private static NodeLease.Generator myBatisPlus(NodeLease lease) {
        return lease.generator(nodeId -> new Sequence(nodeId & 31, nodeId >> 5)::nextId, Sequence::parseIdTimestamp);
    }

    private static NodeLease.Generator agrona(NodeLease lease) {
        return lease.generator(nodeId -> new SnowflakeIdGenerator(nodeId)::nextId, id -> id >>> 22);
    }

    // --- sequencers

    private static Ids fromSql(Setup setup) {
        JdbcSnowcast snowcast = open(setup);
        return lazily(() -> {
            snowcast.createTables();
            return sequencer(snowcast, setup);
        });
    }

    private static Ids fromCluster(Setup setup) {
        HazelcastInstance hazelcast = Members.join(setup);
        return lazily(() -> sequencer(SnowcastSystem.snowcast(hazelcast), setup));
    }

    private static Ids sequencer(Snowcast snowcast, Setup setup) throws InterruptedException {
        SnowcastSequencer sequencer = snowcast.createSequencer(SequencerConfig.builder(sequence("orders", setup))
                .epoch(EPOCH)
                .layout(setup.isOfCrowd() ? NODES_FOR_A_CROWD : FEW_NODES)
                .build());
        return () -> Id.of(sequencer.next());
    }

    /**
     * Starts the generator at the first call. If the start fails, the next call tries again. The caller has opened the
     * pool or joined the cluster before, so another try does not open or join it again.
     */
    private static Ids lazily(Callable<Ids> start) {
        return new Ids() {
            private @Nullable Ids started;

            @Override
            public Id next() throws Exception {
                Ids present = started == null ? start.call() : started;
                started = present;
                return present.next();
            }
        };
    }
    /**
     * A crowd, the many processes that start at once, needs more node IDs than the processes of the three places. Its
     * sequencer or node lease therefore has more node IDs, and another name.
     */
    private static String sequence(String name, Setup setup) {
        return setup.isOfCrowd() ? name + "-crowd" : name;
    }

    /** Opens {@link #shared} at the first call. All generators of this process share it, as in an application. */
    private static synchronized JdbcSnowcast open(Setup setup) {
        if (shared == null) {
            shared = ShortLeases.open(pool(setup), setup.name(), setup.lease());
        }
        return shared;
    }

    private static HikariDataSource pool(Setup setup) {
        HikariConfig config = new HikariConfig();
        // The time-outs are those of docs/operate/sql.md and docs/jdbc.md.
        config.addDataSourceProperty("connectTimeout", 2);
        config.addDataSourceProperty("cancelSignalTimeout", 1);
        config.setJdbcUrl(setup.url());
        config.setUsername("postgres");
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
