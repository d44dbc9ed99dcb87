// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.noctarius.snowcast.SnowcastException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Generates IDs on one participant until the participant or the schedule ends, even if calls fail. */
abstract class FaultGenerator {
    static final int BATCH = 20;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final Participant participant;
    private final AtomicLong generated = new AtomicLong();
    private volatile boolean stopped;
    private volatile @Nullable Exception lastFailure;

    FaultGenerator(Participant participant) {
        this.participant = participant;
    }

    final void run() throws InterruptedException {
        for (int i = 0; !stopped && participant.isRunning(); i++) {
            try {
                generated.addAndGet(generate(i));
            } catch (SnowcastException | HazelcastInstanceNotActiveException e) {
                lastFailure = e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Generates some IDs, by a call that depends on the turn, and adds them to a ledger. Returns their number. */
    abstract int generate(int turn) throws InterruptedException;

    final void stop() {
        stopped = true;
    }

    /** Returns the exception of the last failed call, with its causes, or an empty string if no call failed. */
    final String lastFailure() {
        StringBuilder failures = new StringBuilder();
        for (Throwable failure = lastFailure; failure != null; failure = failure.getCause()) {
            failures.append(failure).append('\n');
        }
        return failures.toString();
    }

    final Participant participant() {
        return participant;
    }

    final long generated() {
        return generated.get();
    }

    @Override
    public String toString() {
        return participant + " with " + generated + ", clock off by "
                + participant.clock().offsetMillis() + " ms, last failure: " + lastFailure;
    }
}
