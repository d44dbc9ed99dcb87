// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.NodeLease;
import io.hypersistence.tsid.TSID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures how much {@link NodeLease.Generator} adds to a call of another library's generator. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardCost {
    @Benchmark
    public long bareAgrona(Agrona generator) {
        return generator.bare.getAsLong();
    }

    @Benchmark
    public long guardedAgrona(Agrona generator) throws InterruptedException {
        return generator.guarded.next();
    }

    @Benchmark
    public long bareTsid(Tsid generator) {
        return generator.bare.getAsLong();
    }

    @Benchmark
    public long guardedTsid(Tsid generator) throws InterruptedException {
        return generator.guarded.next();
    }

    @State(Scope.Benchmark)
    public static class Agrona {
        private final Member member = Member.start();
        final LongSupplier bare = Agrona.generator();
        final NodeLease.Generator guarded = member.nodeLease(1 << Peers.FEW_NODE_BITS)
                .generator(
                        nodeId -> Agrona.generator(),
                        id -> Peers.EPOCH.toEpochMilli() + (id >>> Peers.NODE_AND_COUNTER_BITS));

        private static LongSupplier generator() {
            SnowflakeIdGenerator snowflake = Peers.agrona(Peers.MANY_COUNTER_BITS);
            return snowflake::nextId;
        }

        @TearDown
        public void close() {
            member.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Tsid {
        private final Member member = Member.start();
        final LongSupplier bare = Tsid.generator();
        final NodeLease.Generator guarded = member.nodeLease(1 << Peers.FEW_NODE_BITS)
                .generator(
                        nodeId -> Tsid.generator(),
                        id -> Peers.EPOCH.toEpochMilli() + (id >>> Peers.NODE_AND_COUNTER_BITS));

        private static LongSupplier generator() {
            TSID.Factory factory = Peers.hypersistenceTsid(Peers.MANY_COUNTER_BITS);
            return () -> factory.generate().toLong();
        }

        @TearDown
        public void close() {
            member.close();
        }
    }
}
