// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link CassandraSchema} and {@link CassandraMain}: status, raising the last value, and recovery. */
@Tag("integration")
class CassandraOperationTest {
    private static final String KEYSPACE = "operation";
    private static final String DATACENTER = SingleNode.DATACENTER;

    @AutoClose
    private static CqlSession session;

    @TempDir
    private Path directory;

    @BeforeAll
    static void connect() {
        session = Sessions.withTables(KEYSPACE);
    }

    private static CassandraSchema schema() {
        return new CassandraSchema(session, KEYSPACE, DATACENTER);
    }

    private static CassandraBlockStore open(long rangeSize) {
        return CassandraBlockStore.builder(session, KEYSPACE, DATACENTER)
                .rangeSize(rangeSize)
                .claimThreshold(0.99)
                .build();
    }

    private static CassandraStripedBlockStore openStriped() {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, DATACENTER).build();
    }

    private static void execute(String cql, DefaultConsistencyLevel serial) {
        assertThat(session.execute(SimpleStatement.newInstance(cql).setSerialConsistencyLevel(serial))
                        .wasApplied())
                .isTrue();
    }

    private static SequenceStatus status(String sequence) {
        return status(schema(), sequence, Duration.ZERO);
    }

    private static SequenceStatus status(CassandraSchema reader, String sequence, Duration interval) {
        return reader.status(interval).stream()
                .filter(status -> status.sequence().equals(sequence))
                .findFirst()
                .orElseThrow();
    }

    // --- status

    @Test
    void whatIsLeftIsSaid() {
        schema().defineSequence("left", 1, 10_000);
        assertThat(status("left"))
                .isEqualTo(new SequenceStatus("left", 0, 1, 10_000, 10_000, OptionalDouble.empty(), List.of(), ""));
        schema().defineStripedSequence("left striped", 1, 100, 3);
        try (BlockStore store = open(1_000);
                BlockStore striped = openStriped()) {
            store.reserve("left", 400);
            striped.reserve("left striped", 7);
        }
        SequenceStatus status = status("left");
        assertThat(status.left()).isEqualTo(9_000);
        assertThat(status.datacenters()).singleElement().satisfies(datacenter -> {
            assertThat(datacenter.name()).isEqualTo("dc1");
            assertThat(datacenter.remaining()).isEqualTo(600);
            assertThat(datacenter.problem()).isEmpty();
        });
        assertThat(status("left striped").left()).isEqualTo(93);
        assertThat(status("left striped").stripes()).isEqualTo(3);
    }

    @Test
    void howLongADatacenterLastsAloneFollowsFromTheRate() {
        schema().defineSequence("rate", 1, 100_000_000);
        try (CassandraBlockStore store = open(10_000_000)) {
            store.reserve("rate", 10);
            CassandraSchema reservesInBetween = beforeRangesAreRead("rate", 2, () -> store.reserve("rate", 10));
            SequenceStatus.Datacenter datacenter = status(reservesInBetween, "rate", Duration.ofMillis(10))
                    .datacenters()
                    .get(0);
            double perSecond = datacenter.integersPerSecond().orElseThrow();
            assertThat(perSecond).isPositive();
            assertThat(datacenter.autonomy())
                    .isEqualTo(RangeSettings.autonomy(datacenter.remaining(), perSecond))
                    .isPositive();
        }
    }

    /** Returns a schema that runs an action just before it reads the ranges of a sequence for the n-th time. */
    private static CassandraSchema beforeRangesAreRead(String sequence, int n, Runnable happens) {
        AtomicInteger reads = new AtomicInteger();
        CqlSession interrupted = Sessions.around(session, (method, argument, call) -> {
            if (argument instanceof SimpleStatement statement
                    && statement.getQuery().contains(".seq_dc WHERE")
                    && statement.getPositionalValues().contains(sequence)
                    && reads.incrementAndGet() == n) {
                happens.run();
            }
            return call.proceed();
        });
        return new CassandraSchema(interrupted, KEYSPACE, DATACENTER);
    }

    /** The status must not tell operators to recover a sequence only because a range is claimed between two reads. */
    @Test
    void aClaimBetweenTheReadsIsNoProblem() {
        schema().defineSequence("claimed meanwhile", 1, 100_000);
        try (CassandraBlockStore store = open(1_000)) {
            store.reserve("claimed meanwhile", 900);
            AtomicInteger claims = new AtomicInteger();
            Runnable claim = () -> {
                store.reserve("claimed meanwhile", 1_000);
                store.reserve("claimed meanwhile", 500);
                claims.incrementAndGet();
            };
            CassandraSchema reader = beforeRangesAreRead("claimed meanwhile", 1, claim);
            assertThat(status(reader, "claimed meanwhile", Duration.ZERO).problem())
                    .isEmpty();
            beforeRangesAreRead("claimed meanwhile", 1, claim).recoverSequence("claimed meanwhile");
            assertThat(claims).hasValue(2);
        }
    }

    // --- the last value

    @Test
    void theLastValueIsRaisedWhileProcessesRun() {
        schema().defineSequence("raised", 1, 100);
        schema().defineStripedSequence("raised", 1, 100, 2);
        try (BlockStore store = open(100);
                BlockStore striped = openStriped()) {
            assertThat(store.reserve("raised", 200)).isEqualTo(Block.of(1, 100));
            striped.reserve("raised", 200);
            striped.reserve("raised", 200);
            for (BlockStore each : List.of(store, striped)) {
                assertFails(BlockStoreExhaustedException.class, () -> each.reserve("raised", 1));
            }
            schema().raiseSequence("raised", 150);
            schema().raiseStripedSequence("raised", 150);
            assertThat(store.reserve("raised", 200)).isEqualTo(Block.of(101, 150));
            assertThat(striped.reserve("raised", 200).first()).isBetween(101L, 102L);
            assertThat(striped.reserve("raised", 200).last()).isBetween(149L, 150L);
            schema().raiseSequence("raised", 150);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> schema().raiseSequence("raised", 149))
                    .withMessageEndingWith(": 149");
            assertThatExceptionOfType(NonTransientBlockStoreException.class)
                    .isThrownBy(() -> schema().raiseSequence("unknown", 149))
                    .withMessageContaining("sequence unknown is not defined");
        }
    }

    // --- recovery

    /** As after a restore, the row shows integers as unused although they were reserved. */
    @Test
    void aDatacenterWhoseRowWasSetBackGoesOnAboveAllItClaimed() {
        schema().defineSequence("row", 1, 100_000);
        try (BlockStore store = open(1_000)) {
            store.reserve("row", 900);
            execute(
                    "UPDATE operation.seq_dc SET last_integer = 10 WHERE key = 'row' AND dc = 'dc1' IF EXISTS",
                    DefaultConsistencyLevel.LOCAL_SERIAL);
            assertThatExceptionOfType(NonTransientBlockStoreException.class)
                    .isThrownBy(() -> {
                        store.reserve("row", 1);
                        store.reserve("row", 1);
                    })
                    .withMessageContaining("Run CassandraSchema.recoverSequence");
            schema().recoverSequence("row");
            assertThat(store.reserve("row", 10)).isEqualTo(Block.of(1_001, 1_010));
            // A repeated recovery only wastes a range.
            schema().recoverSequence("row");
            assertThat(store.reserve("row", 10)).isEqualTo(Block.of(2_001, 2_010));
        }
    }

    @Test
    void claimsThatWereSetBackNeedTheWordOfTheOperator() {
        schema().defineSequence("claims", 1, 100_000);
        try (BlockStore store = open(1_000)) {
            // Reserve less than the claim threshold, because a claim in the background would conflict with the next
            // changes.
            store.reserve("claims", 900);
            execute(
                    "UPDATE operation.seq_global SET last_integer = 500 WHERE key = 'claims' AND dc = 'GLOBAL' IF EXISTS",
                    DefaultConsistencyLevel.SERIAL);
            execute(
                    "UPDATE operation.seq_global SET claim_min = 1, claim_max = 500"
                            + " WHERE key = 'claims' AND dc = 'dc1' IF EXISTS",
                    DefaultConsistencyLevel.SERIAL);
            assertThat(status("claims").problem()).contains("seq_global was set back");
            assertThatExceptionOfType(NonTransientBlockStoreException.class)
                    .isThrownBy(() -> schema().recoverSequence("claims"))
                    .withMessageContaining("claimed up to 500 only, but a datacenter has a range up to 1000");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> schema().recoverSequence("claims", 100_002))
                    .withMessageEndingWith("must be 1 to 100001: 100002");
            schema().recoverSequence("claims", 901);
            assertThat(store.reserve("claims", 10))
                    .as("above the ranges that are known, although less was said")
                    .isEqualTo(Block.of(1_001, 1_010));
            schema().recoverSequence("claims", 7_001);
            assertThat(store.reserve("claims", 10)).isEqualTo(Block.of(7_001, 7_010));
        }
    }

    @Test
    void stripesThatAreLostOrSetBackGoOnFromAValueOn() {
        schema().defineStripedSequence("stripes", 11, 100, 2);
        try (BlockStore store = CassandraStripedBlockStore.builder(session, KEYSPACE, DATACENTER)
                .stripe(0)
                .build()) {
            store.reserve("stripes", 10);
            execute(
                    "DELETE FROM operation.seq_stripe WHERE key = 'stripes' AND stripe = 0 IF EXISTS",
                    DefaultConsistencyLevel.SERIAL);
            assertThatExceptionOfType(NonTransientBlockStoreException.class)
                    .isThrownBy(() -> {
                        store.reserve("stripes", 1);
                        store.reserve("stripes", 1);
                    })
                    .withMessageContaining("stripe 0 is lost");
            schema().recoverStripedSequence("stripes", 32);
            assertThat(store.reserve("stripes", 1).first()).isEqualTo(33);
        }
        try (BlockStore store = CassandraStripedBlockStore.builder(session, KEYSPACE, DATACENTER)
                .stripe(1)
                .build()) {
            assertThat(store.reserve("stripes", 1).first()).isEqualTo(32);
        }
    }

    // --- the command line

    private record Ran(int exitCode, String out, String err) {}

    private Ran run(String properties, Map<String, String> environment, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("cassandra.properties"), properties);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> all = Stream.concat(
                        Stream.of(arguments[0], file.toString()),
                        Stream.of(arguments).skip(1))
                .toList();
        int exitCode = CassandraMain.run(
                all,
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Ran run(String... arguments) throws IOException {
        String properties = "contact.points=" + SingleNode.node().address().getHostString() + ":"
                + SingleNode.node().address().getPort()
                + "\nlocal.datacenter=dc1\nkeyspace=operation\ninterval=PT0S\nuser=any\npassword.env=PASSWORD\n";
        return run(properties, Map.of("PASSWORD", "any"), arguments);
    }

    @Test
    void allCommandsWorkFromTheCommandLine() throws Exception {
        assertThat(run("create")).isEqualTo(new Ran(0, "done\n", ""));
        assertThat(run("define", "main", "1", "10000")).isEqualTo(new Ran(0, "done\n", ""));
        assertThat(run("define-striped", "main", "1", "10000", "5")).isEqualTo(new Ran(0, "done\n", ""));
        try (BlockStore store = open(1_000)) {
            store.reserve("main", 400);
            assertThat(run("raise", "main", "20000").exitCode()).isZero();
            assertThat(run("raise-striped", "main", "20000").exitCode()).isZero();
            assertThat(run("recover", "main").exitCode()).isZero();
            assertThat(run("recover", "main", "15001").exitCode()).isZero();
            assertThat(run("recover-striped", "main", "15001").exitCode()).isZero();
            assertThat(store.reserve("main", 10)).isEqualTo(Block.of(15_001, 15_010));
        }
        assertThat(run("status").out()).contains("""
                        main, two tiers: 1 to 20000, 4000 not claimed
                          dc1: 990 left, 0 of them in the next range
                        """).contains("main, 5 stripes: 1 to 20000, 5000 left\n");
    }

    @Test
    void aProblemIsInTheExitCodeOfTheStatus() throws Exception {
        schema().defineSequence("problem", 1, 10_000);
        try (BlockStore store = open(1_000)) {
            store.reserve("problem", 10);
        }
        execute(
                "DELETE FROM operation.seq_dc WHERE key = 'problem' AND dc = 'dc1' IF EXISTS",
                DefaultConsistencyLevel.LOCAL_SERIAL);
        Ran ran = run("status");
        assertThat(ran.out()).contains("PROBLEM: its row is missing or contradicts itself: run recover");
        assertThat(ran.exitCode()).isEqualTo(1);
        try (BlockStore store = open(1_000)) {
            assertThat(store.reserve("problem", 10)).isEqualTo(Block.of(1_001, 1_010));
        }
    }

    /** A wrong command is said even if Cassandra cannot be reached. */
    @Test
    void wrongUseIsSaid() throws Exception {
        String unreachable = "contact.points=127.0.0.1:1\nlocal.datacenter=dc1\nkeyspace=operation\n";
        for (String[] wrong : new String[][] {
            {"none"}, {"create", "a"}, {"define", "a", "1"}, {"raise", "a"}, {"recover"}, {"recover-striped", "a"}
        }) {
            assertThat(run(unreachable, Map.of(), wrong))
                    .matches(ran -> ran.exitCode() == 2 && ran.err().startsWith("usage: "));
        }
        assertThat(run(unreachable, Map.of(), "raise", "a", "many"))
                .isEqualTo(new Ran(2, "", "must be a number: many\n"));
        assertThat(run(unreachable, Map.of(), "status").exitCode()).isEqualTo(1);
        assertThat(run("define-striped", "a", "1", "2", "-4294967295").err())
                .isEqualTo("stripes must be 1 to 10,000: 0\n");
        assertThat(run("recover", "nobody"))
                .isEqualTo(new Ran(
                        1, "", "sequence nobody is not defined: define it first, with the values that it had\n"));
        assertThat(run("contact.point=a\n", Map.of(), "status").err()).isEqualTo("unknown key: contact.point\n");
        assertThat(run("keyspace=a\n", Map.of(), "status").err()).isEqualTo("the file must have local.datacenter\n");
        assertThat(run("user=a\n", Map.of(), "status").err())
                .isEqualTo("there must be both user and a password, or neither\n");
        assertThat(run("user=a\npassword.env=NONE\n", Map.of(), "status").err())
                .isEqualTo("the environment has no variable NONE\n");
    }
}
