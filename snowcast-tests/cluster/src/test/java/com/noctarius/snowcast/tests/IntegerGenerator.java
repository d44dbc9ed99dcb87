// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastException;
import org.jspecify.annotations.Nullable;

/** Draws integers of one sequence; creates it anew after each failure, which may be that it was destroyed. */
final class IntegerGenerator extends FaultGenerator {
    private final SharedIntegers shared;
    private final IntegerLedger ledger;
    private final Durations durations;
    private final boolean decides;
    private final History history;
    private final History.Caller caller;

    private @Nullable IntegerSequence sequence;
    private IdLog log = new IdLog();
    private boolean hasFailed;

    /**
     * Makes one.
     *
     * @param decides whether it says where to go on after a loss
     */
    IntegerGenerator(
            Participant participant,
            SharedIntegers shared,
            IntegerLedger ledger,
            Durations durations,
            boolean decides,
            History history) {
        super(participant);
        this.shared = shared;
        this.ledger = ledger;
        this.durations = durations;
        this.decides = decides;
        this.history = history;
        this.caller = history.caller();
    }

    private IntegerSequence present() throws InterruptedException {
        IntegerSequence before = sequence;
        if (before == null || hasFailed) {
            durations.measure("create integers", () -> sequence = shared.of(participant()));
            hasFailed = false;
        }
        IntegerSequence now = sequence;
        if (now == null) {
            throw new AssertionError("it was just set");
        }
        if (now != before) {
            log = ledger.open(
                    shared.name(), participant().toString(), shared.kind().isOrdered());
            history.created(now, participant().toString(), shared.kind().ordering());
        }
        return now;
    }

    @Override
    int generate(int turn) throws InterruptedException {
        int before = log.size();
        try {
            IntegerSequence from = present();
            if (turn % 4 == 0) {
                durations.measure("integers", () -> draw(from, BATCH));
            } else {
                durations.measure("integer", () -> draw(from, 1));
            }
        } catch (SnowcastException e) {
            hasFailed = true;
            if (decides && SharedIntegers.isLoss(e)) {
                durations.measure("decide", () -> shared.decide(participant()));
            }
            throw e;
        }
        return log.size() - before;
    }

    private void draw(IntegerSequence from, int count) throws InterruptedException {
        ledger.add(
                shared.name(),
                log,
                caller.generate(
                        from,
                        count,
                        () -> shared.order().draw(from, participant().toString(), count)));
    }

    @Override
    public String toString() {
        return super.toString() + ", " + sequence;
    }
}
