// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.tests.Await;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how many connections a {@link JdbcSnowcast} uses at the same time. Users size their pools by this number. */
@Tag("integration")
class ConnectionsAtOnceTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final int NAMES = 8;

    private final DataSource database =
            UrlDataSource.of("jdbc:h2:mem:atonce" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1", null, null);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AutoClose
    private final JdbcSnowcast snowcast =
            Patient.snowcast(counting()).lease(Duration.ofSeconds(10)).build();

    @AutoClose("shutdownNow")
    private final ExecutorService callers = Executors.newFixedThreadPool(NAMES);

    private DataSource counting() {
        return Connections.choosing(() -> {
            int present = open.incrementAndGet();
            most.accumulateAndGet(present, Math::max);
            Connection connection = database.getConnection();
            return Connections.proxy(Connection.class, (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                    open.decrementAndGet();
                }
                return Connections.unwrapped(() -> method.invoke(connection, arguments));
            });
        });
    }

    @BeforeEach
    void createTables() {
        snowcast.createTables();
        countFromHere();
    }

    private void countFromHere() {
        Await.until("all connections are back", () -> open.get() == 0);
        most.set(0);
    }

    private void inParallel(IntConsumer task) {
        CompletableFuture.allOf(IntStream.range(0, NAMES)
                        .mapToObj(name -> CompletableFuture.runAsync(() -> task.accept(name), callers))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    @Test
    void allLeasesAreRenewedOnOne() {
        List<SnowcastSequencer> sequencers = new ArrayList<>();
        List<NodeLease> leases = new ArrayList<>();
        for (int i = 0; i < 5 * NAMES; i++) {
            sequencers.add(snowcast.createSequencer("orders" + i, EPOCH));
            leases.add(snowcast.leaseNode(
                    NodeLeaseConfig.builder("workers" + i).maxNodeCount(32).build()));
        }
        countFromHere();
        Await.until(
                "all were renewed",
                () -> sequencers.stream().allMatch(each -> each.stats().renewalCount() > 0)
                        && leases.stream().allMatch(each -> each.stats().renewalCount() > 0));
        assertThat(most).hasValue(1);
        countFromHere();
    }

    @Test
    void aCallThatCreatesASequencerTakesOne() {
        inParallel(name -> snowcast.createSequencer("orders" + name, EPOCH));
        assertThat(most.get()).isBetween(1, NAMES);
        countFromHere();
        snowcast.createSequencer("orders", EPOCH);
        assertThat(most).hasValue(1);
        countFromHere();
    }

    @Test
    void aSequenceTakesOneWhileItReserves() {
        List<IntegerSequence> sequences = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            sequences.add(snowcast.createIntegerSequence(
                    IntegerSequenceConfig.builder("seats" + i).blockSize(1_000).build()));
        }
        countFromHere();
        inParallel(name -> {
            try {
                for (int i = 0; i < 250_000; i++) {
                    sequences.get(name).next();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(most.get()).isBetween(1, NAMES + 1);
        countFromHere();
    }

    @Test
    void windowsOfAllSequencesAreLaidOutOnOne() {
        JdbcShards shards = Patient.shard(counting()).build();
        BackgroundTopUp topUp = new BackgroundTopUp(shards, true);
        List<String> names =
                IntStream.range(0, NAMES).mapToObj(i -> "seats" + i).toList();
        names.forEach(name -> new JdbcSchema(shards).defineSequence(name, 1, 1_000_000));
        countFromHere();
        names.forEach(topUp::start);
        names.forEach(name -> assertThat(topUp.await(name)).isTrue());
        assertThat(most).hasValue(1);
        countFromHere();
    }
}
