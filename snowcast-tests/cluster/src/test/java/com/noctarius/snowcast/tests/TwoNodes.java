// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** Creates sequencers with only two node IDs, so that two clusters without contact both use both node IDs. */
final class TwoNodes {
    static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 1, 10);

    private TwoNodes() {}

    static SnowcastSequencer create(HazelcastInstance instance, String name) {
        return TestCluster.create(instance, name, LAYOUT);
    }

    /** Enough for several milliseconds, so that two that issue at the same time issue some IDs twice. */
    private static final int SOME = 4_000;

    /** Attaches a sequencer repeatedly until it has generated IDs with both node IDs. Returns these IDs. */
    static long[] useBoth(SnowcastSequencer sequencer) throws InterruptedException {
        IdLog ids = new IdLog();
        Set<Integer> nodes = new HashSet<>();
        while (nodes.size() < 2) {
            long[] some = sequencer.next(SOME);
            ids.add(some);
            nodes.add(sequencer.logicalNodeId(some[0]));
            sequencer.detachLogicalNode().attachLogicalNode();
        }
        return ids.toArray();
    }

    static boolean covers(PossibleDuplicates found, SnowcastSequencer sequencer, long id) {
        Instant time = Instant.ofEpochMilli(TestCluster.EPOCH.getEpochOffset() + sequencer.timestampValue(id));
        return found.logicalNodeId() == sequencer.logicalNodeId(id)
                && !time.isBefore(found.from())
                && time.isBefore(found.to());
    }
}
