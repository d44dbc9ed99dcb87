// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Generates IDs of one sequencer on one participant until either ends, whatever happens: waits when it is detached,
 * creates the sequencer anew when it was destroyed.
 */
final class FaultGenerator {
    private static final int BATCH = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final Participant participant;
    private final SharedSequencer shared;
    private final IdLedger ledger;
    private final Durations durations;
    private final long[] batch = new long[BATCH];
    private final AtomicLong generated = new AtomicLong();

    private @Nullable SnowcastSequencer sequencer;
    private IdLog log = new IdLog();
    private volatile boolean stopped;
    private volatile @Nullable Exception lastFailure;

    FaultGenerator(Participant participant, SharedSequencer shared, IdLedger ledger, Durations durations) {
        this.participant = participant;
        this.shared = shared;
        this.ledger = ledger;
        this.durations = durations;
    }

    void run() throws InterruptedException {
        for (int i = 0; !stopped && participant.isRunning(); i++) {
            try {
                generate(present(), i);
            } catch (SnowcastException | HazelcastInstanceNotActiveException | SplitBrainProtectionException e) {
                lastFailure = e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private SnowcastSequencer present() throws InterruptedException {
        SnowcastSequencer present = sequencer;
        if (present == null || present.getSequencerState() == SnowcastSequenceState.Destroyed) {
            durations.measure("create", () -> sequencer = shared.of(participant));
        }
        SnowcastSequencer now = sequencer;
        if (now == null) {
            throw new AssertionError("it was just set");
        }
        if (now != present) {
            log = ledger.open(shared.name(), participant + " by " + now, now.getLayout());
        }
        return now;
    }

    private void generate(SnowcastSequencer from, int turn) throws InterruptedException {
        int before = log.size();
        switch (turn % 3) {
            case 0 -> durations.measure("next", () -> log.add(from.next()));
            case 1 -> from.tryNext().ifPresent(log::add);
            default ->
                durations.measure("batch", () -> {
                    from.next(batch, 0, BATCH);
                    log.add(batch);
                });
        }
        generated.addAndGet(log.size() - before);
    }

    void stop() {
        stopped = true;
    }

    Participant participant() {
        return participant;
    }

    long generated() {
        return generated.get();
    }

    @Override
    public String toString() {
        return participant + " with " + sequencer + " and " + generated + " IDs, clock off by "
                + participant.clock().offsetMillis() + " ms, last failure: " + lastFailure;
    }
}
