// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reserves blocks of a two-tier sequence from the datacenter's range, and claims the next range early. An object of
 * this class runs at most one reservation and one background claim at a time. Thread-safe.
 */
final class DatacenterSequence extends SharedRow<DatacenterRow> {
    private static final System.Logger LOGGER = System.getLogger(CassandraBlockStore.class.getName());

    private static final long MAX_CLAIM_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String datacenter;
    private final RangeTables tables;
    private final RangeSettings settings;
    private final Executor background;

    private final RangeState state;

    DatacenterSequence(
            String name,
            String datacenter,
            Object store,
            RangeTables tables,
            RangeSettings settings,
            Executor background) {
        super(name, store, settings.callTimeout());
        this.datacenter = datacenter;
        this.tables = tables;
        this.settings = settings;
        this.background = background;
        this.state = new RangeState(settings, System.nanoTime());
    }

    DatacenterRangeStats stats() {
        return state.stats(name, datacenter, reservations(), System.nanoTime());
    }

    // --- blocks

    @Override
    Block reserve(long size) {
        try {
            Block block = super.reserve(size);
            claimSoon();
            noteClaimOfAnother();
            warnOfLowAutonomy();
            return block;
        } catch (BlockStoreException e) {
            state.reservationFailed();
            throw e;
        }
    }

    /**
     * Returns the row. If it has no integers, tries to claim and install a range first; returns null if it still has
     * none.
     */
    @Override
    @Nullable
    DatacenterRow withIntegers(Deadline deadline) {
        DatacenterRow seen = state.row();
        if (seen == null || !hasIntegers(seen)) {
            seen = tables.read(name, deadline);
            if (seen == null || !hasIntegers(seen)) {
                try {
                    seen = withNextRange(seen, deadline);
                } catch (DriverException e) {
                    claimFailed(seen, e);
                    throw e;
                }
            }
            if (seen != null) {
                requireNotSetBack(seen);
                saw(seen);
            }
        }
        return seen != null && hasIntegers(seen) ? seen : null;
    }

    private static boolean hasIntegers(DatacenterRow row) {
        return !row.isNew() && row.remaining() > 0;
    }

    @Override
    @Nullable
    DatacenterRow read(Deadline deadline) {
        DatacenterRow seen = tables.look(name, deadline);
        return seen == null || state.isSetBack(seen) ? null : seen;
    }

    @Override
    void post(UUID client, List<Long> request, Deadline deadline) {
        tables.post(name, client, request, deadline);
    }

    @Override
    boolean take(DatacenterRow seen, Requests.Grants grants, Deadline deadline) {
        return tables.take(name, seen, grants, deadline);
    }

    @Override
    void saw(@Nullable DatacenterRow present) {
        if (present == null) {
            state.forget();
        } else {
            state.saw(present, System.nanoTime());
        }
    }

    @Override
    boolean isUsedUp() {
        return state.isUsedUp();
    }

    @Override
    Block block(Requests.Grant grant) {
        return Block.of(grant.first(), grant.first() + grant.count() - 1);
    }

    private void requireNotSetBack(DatacenterRow present) {
        if (state.isSetBack(present)) {
            throw new NonTransientBlockStoreException(
                    "sequence " + name + " in " + store + ": the range of datacenter "
                            + datacenter + " is " + present + ", but was " + state.range()
                            + ". Has a node forgotten what it"
                            + " had acknowledged, or was table seq_dc restored from a backup? Run CassandraSchema.recoverSequence");
        }
    }

    // --- ranges

    /** Claims the next range in the background if enough of the current range is used. */
    private void claimSoon() {
        if (!state.beginClaim(System.nanoTime())) {
            return;
        }
        try {
            background.execute(this::claimInBackground);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Either the store was closed and needs no range, or no thread could be started. In the second case a later
            // call tries again.
            state.endClaim(null);
        }
    }

    private void claimInBackground() {
        DatacenterRow seen = null;
        try {
            Deadline deadline = Deadline.ofAttempts(settings.callTimeout());
            // Other processes of the datacenter may want to claim at the same time. After random delays, usually one
            // process claims for all of them.
            deadline.pause(ThreadLocalRandom.current().nextLong(MAX_CLAIM_DELAY_NANOS));
            seen = tables.read(name, deadline);
            if (seen != null && !seen.hasPreloaded()) {
                seen = withNextRange(seen, deadline);
            }
        } catch (BlockStoreExhaustedException e) {
            state.allClaimed();
        } catch (RuntimeException e) {
            claimFailed(seen, e);
        } finally {
            state.endClaim(seen);
            noteClaimOfAnother();
        }
    }

