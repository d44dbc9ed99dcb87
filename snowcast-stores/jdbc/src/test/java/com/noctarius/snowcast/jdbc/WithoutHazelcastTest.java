// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.tests.Await;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an application that uses only this module can exclude Hazelcast, as docs/jdbc.md says. */
@Tag("integration")
class WithoutHazelcastTest {
    /**
     * More integers than a block or a window contains, so that the process also reserves blocks and inserts windows in
     * the background.
     */
    private static final int COUNT = 2_500;

    /** The application. Runs in its own process, with a class path without Hazelcast. */
    static final class Application {
        private Application() {}

        public static void main(String[] arguments) throws Exception {
            try {
                Class.forName("com.hazelcast.core.HazelcastInstance");
                throw new AssertionError("Hazelcast is on the class path");
            } catch (ClassNotFoundException expected) {
                System.out.println("without Hazelcast");
            }
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
            JdbcShards shards = Patient.shard(database).build();
            JdbcSchema schema = new JdbcSchema(shards);
            schema.create(1_000);
            schema.defineSequence("orders", 5_000_001, Integer.MAX_VALUE);
            IntegerSequenceConfig config = IntegerSequenceConfig.builder("orders")
                    .firstValue(5_000_001)
                    .store(new JdbcBlockStore(shards))
                    .build();
            try (IntegerSequence orders = SnowcastSystem.standaloneIntegerSequence(config)) {
                long sync = IntStream.range(0, COUNT)
                        .map(i -> next(orders))
                        .distinct()
                        .count();
                int async =
                        Math.toIntExact(orders.nextAsync().toCompletableFuture().get(1, TimeUnit.MINUTES));
                System.out.println(sync + " integers, then " + async + ", " + orders.stats());
            }
            leased(database);
        }

        private static void leased(JdbcDataSource database) throws InterruptedException {
            try (JdbcSnowcast snowcast =
                    Patient.snowcast(database).lease(Duration.ofSeconds(4)).build()) {
                snowcast.createTables();
                SnowcastSequencer ids = snowcast.createSequencer("ids", SnowcastEpoch.byTimestamp(1_700_000_000_000L));
                NodeLease workers = snowcast.leaseNode(
                        NodeLeaseConfig.builder("workers").maxNodeCount(2).build());
                Await.until("the lease is renewed", () -> ids.stats().renewalCount() > 0);
                int node = ids.layout().logicalNodeId(ids.next());
                boolean isInStatus = snowcast.status().sequencers().stream()
                        .flatMap(sequencer -> sequencer.nodes().stream())
                        .anyMatch(each -> each.id() == node);
                boolean isInMetrics = snowcast.metrics().stream()
                        .anyMatch(metric -> metric.name().equals("logicalNodeId") && metric.value() == node);
                snowcast.destroyNodeLease(workers);
                snowcast.destroySequencer(ids);
                System.out.println("in status " + isInStatus + ", in metrics " + isInMetrics);
            }
        }

        private static int next(IntegerSequence orders) {
            try {
                return orders.nextInt();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void integersComeFromADatabaseWithoutIt(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("output.txt");
        String classPath = Arrays.stream(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hazelcast-"))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        classPath,
                        Application.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        assertThat(exit).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output))
                .startsWith("without Hazelcast")
                .contains(COUNT + " integers, then 500")
                .contains("in status true, in metrics true");
    }
}
