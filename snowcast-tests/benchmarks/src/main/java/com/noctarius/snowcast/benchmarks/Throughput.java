// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import io.hypersistence.tsid.TSID;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.h2.jdbcx.JdbcConnectionPool;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * JMH benchmarks of IDs per microsecond. All threads share one generator. {@link ThroughputRun} runs the benchmarks.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Throughput {
    static final String GROUP = "throughput";

    /**
     * The benchmarks in the order of a round. Benchmarks that are compared with each other are close to each other in
     * this list.
     */
    static final List<Subject> SUBJECTS = List.of(
            new Subject("clock", "System.currentTimeMillis"),
            new Subject("snowcast", "snowcast"),
            new Subject("snowcastFromSql", "snowcast, node ID from SQL"),
            new Subject("snowcastByClock", "snowcast, ticking off"),
            new Subject("agrona", "Agrona"),
            new Subject("flakeIdGeneratorTuned", "FlakeIdGenerator, tuned"),
            new Subject("cosId", "CosId"),
            new Subject("cosIdClockSync", "CosId, clock-synced"),
            new Subject("tsidCreator", "tsid-creator"),
            new Subject("hypersistenceTsid", "hypersistence-tsid"),
            new Subject("snowcastBatch", "snowcast, batch of 256"),
            new Subject("snowcastTryNext", "snowcast, tryNextOr"),
            new Subject("snowcastDefaultLayout", "snowcast, default layout"),
            new Subject("flakeIdGenerator", "FlakeIdGenerator"),
            new Subject("uuidV7", "java-uuid-generator, v7"),
            new Subject("randomUuid", "UUID.randomUUID"),
            new Subject("atomicLong", "AtomicLong"));

    private static final int BATCH = 256;

    @Benchmark
    public long snowcast(ManyCounters generator) throws InterruptedException {
        return generator.sequencer.next();
    }

    @Benchmark
    public long snowcastFromSql(SqlSequencer generator) throws InterruptedException {
        return generator.sequencer.next();
    }

    /** Reads the real clock even at a high rate, because the cached clock is switched off. */
    @Benchmark
    @org.openjdk.jmh.annotations.Fork(jvmArgsAppend = "-Dsnowcast.cached.clock=false")
    public long snowcastByClock(ManyCounters generator) throws InterruptedException {
        return generator.sequencer.next();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] snowcastBatch(ManyCounters generator, Batch batch) throws InterruptedException {
        generator.sequencer.next(batch.ids, 0, BATCH);
        return batch.ids;
    }

    @Benchmark
    public long snowcastDefaultLayout(DefaultSequencer generator) throws InterruptedException {
        return generator.sequencer.next();
    }

    @Benchmark
    public long snowcastTryNext(ManyCounters generator) {
        return generator.sequencer.tryNextOr(0);
    }

    @Benchmark
    public long agrona(Agrona generator) {
        return generator.snowflake.nextId();
    }

    @Benchmark
    public long cosId(CosId generator) {
        return generator.snowflake.generate();
    }

    @Benchmark
    public long cosIdClockSync(ClockSyncCosId generator) {
        return generator.snowflake.generate();
    }

    @Benchmark
    public long flakeIdGenerator(Flake generator) {
        return generator.flake.newId();
    }

    @Benchmark
    public long flakeIdGeneratorTuned(TunedFlake generator) {
        return generator.flake.newId();
    }

    @Benchmark
    public long tsidCreator(Tsid generator) {
        return generator.factory.create().toLong();
    }

    @Benchmark
    public long hypersistenceTsid(HypersistenceTsid generator) {
        return generator.factory.generate().toLong();
    }

    @Benchmark
    public UUID randomUuid() {
        return UUID.randomUUID();
    }

    @Benchmark
    public UUID uuidV7(UuidV7 generator) {
        return generator.epochGenerator.generate();
    }

    @Benchmark
    public long atomicLong(Counter generator) {
        return generator.counter.incrementAndGet();
    }

    @Benchmark
    public long clock() {
        return System.currentTimeMillis();
    }

    /** A sequencer whose node ID comes from a cluster of one member. */
    @State(Scope.Benchmark)
    public abstract static class MembersSequencer {
        private final Member member = Member.start();
        final SnowcastSequencer sequencer;

        MembersSequencer(SnowcastLayout layout) {
            this.sequencer = member.sequencer(layout);
        }

        @TearDown
        public void close() {
            member.close();
        }
    }

    /** A sequencer with 16 counter bits. */
    public static class ManyCounters extends MembersSequencer {
        public ManyCounters() {
            super(Member.FEW_NODES);
        }
    }

    /** A sequencer with 16 counter bits, whose node ID comes from a SQL database. */
    @State(Scope.Benchmark)
    public static class SqlSequencer {
        private final JdbcSnowcast snowcast = JdbcSnowcast.of(JdbcConnectionPool.create("jdbc:h2:mem:ids", "", ""));
        final SnowcastSequencer sequencer;

        public SqlSequencer() {
            snowcast.createTables();
            this.sequencer = snowcast.createSequencer(Member.config(Member.FEW_NODES));
        }

        @TearDown
        public void close() {
            snowcast.close();
        }
    }

    /** A sequencer with 10 counter bits. */
    public static class DefaultSequencer extends MembersSequencer {
        public DefaultSequencer() {
            super(SnowcastLayout.DEFAULT);
        }
    }

    @State(Scope.Thread)
    public static class Batch {
        final long[] ids = new long[BATCH];
    }

    @State(Scope.Benchmark)
    public static class Agrona {
        final SnowflakeIdGenerator snowflake = Peers.agrona(Peers.MANY_COUNTER_BITS);
    }

    @State(Scope.Benchmark)
    public static class CosId {
        final SnowflakeId snowflake = Peers.cosId(Peers.MANY_COUNTER_BITS);
    }

    @State(Scope.Benchmark)
    public static class ClockSyncCosId {
        final SnowflakeId snowflake = Peers.clockSyncCosId(Peers.MANY_COUNTER_BITS);
    }

    /** Hazelcast's own generator with its default settings. */
    @State(Scope.Benchmark)
    public static class Flake {
        private final Member member = Member.start();
        final FlakeIdGenerator flake = member.flakeIdGenerator();

        @TearDown
        public void close() {
            member.close();
        }
    }

    /** Hazelcast's own generator with 16 bits of counter and the longest batches. */
    @State(Scope.Benchmark)
    public static class TunedFlake {
        private final Member member = Member.start();
        final FlakeIdGenerator flake = member.tunedFlakeIdGenerator();

        @TearDown
        public void close() {
            member.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Tsid {
        final TsidFactory factory = Peers.tsidCreator(Peers.MANY_COUNTER_BITS);
    }

    @State(Scope.Benchmark)
    public static class HypersistenceTsid {
        final TSID.Factory factory = Peers.hypersistenceTsid(Peers.MANY_COUNTER_BITS);
    }

    @State(Scope.Benchmark)
    public static class UuidV7 {
        final TimeBasedEpochGenerator epochGenerator = Generators.timeBasedEpochGenerator();
    }

    @State(Scope.Benchmark)
    public static class Counter {
        final AtomicLong counter = new AtomicLong();
    }
}
