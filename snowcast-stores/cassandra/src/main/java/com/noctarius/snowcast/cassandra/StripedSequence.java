// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Reserves one client's blocks of a plain or striped sequence, from one stripe after the other. Thread-safe. */
final class StripedSequence extends SharedRow<StripeTables.Stripe> {
    /** Stands for a stripe that the client chooses at random. */
    static final int ANY = -1;

    private final int stripeOfClient;
    private final StripeTables tables;
    // --- used only by the thread that holds SharedRow.turn
    private @Nullable StripedDefinition definition;
    /** The index of the stripe to reserve from; valid after {@link #definition(Deadline)} was called. */
    private int stripe;
    /** The stripes that this process has seen used up. */
    private final BitSet usedUp = new BitSet();
    /** How many integers of each stripe were reserved when this process last read or changed it. */
    private final Map<Integer, Long> seen = new HashMap<>();

    /** The row of the stripe as this process last read or wrote it; null if it has to be read. */
    private StripeTables.@Nullable Stripe row;

    // --- by all threads
    private volatile String problem = "";

    StripedSequence(String name, int stripeOfClient, Object store, StripeTables tables, Duration callTimeout) {
        super(name, store, callTimeout);
        this.stripeOfClient = stripeOfClient;
        this.tables = tables;
    }

    @Override
    Block reserve(long size) {
        try {
            Block block = super.reserve(size);
            problem = "";
            return block;
        } catch (BlockStoreException e) {
            problem = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /** Returns why the last reservation failed; empty if it succeeded, or if there was none. */
    String problem() {
        return problem;
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
                    + (defined.stripes() - 1) + ", because it has " + defined.stripes() + " stripes: " + stripe);
        }
    }

    @Override
    StripeTables.@Nullable Stripe withIntegers(Deadline deadline) {
        StripedDefinition defined = definition(deadline);
        StripeTables.Stripe present = row == null ? readSerial(defined, deadline) : row;
        if (present.left() > 0) {
            return present;
        }
        usedUp.set(stripe);
        requireRest(defined, deadline);
        goOverToNextStripe(defined);
        return null;
    }

    private StripeTables.Stripe readSerial(StripedDefinition defined, Deadline deadline) {
        StripeTables.Stripe present = tables.read(name, stripe, defined.count(stripe), deadline)
                .orElseThrow(() -> new NonTransientBlockStoreException("sequence " + name + " in " + store + ": stripe "
                        + stripe + " is lost, and with it the record of the integers that it has issued: run"
                        + " CassandraSchema.recoverStripedSequence with a value above all integers in use"));
        requireNotSetBack(present.first());
        row = present;
        return present;
    }

    @Override
    StripeTables.@Nullable Stripe read(Deadline deadline) {
        return tables.look(name, stripe, definition(deadline).count(stripe), deadline)
                .filter(present -> present.first() >= seen.getOrDefault(stripe, 0L))
                .orElse(null);
    }

    @Override
    void post(UUID client, List<Long> request, Deadline deadline) {
        tables.post(name, stripe, client, request, deadline);
    }

    @Override
    boolean take(StripeTables.Stripe from, Requests.Grants grants, Deadline deadline) {
        return tables.take(name, stripe, from.first(), grants, deadline);
    }

    @Override
    void saw(StripeTables.@Nullable Stripe present) {
        row = present;
        if (present != null) {
            seen.merge(stripe, present.first(), Math::max);
        }
    }

    @Override
    Block block(Requests.Grant grant) {
        return Objects.requireNonNull(definition).block(stripe, grant.first(), grant.count());
    }

    private void requireNotSetBack(long present) {
        long before = seen.getOrDefault(stripe, 0L);
        if (present < before) {
            row = null;
            throw new NonTransientBlockStoreException("sequence " + name + " in " + store + ": stripe " + stripe
                    + " has issued " + before + " integers, but its row shows only " + present
                    + ". Has a node forgotten"
                    + " what it had acknowledged, or was table seq_stripe restored from a backup? Run"
                    + " CassandraSchema.recoverStripedSequence with a value above all integers in use");
        }
        seen.put(stripe, present);
    }

    /** Throws if all stripes are used up and the last value was not raised meanwhile. */
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
        row = null;
    }

    /** Moves to the next stripe that is not used up, if there is another one. */
    private void goOverToNextStripe(StripedDefinition defined) {
        int before = stripe;
        do {
            stripe = (stripe + 1) % defined.stripes();
        } while (usedUp.get(stripe) && stripe != before);
        row = stripe == before ? row : null;
    }
}
