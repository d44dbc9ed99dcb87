// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Further sources of IDs of an {@link IdWriter}, in addition to its task's sequencer. Each has a thread and a file. */
enum MoreIds {
    SEQUENCER_OF_MANY(128, false),
    /** A node lease with fewer node IDs than holders, so that a released node ID is granted again at once. */
    LEASE_OF_FEW(3, true),
    LEASE_OF_MANY(128, true);

    /** The system property that makes a process use these sources. */
    static final String PROPERTY = "snowcast.test.more";

    /** The layout of the sequencer, and of the IDs of {@link OtherIds}. */
    static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 7, 14);

    private static final int BATCH = 20;

    final boolean isLease;
    private final int nodeIds;

    MoreIds(int nodeIds, boolean isLease) {
        this.nodeIds = nodeIds;
        this.isLease = isLease;
    }

    Path file(Path ofTask) {
        return Path.of(ofTask + "." + name().toLowerCase(Locale.ROOT));
    }

    void write(HazelcastInstance hazelcast, Path ofTask, Consumer<String> failed) {
        Snowcast snowcast = SnowcastSystem.snowcast(hazelcast);
        try (FileChannel file =
                FileChannel.open(file(ofTask), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (boolean isGoingOn = true; ; ) {
                try {
                    if (isLease) {
                        writeOneLease(snowcast, file);
                    } else {
                        writeOneAttachment(snowcast, file);
                    }
                    isGoingOn = true;
                } catch (SnowcastException e) {
                    if (isGoingOn) {
                        failed.accept(this + ": " + e.getMessage());
                    }
                    isGoingOn = false;
                    LockSupport.parkNanos(IdWriter.PAUSE_AFTER_FAILURE_NANOS);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            failed.accept("for good: " + this + ": " + e);
        }
    }

    private void writeOneAttachment(Snowcast snowcast, FileChannel file) throws IOException, InterruptedException {
        SnowcastSequencer sequencer = snowcast.createSequencer(SequencerConfig.builder(name())
                .epoch(TestCluster.EPOCH)
                .layout(LAYOUT)
                .backupCount(1)
                .build());
        if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
            sequencer.attachLogicalNode();
        }
        for (int batch = 0; batch < IdWriter.BATCHES_PER_GRANT; batch++) {
            IdWriter.append(file, sequencer.next(BATCH));
            LockSupport.parkNanos(IdWriter.PAUSE_NANOS);
        }
        sequencer.detachLogicalNode();
    }

    private void writeOneLease(Snowcast snowcast, FileChannel file) throws IOException, InterruptedException {
        NodeLeaseConfig config = NodeLeaseConfig.builder(name())
                .maxNodeCount(nodeIds)
                .backupCount(1)
                .build();
        try (NodeLease lease = snowcast.leaseNode(config)) {
            NodeLease.Generator ids = lease.generator(node -> new OtherIds(node)::next, OtherIds::millisOf);
            for (int batch = 0; batch < IdWriter.BATCHES_PER_GRANT; batch++) {
                long[] some = new long[BATCH];
                for (int i = 0; i < BATCH; i++) {
                    some[i] = ids.next();
                }
                IdWriter.append(file, some);
                LockSupport.parkNanos(IdWriter.PAUSE_NANOS);
            }
        }
    }

    /**
     * A simple generator, whose IDs a node lease guards. Like many generators, it continues from its last time if its
     * clock is slightly behind.
     */
    private static final class OtherIds {
        private static final long MAX_BEHIND_MILLIS = 10_000;

        private final int node;
        private long lastMillis;
        private int counter;

        OtherIds(int node) {
            this.node = node;
        }

        static long millisOf(long id) {
            return TestCluster.EPOCH.getEpochOffset() + LAYOUT.timestampValue(id);
        }

        synchronized long next() {
            long now = System.currentTimeMillis();
            counter++;
            if (now > lastMillis || now < lastMillis - MAX_BEHIND_MILLIS) {
                lastMillis = now;
                counter = 0;
            } else if (counter == LAYOUT.idsPerMillisecond()) {
                lastMillis++;
                counter = 0;
            }
            long time = lastMillis - TestCluster.EPOCH.getEpochOffset();
            return (time << LAYOUT.logicalNodeBits() | node) << LAYOUT.counterBits() | counter;
        }
    }
}
