// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Generates IDs of one sequencer on one participant until the participant or the schedule ends, even if calls fail.
 * Creates the sequencer again after its destruction.
 */
final class IdGenerator {
    private static final int BATCH = 20;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final Participant participant;
    private final SharedSequencer shared;
    private final Ledger ledger;
    private final Durations durations;
    private final long[] batch = new long[BATCH];
    private final AtomicLong generated = new AtomicLong();
    private volatile boolean stopped;
    private volatile @Nullable Exception lastFailure;
    private @Nullable SnowcastSequencer sequencer;
    private IdLog log = new IdLog();

    IdGenerator(Participant participant, SharedSequencer shared, Ledger ledger, Durations durations) {
        this.participant = participant;
        this.shared = shared;
        this.ledger = ledger;
        this.durations = durations;
    }

    void run() throws InterruptedException {
        for (int i = 0; !stopped && participant.isRunning(); i++) {
            try {
                generated.addAndGet(generate(i));
            } catch (SnowcastException | HazelcastInstanceNotActiveException e) {
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
            log = ledger.open(now, participant + " by " + now);
        }
        return now;
    }

    /** Generates some IDs, by a call that depends on the turn, and adds them to the ledger. Returns their number. */
    private int generate(int turn) throws InterruptedException {
        SnowcastSequencer from = present();
        int before = log.size();
        switch (turn % 3) {
            case 0 -> durations.measure("next", () -> log.take(() -> new long[] {from.next()}));
            case 1 -> log.take(() -> from.tryNext().stream().toArray());
            default ->
                durations.measure(
                        "batch",
                        () -> log.take(() -> {
                            from.next(batch, 0, BATCH);
                            return batch;
                        }));
        }
        return log.size() - before;
    }

    void stop() {
        stopped = true;
    }

    /** Returns the exception of the last failed call, with its causes, or an empty string if no call failed. */
    String lastFailure() {
        StringBuilder failures = new StringBuilder();
        for (Throwable failure = lastFailure; failure != null; failure = failure.getCause()) {
            failures.append(failure).append('\n');
        }
        return failures.toString();
    }

    Participant participant() {
        return participant;
    }

    long generated() {
        return generated.get();
    }

    @Override
    public String toString() {
        return participant + " with " + generated + ", clock off by "
                + participant.clock().offsetMillis() + " ms, last failure: " + lastFailure + ", " + sequencer;
    }
}
