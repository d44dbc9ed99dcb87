// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A sequence as the client of a stripe uses it. A process has at most one reservation under way. Thread-safe. */
final class StripedSequence {
    private static final long UNKNOWN = -1;

    private final String name;
    private final int stripeOfClient;
    private final Object store;
    private final StripeTables tables;
    private final Duration callTimeout;
    private final Attempts attempts = new Attempts();

    /** Held during a reservation: two reservations of one process would only get into each other's way. */
    private final ReentrantLock turn = new ReentrantLock();
    // --- guarded by the turn
    private @Nullable StripedDefinition definition;
    /** How many stripes, counted from the client's own, are known to be used up. */
    private int usedUp;

    private long next = UNKNOWN;
    private @Nullable Instant failingSince;

    StripedSequence(String name, int stripeOfClient, Object store, StripeTables tables, Duration callTimeout) {
        this.name = name;
        this.stripeOfClient = stripeOfClient;
        this.store = store;
        this.tables = tables;
        this.callTimeout = callTimeout;
    }

    ReservationStats stats() {
        return attempts.stats();
    }

    Block reserve(long size) {
        Deadline deadline = Deadline.after(callTimeout);
        if (!deadline.lock(turn)) {
            throw new BlockStoreException(what(size) + ": other threads still reserve after " + callTimeout);
        }
        try {
            Block block = reserve(size, deadline);
            failingSince = null;
            return block;
        } finally {
            turn.unlock();
        }
    }

    private Block reserve(long size, Deadline deadline) {
        attempts.giveWay(deadline);
        Backoff backoff = new Backoff(deadline);
        DriverException problem = null;
        boolean hasTime;
        do {
            int usedUpBefore = usedUp;
            try {
                Block block = tryReserve(definition(size, deadline), size, deadline);
                if (block != null) {
                    return block;
                }
            } catch (DriverException e) {
                // The block may be reserved although no caller has it: then it is a gap.
                next = UNKNOWN;
                problem = e;
                failingSince = failingSince == null ? Instant.now() : failingSince;
            }
            // A client that only goes over to the next stripe met no other client, so it needs no pause.
            hasTime = usedUp == usedUpBefore ? backoff.pause() : deadline.remainingNanos() > 0;
        } while (hasTime);
        throw new BlockStoreException(
                what(size) + ": no block within " + callTimeout + ", after " + backoff.attempts() + " attempts"
                        + (problem == null ? "" : ", since " + failingSince + ": " + problem),
                problem);
    }

    private StripedDefinition definition(long size, Deadline deadline) {
        StripedDefinition known = definition;
        if (known == null) {
            known = tables.readDefinition(name, deadline)
                    .orElseThrow(() -> new BlockStoreException(
                            what(size) + " is not defined: see CassandraSchema.defineStripedSequence"));
            if (stripeOfClient >= known.stripes()) {
                throw new BlockStoreException(what(size) + ": stripe must be 0 to " + (known.stripes() - 1)
                        + ", since it has " + known.stripes() + " stripes: " + stripeOfClient);
            }
            definition = known;
        }
        return known;
    }

    /** Returns null if another client was first, or if the stripe is used up and the next one is due. */
    private @Nullable Block tryReserve(StripedDefinition defined, long size, Deadline deadline) {
        int stripe = (stripeOfClient + usedUp) % defined.stripes();
        if (next == UNKNOWN) {
            OptionalLong present = tables.readNext(name, stripe, deadline);
            next = present.orElseThrow(() -> new BlockStoreException(what(size) + ": stripe " + stripe
                    + " is lost, and with it what it had handed out: define a sequence above all integers in use"));
        }
        long from = next;
        long count = Math.min(size, defined.count(stripe) - from);
        if (count <= 0) {
            goOverToNextStripe(defined);
            return null;
        }
        SerialTable.Outcome outcome = attempts.count(() -> tables.advance(name, stripe, from, from + count, deadline));
        if (outcome.isApplied()) {
            next = from + count;
            return defined.block(stripe, from, count);
        }
        Row present = outcome.present();
        next = present == null ? UNKNOWN : present.getLong("next_k");
        return null;
    }

    private void goOverToNextStripe(StripedDefinition defined) {
        if (usedUp == defined.stripes() - 1) {
            throw new BlockStoreExhaustedException("sequence " + name + " in " + store + ": the last integer is "
                    + defined.lastValue() + ", and all stripes are used up");
        }
        usedUp++;
        next = UNKNOWN;
    }

    private String what(long size) {
        return "sequence " + name + ", size " + size + " in " + store;
    }
}
