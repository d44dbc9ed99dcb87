// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sequence as one datacenter serves it: blocks from its range, and the next range in time. A process has at most one
 * reservation and one claim under way. Thread-safe.
 */
final class DatacenterSequence {
    private static final System.Logger LOGGER = System.getLogger(CassandraBlockStore.class.getName());

    private static final long MAX_CLAIM_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final String datacenter;
    private final Object store;
    private final RangeTables tables;
    private final RangeSettings settings;
    private final Executor background;

    private final RangeState state;
    private final Attempts attempts = new Attempts();
    /** Held during a reservation: two reservations of one process would only get into each other's way. */
    private final ReentrantLock turn = new ReentrantLock();

    DatacenterSequence(
            String name,
            String datacenter,
            Object store,
            RangeTables tables,
            RangeSettings settings,
            Executor background) {
        this.name = name;
        this.datacenter = datacenter;
        this.store = store;
        this.tables = tables;
        this.settings = settings;
        this.background = background;
        this.state = new RangeState(settings, System.nanoTime());
    }

    DatacenterRangeStats stats() {
        return state.stats(name, datacenter, attempts.stats(), System.nanoTime());
    }

    // --- blocks

    Block reserve(long size) {
        Deadline deadline = Deadline.after(settings.callTimeout());
        if (!deadline.lock(turn)) {
            throw nothingReserved(size, "other threads still reserve after " + settings.callTimeout(), null);
        }
        try {
            Block block = reserve(size, deadline);
            claimSoon();
            noteClaimOfAnother();
            warnOfLowAutonomy();
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
            try {
                DatacenterRow seen = withIntegers(deadline);
                Block block = seen == null ? null : take(seen, size, deadline);
                if (block != null) {
                    return block;
                }
            } catch (DriverException e) {
                // The block may be reserved although no caller has it: then it is a gap.
                state.forget();
                problem = e;
            }
            hasTime = state.isUsedUp() ? backoff.pauseBeforeClaim() : backoff.pause();
        } while (hasTime);
        throw nothingReserved(
                size,
                "no block within " + settings.callTimeout() + ", after " + backoff.attempts() + " attempts",
                problem);
    }

    /** Returns the row if it has integers left, after a claim if it had none; null if there are none nevertheless. */
    private @Nullable DatacenterRow withIntegers(Deadline deadline) {
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
                state.saw(seen, System.nanoTime());
            }
        }
        return seen != null && hasIntegers(seen) ? seen : null;
    }

    private static boolean hasIntegers(DatacenterRow row) {
        return !row.isNew() && row.remaining() > 0;
    }

    private @Nullable Block take(DatacenterRow seen, long size, Deadline deadline) {
        boolean isUsedUp = seen.rest() == 0;
        long count = Math.min(size, isUsedUp ? seen.preloaded() : seen.rest());
        SerialTable.Outcome outcome = attempts.count(() -> isUsedUp
                ? tables.switchAndTake(name, seen, count, deadline)
                : tables.take(name, seen, count, deadline));
        if (!outcome.isApplied()) {
            otherWasFirst(seen, outcome.present());
            return null;
        }
        DatacenterRow now = isUsedUp ? seen.switched(count) : seen.withLast(seen.last() + count);
        state.saw(now, System.nanoTime());
        return Block.of(now.last() - count + 1, now.last());
    }

    /** Takes over the answer to a failed change, which has the last integer, unless more than that has changed. */
    private void otherWasFirst(DatacenterRow seen, @Nullable Row present) {
        if (present != null
                && seen.incarnation().equals(present.getUuid("incarnation"))
                && seen.reservedMax() == DatacenterRow.longOf(present, "reserved_max")) {
            state.saw(seen.withLast(present.getLong("last_integer")), System.nanoTime());
        } else {
            state.forget();
        }
    }

    // --- ranges

    /** Claims the next range in the background when enough of the present one is used. */
    private void claimSoon() {
        if (!state.beginClaim(System.nanoTime())) {
            return;
        }
        try {
            background.execute(this::claimInBackground);
        } catch (RejectedExecutionException e) {
            // The store was closed meanwhile, and needs no next range.
            state.endClaim(null);
        }
    }

    private void claimInBackground() {
        DatacenterRow seen = null;
        try {
            Deadline deadline = Deadline.after(settings.callTimeout());
            // Other processes have seen the same; the first one claims for all of them.
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
     * Claims a range, unless a claimed one is not yet installed, and installs it. After each step, any process of the
     * datacenter can take the next one.
     *
     * @return the row afterwards; null if there is none
     */
    private @Nullable DatacenterRow withNextRange(@Nullable DatacenterRow before, Deadline deadline) {
        DatacenterRow seen = before;
        boolean isClaimed = false;
        do {
            // After the row was seen: see RangeTables.initialise.
            GlobalRow global = tables.readGlobal(name, deadline).orElseThrow(this::notDefined);
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
            throw new BlockStoreException("sequence " + name + " in " + store + ": integers are claimed up to "
                    + global.last() + " only, but datacenter " + datacenter + " has the range " + seen
                    + ". Was table seq_global restored from a backup? Then define the sequence anew, above all in use");
        }
        if (global.claimMax() > seen.installed()) {
            tables.install(name, seen, global.claimMin(), global.claimMax(), deadline);
            return;
        }
        if (global.isAllClaimed()) {
            throw new BlockStoreExhaustedException("sequence " + name + " in " + store + ": the last integer is "
                    + global.lastValue() + ", and all are claimed; the range of datacenter " + datacenter + " is "
                    + seen);
        }
        long left = global.lastValue() - global.last();
        long upTo = left < settings.rangeSize() ? global.lastValue() : global.last() + settings.rangeSize();
        if (tables.claim(name, global, upTo, deadline)) {
            state.claimed();
            tables.install(name, seen, global.last() + 1, upTo, deadline);
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
                            + settings.minAutonomy() + ": ranges should have " + stats.suggestedRangeSize()
                            + " integers instead of " + settings.rangeSize());
        }
    }

    // --- messages

    private BlockStoreException notDefined() {
        return new BlockStoreException(
                "sequence " + name + " in " + store + " is not defined: see CassandraSchema.defineSequence");
    }

    private BlockStoreException nothingReserved(long size, String how, @Nullable DriverException problem) {
        String what = "sequence " + name + ", size " + size + " in " + store + ": ";
        RangeState.Problem claimProblem = state.claimProblem();
        if (claimProblem != null && state.isUsedUp()) {
            return new BlockStoreException(
                    what + "datacenter " + datacenter + " has used up its range, " + state.range()
                            + ", and cannot claim another " + claimProblem,
                    claimProblem.cause());
        }
        return new BlockStoreException(
                what + how + ", from datacenter " + datacenter + ", whose range is " + state.range()
                        + (problem == null ? "" : ": " + problem),
                problem);
    }
}
