// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests generators of other libraries with node leases, in processes that are killed and paused. With TSID, the test
 * also sets the clocks of the processes. Generators that the lease guards must issue no duplicates. Bare generators in
 * the same processes, which only use the node ID of a lease, do issue duplicates.
 *
 * <p>{@code -Dsnowcast.faults.seconds} sets the minimum duration for each library.
 */
@Tag("faults")
class NodeLeaseFaultsTest {
    private static final long LEASE_MILLIS = 2_000;
    private static final long SKEW_MILLIS = 1_000;
    /** One more than there are node IDs, so that a free node ID is leased at once. */
    private static final int PROCESSES = NodeLeaseMain.NODE_COUNT + 1;

    private static final long SECONDS = Long.getLong("snowcast.faults.seconds", 60);
    private static final long MOST_SECONDS = SECONDS + 360;

    @TempDir
    private Path directory = Path.of("");

    private final Map<Integer, Client> clients = new HashMap<>();
    private int started;
    private final TcpCluster cluster = TcpCluster.of(
            2,
            Map.of(
                    "snowcast.lease.millis", Long.toString(LEASE_MILLIS),
                    "snowcast.max.clock.skew.millis", Long.toString(SKEW_MILLIS)));

    private record Client(JavaProcess process, WallClock clock) {}

    @AfterEach
    void stop() {
        clients.values().forEach(each -> each.process().close());
        cluster.close();
    }

    private void start(int index, Path library, NodeLeaseMain.Library generator) throws IOException {
        int number = started++;
        WallClock clock = new WallClock(library, directory, "client-" + number);
        JavaProcess process = JavaProcess.start(
                clock.wrapper(),
                directory.resolve("client-" + number + ".txt"),
                List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                System.getProperty("java.class.path"),
                NodeLeaseMain.class,
                List.of(
                        cluster.name(),
                        Integer.toString(TcpCluster.portOf(cluster.members().get(number % 2))),
                        directory.toString(),
                        Integer.toString(number),
                        generator.name()));
        clients.put(index, new Client(process, clock));
    }

    @ParameterizedTest
    @EnumSource
    void guardedIdsOfKilledPausedAndMistimedProcessesAreUniqueAndBareOnesAreNot(NodeLeaseMain.Library generator)
            throws Exception {
        var compiled = WallClock.compile(directory);
        assumeTrue(compiled.isPresent(), "cc does not compile a library here: a C compiler has it");
        Path library = compiled.orElseThrow();
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < PROCESSES; i++) {
            start(i, library, generator);
        }
        int kills = 0;
        int pauses = 0;
        int steps = 0;
        long startNanos = System.nanoTime();
        // On a busy machine, continues for up to 6 more minutes until the bare generators have issued a duplicate.
        // Without one, the run shows nothing.
        while (hasTimeLeft(startNanos, SECONDS) || (hasTimeLeft(startNanos, MOST_SECONDS) && bareAreUnique())) {
            int index = random.nextInt(PROCESSES);
            Client client = Objects.requireNonNull(clients.get(index));
            // Only TSID continues after its clock was ahead. The other libraries throw until the clock has caught up
            // with their last ID.
            switch (random.nextInt(generator == NodeLeaseMain.Library.TSID ? 4 : 3)) {
                case 0 -> {
                    client.process().close();
                    start(index, library, generator);
                    kills++;
                }
                case 1, 2 -> {
                    signal("STOP", client);
                    passMillis(LEASE_MILLIS + SKEW_MILLIS + random.nextInt(3_000));
                    signal("CONT", client);
                    pauses++;
                }
                default -> {
                    int[] seconds = {-3_600, -30, -2, 0, 0, 2, 30, 3_600};
                    client.clock().setAhead(Duration.ofSeconds(seconds[random.nextInt(seconds.length)]));
                    passMillis(2_000);
                    client.clock().setAhead(Duration.ZERO);
                    steps++;
                }
            }
            passMillis(random.nextInt(1_500));
        }
        clients.values().forEach(each -> each.process().close());

        List<long[]> guarded = ids(NodeLeaseMain.GUARDED);
        List<long[]> bare = ids(NodeLeaseMain.BARE);
        long repeated = IdCheck.duplicates(bare).count();
        System.out.println(generator + ": " + SECONDS + " s, " + kills + " kills, " + pauses + " pauses, " + steps
                + " steps of clocks; guarded: "
                + count(guarded) + " IDs, "
                + IdCheck.duplicates(guarded).count() + " twice; bare: " + count(bare) + " IDs, "
                + repeated + " twice");
        assertThat(IdCheck.duplicates(guarded)).isEmpty();
        assertThat(count(guarded)).isGreaterThan(100 * SECONDS);
        assertThat(repeated).isPositive();
    }

    private static boolean hasTimeLeft(long startNanos, long seconds) {
        return System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(seconds);
    }

    private boolean bareAreUnique() throws IOException {
        return IdCheck.duplicates(ids(NodeLeaseMain.BARE)).findAny().isEmpty();
    }

    private static void signal(String signal, Client to) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-" + signal, Long.toString(to.process().pid()))
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Lets time pass between two faults or during a fault. */
    private static void passMillis(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    private static long count(List<long[]> ids) {
        return ids.stream().mapToLong(each -> each.length).sum();
    }

    private List<long[]> ids(String kind) throws IOException {
        List<long[]> ids = new ArrayList<>();
        for (int number = 0; number < started; number++) {
            Path file = NodeLeaseMain.file(directory, kind, Integer.toString(number));
            if (Files.exists(file)) {
                byte[] bytes = Files.readAllBytes(file);
                // The last ID of a killed process may be incomplete.
                long[] values = new long[bytes.length / Long.BYTES];
                ByteBuffer.wrap(bytes).asLongBuffer().get(values);
                ids.add(values);
            }
        }
        return ids;
    }
}
