// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Does all the time what users do: generates, attaches and detaches, creates, closes and destroys. Shares one sequencer
 * and one integer sequence with other users, and has one of each for itself. Nothing of it may fail.
 */
final class HonestUser {
    private static final String SHARED = "honest";
    private static final int BATCH = 10;
    private static final int TURNS_PER_LIFE = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String name;
    private final Snowcast snowcast;
    private final IdLedger ids;
    private final IntegerLedger integers;
    private final Durations durations;

    HonestUser(String name, HazelcastInstance instance, IdLedger ids, IntegerLedger integers, Durations durations) {
        this.name = name;
        this.snowcast = SnowcastSystem.snowcast(instance);
        this.ids = ids;
        this.integers = integers;
        this.durations = durations;
    }

    // --- sequencers

    /** A sequencer that was created, and what one thread got from it. */
    private record Created(SnowcastSequencer sequencer, IdLog log) {}

    void useSequencers(BooleanSupplier stopped) throws InterruptedException {
        Created shared = createSequencer(SHARED);
        Created own = createSequencer(SHARED + '-' + name);
        for (int turn = 1; !stopped.getAsBoolean(); turn++) {
            generate(shared);
            generate(own);
            durations.measure("detach", shared.sequencer::detachLogicalNode);
            durations.measure("attach", shared.sequencer::attachLogicalNode);
            if (turn % TURNS_PER_LIFE == 0) {
                SnowcastSequencer destroyed = own.sequencer;
                durations.measure("destroy", () -> snowcast.destroySequencer(destroyed));
                own = createSequencer(destroyed.name());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        shared.sequencer.detachLogicalNode();
        own.sequencer.detachLogicalNode();
    }

    private Created createSequencer(String of) throws InterruptedException {
        SnowcastSequencer[] created = new SnowcastSequencer[1];
        durations.measure("create", () -> created[0] = snowcast.createSequencer(of, TestCluster.EPOCH));
        return new Created(created[0], ids.open(of, name, created[0].layout()));
    }

    private void generate(Created from) throws InterruptedException {
        durations.measure("next", () -> from.log.add(from.sequencer.next()));
        durations.measure("batch", () -> from.log.add(from.sequencer.next(BATCH)));
    }

    // --- integer sequences

    /** An integer sequence that was created, and what one thread got from it. */
    private record CreatedIntegers(IntegerSequence sequence, IdLog log) {}

    void useIntegers(BooleanSupplier stopped) throws InterruptedException {
        CreatedIntegers shared = createIntegers(SHARED);
        CreatedIntegers own = createIntegers(SHARED + '-' + name);
        for (int turn = 1; !stopped.getAsBoolean(); turn++) {
            draw(shared);
            draw(own);
            if (turn % TURNS_PER_LIFE == 0) {
                IntegerSequence closed = shared.sequence;
                durations.measure("close", closed::close);
                shared = createIntegers(SHARED);
                IntegerSequence destroyed = own.sequence;
                durations.measure("destroy integers", () -> snowcast.destroyIntegerSequence(destroyed));
                own = createIntegers(destroyed.name());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        shared.sequence.close();
        own.sequence.close();
    }

    private CreatedIntegers createIntegers(String of) throws InterruptedException {
        // What is slow on a busy machine is no failure.
        IntegerSequenceConfig config = IntegerSequenceConfig.builder(of)
                .blockSize(BATCH)
                .maxWait(Duration.ofMinutes(2))
                .build();
        IntegerSequence[] created = new IntegerSequence[1];
        durations.measure("create integers", () -> created[0] = snowcast.createIntegerSequence(config));
        return new CreatedIntegers(created[0], integers.open(of, name, true));
    }

    private void draw(CreatedIntegers from) throws InterruptedException {
        String of = from.sequence.name();
        durations.measure("integer", () -> integers.add(of, from.log, from.sequence.next()));
        durations.measure("integers", () -> integers.add(of, from.log, from.sequence.next(BATCH)));
    }
}
