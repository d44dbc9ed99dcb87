// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Settings and operations of tests that restart a cluster: short leases, and a single node ID. */
final class Restart {
    static final long LEASE = 1_000;
    static final long SKEW = 500;

    /** A range of one node ID: each holder gets the node ID of the previous holder. */
    static final String ONE_NODE = "5-5";

    private Restart() {}

    static Map<String, String> properties(String... more) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "snowcast.lease.millis", Long.toString(LEASE),
                "snowcast.max.clock.skew.millis", Long.toString(SKEW),
                "snowcast.node.id.range", ONE_NODE));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return properties;
    }

    static Consumer<Config> floorIn(Path directory) {
        return config -> config.setProperty("snowcast.high.water.mark.dir", directory.toString());
    }

    /** Starts a member whose clock and cluster time are both off by an offset. */
    static HazelcastInstance addMember(MockCluster cluster, long offsetMillis) {
        HazelcastInstance member = cluster.addMember(new OffsetClock(offsetMillis)::install);
        ClusterTime.setOffset(member, offsetMillis);
        return member;
    }

    /** Creates a sequencer. Retries until the cluster attaches holders: it attaches none for a time after its start. */
    static SnowcastSequencer createAfterTheWait(HazelcastInstance instance, String name) {
        return TestCluster.when(
                "the end of the wait", SnowcastIllegalStateException.class, () -> TestCluster.create(instance, name));
    }

    /** Returns the time in an ID, in milliseconds since 1970. */
    static long millisOf(SnowcastSequencer sequencer, long id) {
        return sequencer.timestampValue(id) + EPOCH.getEpochOffset();
    }
}
