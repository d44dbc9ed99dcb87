// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.core.SnowWorkerM1;
import com.github.yitter.core.SnowWorkerM2;
import com.github.yitter.idgen.DefaultIdGenerator;
import io.hypersistence.tsid.TSID;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeIdStateParser;
import me.ahoo.cosid.snowflake.exception.ClockTooManyBackwardsException;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;

/** Tests what docs/node-leases-adapters.md says about unguarded generators, as far as a test can set their clocks. */
class ClocksSetBackTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new AssertionError();
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
        }
    };

    /** Requires that the next {@code count} IDs are new. */
    private static void assertThatItContinues(LongSupplier ids, Set<Long> before, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(before.add(ids.getAsLong())).isTrue();
        }
    }

    @Test
    void tsidContinuesFromItsLastTime() {
        TsidFactory factory = TsidFactory.builder()
                .withNodeBits(10)
                .withNode(7)
                .withClock(clock)
                .build();
        TSID.Factory other = TSID.Factory.builder()
                .withNodeBits(10)
                .withNode(7)
                .withClock(clock)
                .build();
        long first = factory.create().toLong();
        long firstOfOther = other.generate().toLong();
        millis.addAndGet(-HOUR_MILLIS);
        assertThat(factory.create().toLong()).isEqualTo(first + 1);
        assertThat(other.generate().toLong()).isEqualTo(firstOfOther + 1);
        Set<Long> ids = new HashSet<>();
        assertThatItContinues(() -> factory.create().toLong(), ids, 8_192);
        millis.addAndGet(HOUR_MILLIS);
        assertThatItContinues(() -> factory.create().toLong(), ids, 8_192);
    }

    /** How far the factory is ahead of the clock depends on the ID of the calling thread, so eight threads call it. */
    @Test
    void hypersistenceIsAheadByHoursWithMoreThan14BitsOfNode() throws Exception {
        assertThat(aheadMillisOfHypersistence(14)).isLessThan(1_000);
        assertThat(aheadMillisOfHypersistence(16)).isGreaterThan(HOUR_MILLIS);
    }

    private long aheadMillisOfHypersistence(int nodeBits) throws InterruptedException {
        TSID.Factory factory = TSID.Factory.builder()
                .withNodeBits(nodeBits)
                .withNode(7)
                .withClock(clock)
                .withRandomFunction(() -> 0)
                .build();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                millis.incrementAndGet();
                factory.generate();
                factory.generate();
            });
            thread.start();
            thread.join();
        }
        return factory.generate().getUnixMilliseconds() - millis.get();
    }

    @Test
    void mybatisPlusThrows() {
        Sequence sequence = new Sequence(1, 1) {
            @Override
            protected long timeGen() {
                return millis.get();
            }
        };
        sequence.nextId();
        millis.addAndGet(-HOUR_MILLIS);
        assertThatThrownBy(sequence::nextId).hasMessageContaining("Clock moved backwards");
        millis.addAndGet(HOUR_MILLIS - 5);
        // The generator waits in real time, and then reads the test's clock again.
        assertThatThrownBy(sequence::nextId).hasMessageContaining("Clock moved backwards");
    }

    @Test
    void cosIdThrows() {
        // The generator compares its last time with the system clock, so the last time must be ahead of the system
        // clock, too.
        millis.addAndGet(2 * HOUR_MILLIS);
        ClockSyncSnowflakeId generator = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(7) {
            @Override
            protected long getCurrentTime() {
                return millis.get();
            }
        });
        generator.generate();
        millis.addAndGet(-HOUR_MILLIS);
        assertThatThrownBy(generator::generate).isInstanceOf(ClockTooManyBackwardsException.class);
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
    void agronaContinuesFromItsLastTimeAndThenSpins() {
        SnowflakeIdGenerator generator = new SnowflakeIdGenerator(10, 12, 7, 0, clock::millis);
        long first = generator.nextId();
        millis.addAndGet(-HOUR_MILLIS);
        Set<Long> ids = new HashSet<>(Set.of(first));
        assertThatItContinues(generator::nextId, ids, 4_095);
        assertThat(ids).allMatch(id -> id >>> 22 == first >>> 22);
        Thread.currentThread().interrupt();
        assertThatThrownBy(generator::nextId).isInstanceOf(IllegalStateException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void yitterGoesBackInTime() {
        SnowWorkerM1 worker = new SnowWorkerM1(new IdGeneratorOptions((short) 7)) {
            @Override
            protected long GetCurrentTimeTick() {
                return millis.get() - BaseTime;
            }
        };
        long first = worker.nextId();
        millis.addAndGet(-HOUR_MILLIS);
        assertThat(worker.nextId() >>> 12).isEqualTo((first >>> 12) - 1);
        assertThat(worker.nextId() >>> 12).isEqualTo((first >>> 12) - 2);
    }

    @Test
    void yittersSecondMethodMakesIdsOfAnotherWorker() {
        SnowWorkerM2 worker = new SnowWorkerM2(new IdGeneratorOptions((short) 7)) {
            @Override
            protected long GetCurrentTimeTick() {
                return millis.get() - BaseTime;
            }
        };
        Set<Long> workers = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            workers.add(worker.nextId() >>> 6 & 63);
        }
        assertThat(workers).containsExactlyInAnyOrder(7L, 8L);
    }

    /** After the second generator is created, the first generator makes IDs with the worker ID of the second. */
    @Test
    void yittersGeneratorsShareOneWorker() {
        DefaultIdGenerator first = new DefaultIdGenerator(options(7));
        assertThat(first.newLong() >>> 6 & 63).isEqualTo(7);
        DefaultIdGenerator second = new DefaultIdGenerator(options(8));
        assertThat(second.newLong() >>> 6 & 63).isEqualTo(8);
        assertThat(first.newLong() >>> 6 & 63).isEqualTo(8);
    }

    /**
     * Returns options for Yitter's method 2, which does not sleep at the start. With method 1, too, all generators of a
     * process use the worker ID of the generator that was created last.
     */
    private static IdGeneratorOptions options(int worker) {
        IdGeneratorOptions options = new IdGeneratorOptions((short) worker);
        options.Method = 2;
        return options;
    }
}
