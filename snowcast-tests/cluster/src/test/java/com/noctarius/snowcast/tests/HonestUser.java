// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Behaves like an application: generates IDs, detaches, attaches, destroys and creates sequencers. It shares one
 * sequencer with other users, and uses another one alone. None of its calls may fail.
 */
final class HonestUser {
    private static final String SHARED = "honest";
    private static final int BATCH = 10;
    private static final int TURNS_PER_LIFE = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String name;
    private final Snowcast snowcast;
    private final Ledger ids;
    private final Durations durations;

    HonestUser(String name, HazelcastInstance instance, Ledger ids, Durations durations) {
        this.name = name;
        this.snowcast = SnowcastSystem.snowcast(instance);
        this.ids = ids;
        this.durations = durations;
    }

    private record Created(SnowcastSequencer sequencer, IdLog log) {}

    void use(BooleanSupplier stopped) throws InterruptedException {
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
        return new Created(created[0], ids.open(created[0], name));
    }

    private void generate(Created from) throws InterruptedException {
        durations.measure("next", () -> from.log.take(() -> new long[] {from.sequencer.next()}));
        durations.measure("batch", () -> from.log.take(() -> from.sequencer.next(BATCH)));
    }
}
