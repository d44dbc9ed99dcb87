// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A sequence as the client of a stripe uses it. A process has at most one reservation under way. Thread-safe. */
final class StripedSequence {
    /** Instead of a stripe: any one will do, at random. */
    static final int ANY = -1;

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
    /** The stripe to reserve of, as soon as the definition is known. */
    private int stripe;
    /** The stripes that are known to be used up. */
    private final BitSet usedUp = new BitSet();
    /** How far the stripes were when this process last saw or changed them. */
    private final Map<Integer, Long> seen = new HashMap<>();

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
        Deadline deadline = Deadline.ofAttempts(callTimeout);
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
        boolean hasTime = attempts.hasTime(deadline);
        while (hasTime) {
            int usedUpBefore = usedUp.cardinality();
            boolean isCollision = false;
            try {
                Block block = tryReserve(definition(deadline), size, deadline);
                if (block != null) {
                    return block;
                }
                isCollision = true;
            } catch (DriverException e) {
                // The block may be reserved although no caller has it: then it is a gap.
                next = UNKNOWN;
                Refusal.requireNone(what(size), e);
                problem = e;
                failingSince = failingSince == null ? Instant.now() : failingSince;
            }
            // A client that only goes over to the next stripe met no other client, so it needs no pause.
            boolean goesOn = usedUp.cardinality() != usedUpBefore
                    || (isCollision ? backoff.pauseAfterCollision(attempts.maxPauseNanos()) : backoff.pause());
            hasTime = goesOn && attempts.hasTime(deadline);
        }
        throw new BlockStoreException(
                what(size) + ": no block within " + callTimeout + ", after " + backoff.attempts() + " attempts"
                        + (problem == null ? "" : ", since " + failingSince + ": " + problem),
                problem);
    }

    private StripedDefinition definition(Deadline deadline) {
        StripedDefinition known = definition;
        if (known == null) {
            known = tables.readDefinition(name, deadline).orElseThrow(() -> notDefined(name, store));
            requireStripe(name, store, stripeOfClient, known);
            definition = known;
            stripe = stripeOfClient == ANY ? ThreadLocalRandom.current().nextInt(known.stripes()) : stripeOfClient;
        }
        return known;
    }

    static NonTransientBlockStoreException notDefined(String name, Object store) {
        return new NonTransientBlockStoreException(
                "sequence " + name + " in " + store + " is not defined: run CassandraSchema.defineStripedSequence");
    }

    static void requireStripe(String name, Object store, int stripe, StripedDefinition defined) {
        if (stripe >= defined.stripes()) {
            throw new NonTransientBlockStoreException("sequence " + name + " in " + store + ": stripe must be 0 to "
                    + (defined.stripes() - 1) + ", since it has " + defined.stripes() + " stripes: " + stripe);
        }
    }

    /** Returns null if another client was first, or if the stripe is used up and the next one is due. */
    private @Nullable Block tryReserve(StripedDefinition defined, long size, Deadline deadline) {
        if (next == UNKNOWN) {
            OptionalLong present = tables.readNext(name, stripe, deadline);
            next = present.orElseThrow(() -> new NonTransientBlockStoreException(what(size) + ": stripe " + stripe
                    + " is lost, and with it what it had handed out: run CassandraSchema.recoverStripedSequence with a"
                    + " value above all integers in use"));
            requireNotSetBack(next);
        }
        long from = next;
        long count = Math.min(size, defined.count(stripe) - from);
        if (count <= 0) {
            usedUp.set(stripe);
            requireRest(defined, deadline);
            goOverToNextStripe(defined);
            return null;
        }
        if (!attempts.hasTime(deadline)) {
            return null;
        }
        SerialTable.Outcome outcome = attempts.count(() -> tables.advance(name, stripe, from, from + count, deadline));
        if (outcome.isApplied()) {
            next = from + count;
            seen.put(stripe, next);
            return defined.block(stripe, from, count);
        }
        Row present = outcome.present();
        next = present == null ? UNKNOWN : present.getLong("next_k");
        if (present != null) {
            requireNotSetBack(next);
        }
        if (stripeOfClient == ANY) {
            goOverToNextStripe(defined);
        }
        return null;
    }

    private void requireNotSetBack(long present) {
        long before = seen.getOrDefault(stripe, 0L);
        if (present < before) {
            next = UNKNOWN;
            throw new NonTransientBlockStoreException("sequence " + name + " in " + store + ": stripe " + stripe
                    + " has given " + before + " integers, and knows of " + present + " only. Has a node forgotten what"
                    + " it had acknowledged, or was table seq_stripe restored from a backup? Run"
                    + " CassandraSchema.recoverStripedSequence with a value above all integers in use");
        }
        seen.put(stripe, present);
    }

    /** Makes sure that a stripe is not used up, perhaps since the last value was raised. */
    private void requireRest(StripedDefinition defined, Deadline deadline) {
        if (usedUp.cardinality() < defined.stripes()) {
            return;
        }
        StripedDefinition present = tables.readDefinition(name, deadline).orElseThrow(() -> notDefined(name, store));
        if (present.lastValue() <= defined.lastValue()) {
            throw new BlockStoreExhaustedException("sequence " + name + " in " + store + ": the last integer is "
                    + defined.lastValue() + ", and all stripes are used up");
        }
        definition = present;
        usedUp.clear();
    }

    /** Goes over to the next stripe that is not used up; there may be none but the present one. */
    private void goOverToNextStripe(StripedDefinition defined) {
        int before = stripe;
        do {
            stripe = (stripe + 1) % defined.stripes();
        } while (usedUp.get(stripe) && stripe != before);
        next = stripe == before ? next : UNKNOWN;
    }

    private String what(long size) {
        return "sequence " + name + ", size " + size + " in " + store;
    }
}
