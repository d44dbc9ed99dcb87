// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The name and present configuration of a sequencer that all participants use. No participant creates the sequencer
 * with a configuration that {@link #destroy} has replaced. Thread-safe.
 */
final class SharedSequencer {
    /**
     * In each of these layouts, node ID and counter have nine bits together, so that IDs stay in the order of time when
     * the layout changes. There are only 8 or 16 node IDs for up to 8 participants, so that node IDs are soon used
     * again.
     */
    static final List<SnowcastLayout> LAYOUTS =
            List.of(new SnowcastLayout(41, 3, 6), new SnowcastLayout(41, 4, 5), new SnowcastLayout(42, 3, 6));

    private final String name;
    private final int backupCount;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile SequencerConfig config;

    SharedSequencer(String name, int backupCount) {
        this.name = name;
        this.backupCount = backupCount;
        this.config = withLayout(LAYOUTS.get(0));
    }

    private SequencerConfig withLayout(SnowcastLayout layout) {
        return SequencerConfig.builder(name)
                .epoch(TestCluster.EPOCH)
                .layout(layout)
                .backupCount(backupCount)
                .build();
    }

    String name() {
        return name;
    }

    int backupCount() {
        return backupCount;
    }

    SequencerConfig config() {
        return config;
    }

    /** Returns the sequencer of a participant. Creates the sequencer if the participant has none. */
    SnowcastSequencer of(Participant participant) {
        lock.readLock().lock();
        try {
            return SnowcastSystem.snowcast(participant.instance()).createSequencer(config);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the sequencer of a participant, if it has one. The sequencer may belong to a destroyed incarnation. */
    Optional<SnowcastSequencer> present(Participant participant) {
        return SnowcastSystem.snowcast(participant.instance()).sequencers().stream()
                .filter(each -> each.name().equals(name))
                .findAny();
    }

    void destroy(Participant by, SnowcastLayout nextLayout) {
        lock.writeLock().lock();
        try {
            SnowcastSequencer present = of(by);
            SnowcastSystem.snowcast(by.instance()).destroySequencer(present);
            config = withLayout(nextLayout);
        } finally {
            lock.writeLock().unlock();
        }
    }
}
