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
 * A name that many use, with the configuration that it has at present. Thread-safe: nobody creates with a configuration
 * that was just replaced.
 */
final class SharedSequencer {
    /**
     * Of the same width but for the time: the IDs of each go on where those of another end. As few node IDs as there
     * are participants at most, so that they are used again soon.
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

    /** Returns the instance of a participant, which is created if need be. */
    SnowcastSequencer of(Participant participant) {
        lock.readLock().lock();
        try {
            return SnowcastSystem.snowcast(participant.instance()).createSequencer(config);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the instance of a participant that is there, maybe of a former incarnation. */
    Optional<SnowcastSequencer> present(Participant participant) {
        return SnowcastSystem.snowcast(participant.instance()).sequencers().stream()
                .filter(each -> each.name().equals(name))
                .findAny();
    }

    /** Destroys it; the next creation has another layout. */
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
