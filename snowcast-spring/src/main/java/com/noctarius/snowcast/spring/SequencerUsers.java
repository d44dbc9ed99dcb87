// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many beans use a sequencer. A {@code HazelcastInstance} has one instance per name, and contexts that share it share
 * that: only the last one to close may detach it.
 *
 * <p>Thread-safe.
 */
final class SequencerUsers {
    /** By identity, as sequencers compare. Weak: one that is destroyed is never released. */
    private static final Map<SnowcastSequencer, SequencerUsers> BY_SEQUENCER =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** Held through a round trip: who comes while the last one detaches has to wait, and attaches again. */
    private final ReentrantLock transition = new ReentrantLock();

    private int count;

    private SequencerUsers() {}

    private static SequencerUsers of(SnowcastSequencer sequencer) {
        return BY_SEQUENCER.computeIfAbsent(sequencer, unused -> new SequencerUsers());
    }

    /**
     * Returns a sequencer that is Attached and stays so until it is {@linkplain #release released}, as far as it depends
     * on other users of this class. Blocks for a round trip to the cluster.
     */
    static SnowcastSequencer acquire(Snowcast snowcast, SequencerConfig config) {
        while (true) {
            SnowcastSequencer sequencer = snowcast.createSequencer(config);
            if (of(sequencer).add(sequencer)) {
                return sequencer;
            }
        }
    }

    /** Returns false if it was destroyed since it was looked up. */
    private boolean add(SnowcastSequencer sequencer) {
        transition.lock();
        try {
            if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                attach(sequencer);
            }
            if (sequencer.getSequencerState() == SnowcastSequenceState.Destroyed) {
                return false;
            }
            count++;
            return true;
        } finally {
            transition.unlock();
        }
    }

    private static void attach(SnowcastSequencer sequencer) {
        try {
            sequencer.attachLogicalNode();
        } catch (SnowcastStateException e) {
            // Or else somebody attached or destroyed it in that moment.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                throw e;
            }
        }
    }

    /** Detaches the sequencer when nobody uses it any more. Blocks for a round trip to the cluster. */
    static void release(SnowcastSequencer sequencer) {
        of(sequencer).remove(sequencer);
    }

    private void remove(SnowcastSequencer sequencer) {
        transition.lock();
        try {
            count--;
            if (count == 0 && sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                sequencer.detachLogicalNode();
            }
        } catch (SnowcastStateException e) {
            // Somebody else detached or destroyed it in that moment, or its HazelcastInstance was shut down: as good.
            if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                throw e;
            }
        } finally {
            transition.unlock();
        }
    }
}
