// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Checks that no node ID has leaked. */
final class NodeIdCheck {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private NodeIdCheck() {}

    /** Fails unless all node IDs of a sequencer can be granted within the given time. Releases these node IDs. */
    static void requireAllFree(HazelcastInstance member, SequencerConfig config, Duration within)
            throws InterruptedException {
        int count = config.layout().logicalNodeCount();
        long deadline = System.nanoTime() + within.toNanos();
        while (true) {
            List<SnowcastSequencer> holders = new ArrayList<>();
            try {
                Set<Integer> nodes = new HashSet<>();
                while (holders.size() < count) {
                    SnowcastSequencer holder = ManyHolders.snowcast(member).createSequencer(config);
                    holders.add(holder);
                    nodes.add(holder.logicalNodeId(holder.next()));
                }
                if (nodes.size() == count) {
                    return;
                }
                // Try again: leases have expired in the meantime, and their node IDs were granted to later holders.
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError(nodes.size() + " node IDs for " + count + " holders after " + within);
                }
            } catch (SnowcastNodeIdsExceededException | SnowcastIllegalStateException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError(
                            "of " + count + " node IDs of sequencer " + config.name() + ", "
                                    + (count - holders.size()) + " are not free after " + within + ": "
                                    + e.getMessage(),
                            e);
                }
            } finally {
                holders.forEach(SnowcastSequencer::detachLogicalNode);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
