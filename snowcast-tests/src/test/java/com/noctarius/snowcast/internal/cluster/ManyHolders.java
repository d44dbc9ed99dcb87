// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.block.BlockSequences;
import com.noctarius.snowcast.internal.block.BlockThreads;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.sequencer.Log;
import com.noctarius.snowcast.internal.sequencer.Sequencers;
import org.jspecify.annotations.Nullable;

/**
 * Further holders on one member: the API gives one instance per name and {@code HazelcastInstance}, and a cluster of
 * hundreds of members is slow. Everything but the lease keeping and the sealing is the member's own.
 */
public final class ManyHolders {
    private ManyHolders() {}

    /** Makes one more {@code Snowcast} for a member, whose sequencers are holders of their own. */
    public static Snowcast snowcast(HazelcastInstance member) {
        NodeEngine nodeEngine = Accessors.getNodeEngineImpl(member);
        ILogger logger = nodeEngine.getLogger(ManyHolders.class);
        MemberCoordinator coordinator = new MemberCoordinator(nodeEngine, logger);
        return new Sequencers(
                1,
                coordinator,
                SystemClock.INSTANCE,
                Runnable::run,
                Runnable::run,
                new QuietLog(),
                new BlockSequences(1, new MemberCounters(coordinator), SystemClock.INSTANCE, BlockThreads.INSTANCE));
    }

    private static final class QuietLog implements Log {
        @Override
        public void info(String message) {
            // Of no interest here.
        }

        @Override
        public void warning(String message, @Nullable Throwable cause) {
            throw new AssertionError(message, cause);
        }
    }
}
