// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.noctarius.snowcast.cassandra.CassandraContract.StoreKind;
import com.noctarius.snowcast.cassandra.CassandraOpener.Step;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that processes in two datacenters get no integer twice under random faults. Nodes are cut off, killed and
 * frozen, and their clocks are set wrong. Messages are lost and delayed, and rows are lost. Processes are frozen and
 * killed at two steps: between the post of a request and the next read of the row, and while a change is not answered
 * yet. Runs for 80 % of the minutes that {@code -Dminutes=} sets. A run prints the seed of its random choices;
 * {@code -Dsnowcast.seed=} sets it. The faults also depend on the timing.
 */
@Tag("soak")
class CassandraFaultsTest {
    private static final long LAST = 500_000_000;
    private static final String TIERS = "tiers";
    private static final String STRIPES = "stripes";
    private static final Step[] STEPS = {Step.POSTED, Step.CHANGING};
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final long seed = Long.getLong("snowcast.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    private Path directory;

    private int processes;
    /** The processes that were killed, each with whether its sequence is a two-tier sequence. */
    private final Map<ReserverProcess, Boolean> killed = new HashMap<>();

    private final Map<ReserverProcess, Path> steps = new HashMap<>();
    /** How often a process was frozen or killed at each step. */
    private final Map<String, Integer> stopped = new TreeMap<>();

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
            for (Step step : STEPS) {
                for (boolean kills : new boolean[] {false, true}) {
                    stop(datacenters.cluster(), ofTiers, true, step, kills);
                    stop(datacenters.cluster(), ofStripes, false, step, kills);
                    faults += 2;
                }
            }
            while (System.nanoTime() - end < 0) {
                boolean isOfTiers = random.nextBoolean();
                inject(datacenters, isOfTiers ? ofTiers : ofStripes, isOfTiers);
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
            killed.forEach((process, isOfTiers) -> (isOfTiers ? ofTiers : ofStripes).add(process));
            check("two tiers, " + faults + " faults", ofTiers, claimed(datacenters));
            check("striped, " + faults + " faults", ofStripes, -1);
            System.out.println(stopped);
        } finally {
            ofTiers.forEach(ReserverProcess::close);
            ofStripes.forEach(ReserverProcess::close);
        }
    }

    private ReserverProcess start(CassandraNode node, StoreKind kind, String sequence) throws Exception {
        int index = processes++;
        Path ofProcess = Files.createDirectory(directory.resolve("process" + index));
        Path step = ofProcess.resolve("step");
        List<String> arguments = new ArrayList<>(CassandraOpener.arguments(node, TwoDatacenters.KEYSPACE, kind, index));
        arguments.add(step.toString());
        ReserverProcess process = ReserverProcess.start(ofProcess, CassandraOpener.class, arguments, sequence, 20);
        steps.put(process, step);
        return process;
    }

    /**
     * Ends the faults of the network and corrects the clocks, because a datacenter whose clock is ahead would win most
     * claims.
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

    private void inject(TwoDatacenters datacenters, List<ReserverProcess> all, boolean isOfTiers) throws Exception {
        CassandraCluster cluster = datacenters.cluster();
        CassandraNode node = cluster.node(random.nextInt(2));
        int fault = random.nextInt(10);
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
            case 7, 8 -> stop(cluster, all, isOfTiers, STEPS[random.nextInt(STEPS.length)], fault == 8);
            default -> loseRow(datacenters, random.nextInt(2));
        }
    }

    private void stop(CassandraCluster cluster, List<ReserverProcess> all, boolean isOfTiers, Step step, boolean kills)
            throws Exception {
        int index = freezeIn(step, all);
        ReserverProcess process = all.get(index);
        stopped.merge((kills ? "killed, " : "frozen, ") + step, 1, Integer::sum);
        last();
        if (kills) {
            process.close();
            killed.put(process, isOfTiers);
            all.set(
                    index,
                    isOfTiers
                            ? start(cluster.node(index / 2), StoreKind.TWO_TIERS, TIERS)
                            : start(cluster.node(index / 2), StoreKind.STRIPED, STRIPES));
            // Wait until the new process has connected, because the next fault may kill its node.
            all.get(index).awaitMore(1);
        } else {
            process.thaw();
        }
    }

    private int freezeIn(Step step, List<ReserverProcess> all) throws Exception {
        long end = System.nanoTime() + AT_MOST.toNanos();
        while (System.nanoTime() - end < 0) {
            int index = random.nextInt(all.size());
            ReserverProcess process = all.get(index);
            process.freeze();
            if (Step.of(Objects.requireNonNull(steps.get(process))) == step) {
                return index;
            }
            process.thaw();
            Deadline.after(AT_MOST).pause(TimeUnit.MILLISECONDS.toNanos(5));
        }
        throw new AssertionError("no process was frozen while " + step + " within " + AT_MOST);
    }

    private void last() {
        Deadline.after(Duration.ofMinutes(1)).pause(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500, 4_000)));
    }

    private static void loseRow(TwoDatacenters datacenters, int datacenter) {
        try {
            datacenters.loseRow(datacenter, TIERS);
        } catch (DriverException e) {
            System.out.println("  perhaps not lost: " + e);
        }
    }
}
