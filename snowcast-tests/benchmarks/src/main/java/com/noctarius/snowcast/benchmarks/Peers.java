// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.github.f4b6a3.tsid.TsidFactory;
import io.hypersistence.tsid.TSID;
import java.time.Duration;
import java.time.Instant;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.SegmentId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.agrona.concurrent.SystemEpochClock;

/**
 * Creates generators of other libraries. An ID generator gets as many counter bits as snowcast's layout in the same
 * comparison, but one bit less for the node ID: node ID and counter have only 22 bits together.
 */
final class Peers {
    /** The counter bits of {@link Member#FEW_NODES}. */
    static final int MANY_COUNTER_BITS = 16;

    static final int NODE_AND_COUNTER_BITS = 22;
    static final int FEW_NODE_BITS = 6;
    private static final int TIMESTAMP_BITS = 41;
    private static final int NODE = 1;
    static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private Peers() {}

    static SnowflakeIdGenerator agrona(int counterBits) {
        return new SnowflakeIdGenerator(
                NODE_AND_COUNTER_BITS - counterBits,
                counterBits,
                NODE,
                EPOCH.toEpochMilli(),
                SystemEpochClock.INSTANCE);
    }

    static SnowflakeId cosId(int counterBits) {
        return new MillisecondSnowflakeId(
                EPOCH.toEpochMilli(), TIMESTAMP_BITS, NODE_AND_COUNTER_BITS - counterBits, counterBits, NODE);
    }

    /** Returns the generator that CosId's users get by default. It waits if the clock was set back. */
    static SnowflakeId clockSyncCosId(int counterBits) {
        return new ClockSyncSnowflakeId(cosId(counterBits));
    }

    static TsidFactory tsidCreator(int counterBits) {
        return TsidFactory.builder()
                .withNodeBits(NODE_AND_COUNTER_BITS - counterBits)
                .withNode(NODE)
                .withCustomEpoch(EPOCH)
                .build();
    }

    static TSID.Factory hypersistenceTsid(int counterBits) {
        return TSID.Factory.builder()
                .withNodeBits(NODE_AND_COUNTER_BITS - counterBits)
                .withNode(NODE)
                .withCustomEpoch(EPOCH)
                .build();
    }

    /** Returns CosId's store in memory, with its default block size. */
    static IdSegmentDistributor inMemory() {
        return new IdSegmentDistributor.Atomic();
    }

    static IdSegmentDistributor inMemory(long step) {
        return new IdSegmentDistributor.Atomic(step);
    }

    /** Returns CosId's simulated store, whose reservations take the given time. */
    static IdSegmentDistributor slow(long step, Duration duration) {
        int perSecond = Math.toIntExact(Duration.ofSeconds(1).dividedBy(duration));
        return new IdSegmentDistributor.Mock(step, perSecond);
    }

    static SegmentId segmentId(IdSegmentDistributor distributor) {
        return new DefaultSegmentId(distributor);
    }

    /** Returns CosId's segment chain with its default safe distance and prefetch threads. */
    static SegmentId segmentChainId(IdSegmentDistributor distributor) {
        return new SegmentChainId(distributor);
    }
}
