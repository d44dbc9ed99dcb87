// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.CassandraContract.StoreKind;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of both datacenters while nodes are cut off, killed, frozen and lied to by their clocks, messages are lost and
 * late, and rows are lost; at random, for {@code -Dminutes=}. A run prints its seed; {@code -Dsnowcast.seed=} repeats its
 * faults.
 */
@Tag("soak")
class CassandraFaultsTest {
    private static final long LAST = 500_000_000;
    private static final String TIERS = "tiers";
    private static final String STRIPES = "stripes";

    private final long seed = Long.getLong("snowcast.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    private Path directory;

    private int processes;

    @Test
    void noIntegerComesTwiceWhateverHappens() throws Exception {
        System.out.println("-Dsnowcast.seed=" + seed);
        long end = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("minutes", 10)).toNanos() * 8 / 10;
        List<ReserverProcess> ofTiers = new ArrayList<>();
        List<ReserverProcess> ofStripes = new ArrayList<>();
        try (TwoDatacenters datacenters = TwoDatacenters.start()) {
            datacenters.schema(0).defineSequence(TIERS, 1, LAST);
            datacenters.schema(0).defineStripedSequence(STRIPES, 1, LAST, 3);
            for (CassandraNode node : datacenters.cluster().nodes()) {
                ofTiers.add(start(node, StoreKind.TWO_TIERS, TIERS));
                ofTiers.add(start(node, StoreKind.TWO_TIERS, TIERS));
                ofStripes.add(start(node, StoreKind.STRIPED, STRIPES));
                ofStripes.add(start(node, StoreKind.STRIPED, STRIPES));
            }
            awaitMore(ofTiers, ofStripes);
            int faults = 0;
            while (System.nanoTime() - end < 0) {
                inject(datacenters);
                faults++;
                if (faults % 5 == 0) {
                    heal(datacenters.cluster());
                    awaitMore(ofTiers, ofStripes);
                }
            }
            heal(datacenters.cluster());
            awaitMore(ofTiers, ofStripes);
            ofTiers.forEach(ReserverProcess::stop);
            ofStripes.forEach(ReserverProcess::stop);
            check("two tiers, " + faults + " faults", ofTiers, claimed(datacenters));
            check("striped, " + faults + " faults", ofStripes, -1);
        } finally {
            ofTiers.forEach(ReserverProcess::close);
            ofStripes.forEach(ReserverProcess::close);
        }
    }

    private ReserverProcess start(CassandraNode node, StoreKind kind, String sequence) throws Exception {
        int index = processes++;
        return ReserverProcess.start(
                Files.createDirectory(directory.resolve("process" + index)),
                CassandraOpener.class,
                CassandraOpener.arguments(node, TwoDatacenters.KEYSPACE, kind, index),
                sequence,
                20);
    }

    /**
     * Ends all faults, clocks included: where two datacenters want the same at a time, the one whose clock is ahead is
     * mostly first.
     */
    private static void heal(CassandraCluster cluster) {
        cluster.heal();
        cluster.nodes().forEach(node -> node.setClock(Duration.ZERO));
        cluster.awaitMembers();
    }

    private static void awaitMore(List<ReserverProcess> ofTiers, List<ReserverProcess> ofStripes) {
        ofTiers.forEach(process -> process.awaitMore(3));
        ofStripes.forEach(process -> process.awaitMore(3));
    }

    private static long claimed(TwoDatacenters datacenters) {
        GlobalRow global = TwoDatacenters.atLast(
                deadline -> datacenters.tables(0).readGlobal(TIERS, deadline).orElseThrow());
        return global.last();
    }

    private static void check(String what, List<ReserverProcess> all, long claimed) {
        BlockLedger ledger = new BlockLedger(1, LAST);
        long blocks = 0;
        for (ReserverProcess process : all) {
            process.blocks().forEach(ledger::add);
            blocks += process.count();
        }
        System.out.printf(
                "%s: %,d blocks, %,d integers, none twice%s%n",
                what,
                blocks,
                ledger.count(),
                claimed < 0 ? "" : String.format("; %,d of %,d claimed never came", claimed - ledger.count(), claimed));
        assertThat(ledger.count()).isPositive();
    }

    // --- faults

    private void inject(TwoDatacenters datacenters) {
        CassandraCluster cluster = datacenters.cluster();
        CassandraNode node = cluster.node(random.nextInt(2));
        int fault = random.nextInt(8);
        System.out.println("fault " + fault + " at " + node.datacenter());
        switch (fault) {
            case 0, 1 -> {
                cluster.cutDatacenters();
                last();
                cluster.heal();
            }
            case 2, 3 -> {
                cluster.disturb(random.nextInt(30), random.nextInt(200));
                last();
                cluster.heal();
            }
            case 4 -> {
                node.kill();
                last();
                node.restart();
            }
            case 5 -> {
                node.freeze();
                last();
                node.thaw();
            }
            case 6 -> {
                node.setClock(Duration.ofSeconds(random.nextInt(-600, 600)));
                last();
            }
            default -> loseRow(datacenters, random.nextInt(2));
        }
    }

    private void last() {
        Deadline.after(Duration.ofMinutes(1)).pause(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500, 4_000)));
    }

    private static void loseRow(TwoDatacenters datacenters, int datacenter) {
        try {
            datacenters
                    .session(datacenter)
                    .execute(SimpleStatement.newInstance(
                                    "DELETE FROM ids.seq_dc WHERE key = ? AND dc = ? IF EXISTS",
                                    TIERS,
                                    TwoDatacenters.NAMES.get(datacenter))
                            .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM));
        } catch (DriverException e) {
            // Lost or not: both are right.
            System.out.println("  perhaps not lost: " + e);
        }
    }
}
