// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import org.jspecify.annotations.Nullable;

/** Generates IDs of one sequencer: waits when it is detached, creates the sequencer anew when it was destroyed. */
final class IdGenerator extends FaultGenerator {
    private final SharedSequencer shared;
    private final IdLedger ledger;
    private final Durations durations;
    private final History history;
    private final History.Caller caller;
    private final long[] batch = new long[BATCH];

    private @Nullable SnowcastSequencer sequencer;
    private IdLog log = new IdLog();

    IdGenerator(
            Participant participant, SharedSequencer shared, IdLedger ledger, Durations durations, History history) {
        super(participant);
        this.shared = shared;
        this.ledger = ledger;
        this.durations = durations;
        this.history = history;
        this.caller = history.caller();
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
            log = ledger.open(shared.name(), participant() + " by " + now, now.layout());
            history.created(now, participant().toString());
        }
        return now;
    }

    @Override
    int generate(int turn) throws InterruptedException {
        SnowcastSequencer from = present();
        int before = log.size();
        switch (turn % 3) {
            case 0 -> durations.measure("next", () -> generate(from, 1, () -> new long[] {from.next()}));
            case 1 -> generate(from, 1, () -> from.tryNext().stream().toArray());
            default ->
                durations.measure(
                        "batch",
                        () -> generate(from, BATCH, () -> {
                            from.next(batch, 0, BATCH);
                            return batch;
                        }));
        }
        return log.size() - before;
    }

    private void generate(SnowcastSequencer from, int count, History.Call call) throws InterruptedException {
        log.add(caller.generate(from, count, call));
    }

    @Override
    public String toString() {
        return super.toString() + ", " + sequencer;
    }
}
