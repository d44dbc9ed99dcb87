// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A sequence as the client of a stripe uses it. A process has at most one reservation under way. Thread-safe. */
final class StripedSequence {
    /** Instead of a stripe: any one will do, at random. */
    static final int ANY = -1;

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

    private final Requester requester = new Requester(UUID.randomUUID());
    /** The stripe as this process last saw or changed it; null if it has to be read. */
    private StripeTables.@Nullable Stripe row;

    /** Whether this reservation may still go over to another stripe where it meets another client. */
    private boolean mayMove;

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
        requester.begin(size);
        mayMove = stripeOfClient == ANY;
        Backoff backoff = new Backoff(deadline);
        DriverException problem = null;
        boolean hasTime = attempts.hasTime(deadline);
        while (hasTime) {
            boolean goesOn;
            try {
                Block block = tryReserve(definition(deadline), size, deadline);
                if (block != null) {
                    return block;
                }
                goesOn = deadline.remainingNanos() > 0;
            } catch (DriverException e) {
                // The block may be reserved although no caller has it: then it is a gap.
                row = null;
                Refusal.requireNone(what(size), e);
                problem = e;
                failingSince = failingSince == null ? Instant.now() : failingSince;
                goesOn = backoff.pause();
            }
            hasTime = goesOn && attempts.hasTime(deadline);
        }
        throw new BlockStoreException(
                what(size) + ": no block within " + callTimeout
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

    /** Returns null if the block is still to be had: from this stripe, or from the next one if this is used up. */
    private @Nullable Block tryReserve(StripedDefinition defined, long size, Deadline deadline) {
        StripeTables.Stripe present = row == null ? read(size, deadline) : row;
        Optional<Requests.Grant> granted = requester.saw(present.requests());
        if (granted.isPresent()) {
            return block(defined, granted.get(), present);
        }
        long left = defined.count(stripe) - present.next();
        if (left <= 0) {
            usedUp.set(stripe);
            requireRest(defined, deadline);
            goOverToNextStripe(defined);
            return null;
        }
        if (requester.waits(
                (client, request) -> attempts.post(() -> tables.post(name, stripe, client, request, deadline)))) {
            deadline.pause(attempts.lookNanos());
            row = look(deadline);
            return null;
        }
        return attempts.hasTime(deadline) ? take(defined, present, left, deadline) : null;
    }

    /** Returns null if that shows less than was seen before: then it is to be read. */
    private StripeTables.@Nullable Stripe look(Deadline deadline) {
        return tables.look(name, stripe, deadline)
                .filter(present -> present.next() >= seen.getOrDefault(stripe, 0L))
                .orElse(null);
    }

    private StripeTables.Stripe read(long size, Deadline deadline) {
        StripeTables.Stripe present = tables.read(name, stripe, deadline)
                .orElseThrow(() -> new NonTransientBlockStoreException(what(size) + ": stripe " + stripe
                        + " is lost, and with it what it had handed out: run CassandraSchema.recoverStripedSequence"
                        + " with a value above all integers in use"));
        requireNotSetBack(present.next());
        return present;
    }

    private @Nullable Block take(StripedDefinition defined, StripeTables.Stripe present, long left, Deadline deadline) {
        Requests.Grants grants = requester.grants(present.next(), left);
        boolean isAlone = !requester.isShared();
        if (attempts.count(() -> tables.take(name, stripe, present, grants, isAlone, deadline))) {
            Requests.Grant own = requester.granted(grants);
            return block(defined, own, new StripeTables.Stripe(grants.next(), requester.seen()));
        }
        row = look(deadline);
        // Otherwise a request was posted, or has expired.
        if (row == null || row.next() != present.next()) {
            requester.met();
            if (mayMove && isAlone) {
                mayMove = false;
                goOverToNextStripe(defined);
            }
        }
        return null;
    }

    private Block block(StripedDefinition defined, Requests.Grant grant, StripeTables.Stripe present) {
        row = present;
        seen.merge(stripe, present.next(), Math::max);
        return defined.block(stripe, grant.first(), grant.count());
    }

    private void requireNotSetBack(long present) {
        long before = seen.getOrDefault(stripe, 0L);
        if (present < before) {
            row = null;
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
        if (stripe != before) {
            row = null;
            requester.leave();
        }
    }

    private String what(long size) {
        return "sequence " + name + ", size " + size + " in " + store;
    }
}
