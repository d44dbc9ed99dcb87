// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The main class of {@link RealClocksTest}: a member that prints IDs, with the clock of the operating system. */
public final class RealClockMain {
    /** The first word of a line with an ID and the number of lease renewals so far. */
    static final String ID = "id";

    /** The first word of a line with the message of a call that failed. */
    static final String FAILED = "failed";

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private RealClockMain() {}

    /** Arguments: the cluster's name, this member's port, and the ports of its peers. */
    public static void main(String[] args) throws InterruptedException {
        List<Integer> peers = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
        Config config = TcpCluster.onLoopback(TestCluster.config(Map.of()), args[0], Integer.parseInt(args[1]), peers);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        SnowcastSequencer sequencer = SnowcastSystem.snowcast(member).createSequencer("orders", TestCluster.EPOCH);
        while (true) {
            try {
                long id = sequencer.next();
                SnowcastSequencer.Stats stats = sequencer.stats();
                System.out.println(ID + ' ' + id + ' ' + stats.renewalCount());
            } catch (SnowcastException e) {
                System.out.println(FAILED + ' ' + e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