    /**
     * Makes one attempt to claim and install a range for the datacenter. If an earlier claim is not installed yet,
     * installs that range instead. If this process stops between two steps, another process of the datacenter can make
     * the next step.
     *
     * @return the row afterwards; null if there is no row
     */
    private @Nullable DatacenterRow withNextRange(@Nullable DatacenterRow before, Deadline deadline) {
        DatacenterRow seen = before;
        boolean isClaimed = false;
        do {
            // Read the claims now, after the read of the row, as RangeTables.initialise requires.
            GlobalRow global = tables.readGlobal(name, deadline).orElseThrow(() -> notDefined(name, store));
            if (seen == null) {
                tables.insert(name, deadline);
            } else if (seen.isNew()) {
                tables.initialise(name, seen, global.base(), deadline);
            } else {
                claimAndInstall(seen, global, deadline);
                isClaimed = true;
            }
            seen = tables.read(name, deadline);
        } while (!isClaimed && (seen == null || !hasIntegers(seen)));
        claimWorked();
        return seen;
    }

    private void claimAndInstall(DatacenterRow seen, GlobalRow global, Deadline deadline) {
        if (global.last() < seen.installed()) {
            throw new NonTransientBlockStoreException("sequence " + name + " in " + store
                    + ": integers are claimed up to " + global.last() + " only, but datacenter " + datacenter
                    + " has the range " + seen + ". Was table seq_global restored from a backup? Then run"
                    + " CassandraSchema.recoverSequence with a value above all integers in use");
        }
        if (global.claimMax() > seen.installed()) {
            state.claimedByAnother();
            tables.install(name, seen, global.claimMin(), global.claimMax(), deadline);
            return;
        }
        if (global.isAllClaimed()) {
            throw new BlockStoreExhaustedException("sequence " + name + " in " + store + ": the last integer is "
                    + global.lastValue() + ", and all are claimed; the range of datacenter " + datacenter + " is "
                    + seen);
        }
        long left = global.lastValue() - global.last();
        long upTo = global.last() + state.claimSize(left);
        if (claim(global, upTo, deadline)) {
            state.claimed();
            tables.install(name, seen, global.last() + 1, upTo, deadline);
        }
    }

    private boolean claim(GlobalRow global, long upTo, Deadline deadline) {
        try {
            boolean isClaimed = tables.claim(name, global, upTo, deadline);
            if (!isClaimed) {
                state.claimLost();
            }
            return isClaimed;
        } catch (WriteTimeoutException e) {
            // Usually, another datacenter has claimed at the same time and won.
            state.claimLost();
            throw e;
        }
    }

    private void noteClaimOfAnother() {
        if (state.isClaimProblemOvercome()) {
            claimWorked();
        }
    }

    private void claimWorked() {
        Instant failedSince = state.claimWorked();
        if (failedSince != null) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "datacenter " + datacenter + " claims ranges of sequence " + name + " again; it could not since "
                            + failedSince);
        }
    }

    private void claimFailed(@Nullable DatacenterRow seen, RuntimeException cause) {
        if (state.claimFailed(seen, cause, System.nanoTime())) {
            DatacenterRangeStats stats = stats();
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "datacenter " + datacenter + " cannot claim the next range of sequence " + name + ": it has "
                            + stats.remaining() + " integers left, which last " + stats.autonomy() + ": " + cause);
        }
    }

    private void warnOfLowAutonomy() {
        if (state.autonomyFell(System.nanoTime())) {
            DatacenterRangeStats stats = stats();
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "datacenter " + datacenter + " has " + stats.remaining() + " integers of sequence " + name
                            + ", which last " + stats.autonomy() + " without the other datacenters, less than "
                            + settings.minAutonomy() + advice(stats.suggestedRangeSize()));
        }
    }

    private String advice(long suggestedSize) {
        return suggestedSize > settings.rangeSize()
                ? ": ranges should have " + suggestedSize + " integers instead of " + settings.rangeSize()
                : "; ranges are large enough, if the next one is claimed in time";
    }

    // --- messages

    static NonTransientBlockStoreException notDefined(String name, Object store) {
        return new NonTransientBlockStoreException(
                "sequence " + name + " in " + store + " is not defined: run CassandraSchema.defineSequence");
    }

    @Override
    BlockStoreException nothingReserved(String what, String why, @Nullable DriverException problem) {
        RangeState.Problem claimProblem = state.claimProblem();
        return claimProblem != null && state.isUsedUp()
                ? new BlockStoreException(
                        what + ": datacenter " + datacenter + " has used up its range, " + state.range()
                                + ", and cannot claim another " + claimProblem,
                        claimProblem.cause())
                : super.nothingReserved(
                        what, why + ", from datacenter " + datacenter + ", whose range is " + state.range(), problem);
    }
}
