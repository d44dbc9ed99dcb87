// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import org.jspecify.annotations.Nullable;

/** Generates IDs of one sequencer. Creates the sequencer again after its destruction. */
final class IdGenerator extends FaultGenerator {
    private final SharedSequencer shared;
    private final Ledger ledger;
    private final Durations durations;
    private final long[] batch = new long[BATCH];

    private @Nullable SnowcastSequencer sequencer;
    private IdLog log = new IdLog();

    IdGenerator(Participant participant, SharedSequencer shared, Ledger ledger, Durations durations) {
        super(participant);
        this.shared = shared;
        this.ledger = ledger;
        this.durations = durations;
    }

    private SnowcastSequencer present() throws InterruptedException {
        SnowcastSequencer present = sequencer;
        if (present == null || present.getSequencerState() == SnowcastSequenceState.Destroyed) {
            durations.measure("create", () -> sequencer = shared.of(participant()));
        }
        SnowcastSequencer now = sequencer;
        if (now == null) {
            throw new AssertionError("it was just set");
        }
        if (now != present) {
            log = ledger.open(now, participant() + " by " + now);
        }
        return now;
    }

    @Override
    int generate(int turn) throws InterruptedException {
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

    @Override
    public String toString() {
        return super.toString() + ", " + sequencer;
    }
}
