// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.leases.InstanceSnowcast;
import com.noctarius.snowcast.internal.leases.InstanceThreads;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates many holders of one sequencer on a single member. The API allows one holder per name and
 * {@code HazelcastInstance}, and a cluster of hundreds of members would be slow. The end of the member does not end
 * these holders: they may continue until their leases expire.
 */
public final class ManyHolders {
    private static final InstanceThreads THREADS = new InstanceThreads("many", ManyHolders::log);

    private ManyHolders() {}

    /** Creates another {@code Snowcast} for a member. Its sequencers are separate holders. */
    public static Snowcast snowcast(HazelcastInstance member) {
        NodeEngine nodeEngine = Accessors.getNodeEngineImpl(member);
        ILogger logger = nodeEngine.getLogger(ManyHolders.class);
        return InstanceSnowcast.ofCluster(
                new MemberTransport(nodeEngine, logger),
                SystemClock.INSTANCE,
                THREADS,
                ManyHolders::log,
                Stream::empty,
                sink -> {});
    }

    private static void log(Level level, String message, @Nullable Throwable cause) {
        if (level.equals(Level.WARNING)) {
            throw new AssertionError(message, cause);
        }
    }
}
