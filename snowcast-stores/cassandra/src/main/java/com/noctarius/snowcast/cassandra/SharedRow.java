// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reserves blocks from a row that other processes use, too: a stripe, or the row of a datacenter. Makes one reservation
 * at a time. Thread-safe; only the thread that holds {@link #turn} calls the abstract methods.
 */
abstract class SharedRow<S extends SharedRow.State<S>> {
    /** A snapshot of the row. */
    interface State<S> {
        /** Returns the first integer that is not reserved; for a stripe, the index of this integer. */
        long first();

        /** Returns how many integers from {@link #first} on can be reserved by the next change. */
        long left();

        Requests requests();

        /** Returns the state of the row after a change that writes these grants. */
        S with(Requests.Grants grants);
    }

    final String name;
    final Object store;
    private final Duration callTimeout;
    private final Attempts attempts = new Attempts();
    /** Held during a reservation, because concurrent reservations of one process would only delay each other. */
    private final ReentrantLock turn = new ReentrantLock();
    // --- guarded by the turn
    private final Requester requester = new Requester(UUID.randomUUID());
    private @Nullable Instant failingSince;

    SharedRow(String name, Object store, Duration callTimeout) {
        this.name = name;
        this.store = store;
        this.callTimeout = callTimeout;
    }

    /** Returns the row as last seen, or reads it; null if it has no integers and the caller should try again. */
    abstract @Nullable S withIntegers(Deadline deadline);

    /**
     * Reads the row; the result may be slightly stale. Returns null if the row must be read serially, for example
     * because this process has seen a later state.
     */
    abstract @Nullable S read(Deadline deadline);

    abstract void post(UUID client, List<Long> request, Deadline deadline);

    /** Writes the grants if the row's next integer is still that of {@code seen}. Returns whether it wrote them. */
    abstract boolean take(S seen, Requests.Grants grants, Deadline deadline);

    /** Notes the current state of the row; null if the state is not known. */
    abstract void saw(@Nullable S present);

    abstract Block block(Requests.Grant grant);

    /**
     * Returns whether the row has no integers, as far as known. While the row has no integers, attempts are further
     * apart.
     */
    boolean isUsedUp() {
        return false;
    }

    BlockStoreException nothingReserved(String what, String why, @Nullable DriverException problem) {
        return new BlockStoreException(what + ": " + why, problem);
    }

    ReservationStats reservations() {
        return attempts.stats();
    }

    Block reserve(long size) {
        String what = "sequence " + name + ", size " + size + " in " + store;
        Deadline deadline = Deadline.ofAttempts(callTimeout);
        if (!deadline.lock(turn)) {
            throw nothingReserved(what, "other threads are still reserving after " + callTimeout, null);
        }
        try {
            requester.begin(size);
            Block block = reserve(what, deadline);
            failingSince = null;
            return block;
        } finally {
            turn.unlock();
        }
    }

    private Block reserve(String what, Deadline deadline) {
        Backoff backoff = new Backoff(deadline);
        DriverException problem = null;
        while (attempts.hasTime(deadline)) {
            try {
                Optional<Requests.Grant> granted = tryReserve(deadline);
                if (granted.isPresent()) {
                    return block(granted.get());
                }
            } catch (DriverException e) {
                // The failed attempt may have reserved a block. Usually, the next attempt of this call finds the grant
                // of that block in the row. If no attempt finds the grant, the block becomes a gap.
                saw(null);
                Refusal.requireNone(what, e);
                problem = e;
                failingSince = failingSince == null ? Instant.now() : failingSince;
                backoff.pause();
            }
            if (isUsedUp()) {
                backoff.pauseBeforeClaim();
            }
        }
        String since = problem == null ? "" : ", since " + failingSince + ": " + problem;
        throw nothingReserved(what, "no block within " + callTimeout + since, problem);
    }

    /** Makes one attempt. Returns empty if no block was granted. */
    private Optional<Requests.Grant> tryReserve(Deadline deadline) {
        if (attempts.isLookDue()) {
            look(deadline);
        }
        S seen = withIntegers(deadline);
        if (seen == null) {
            return Optional.empty();
        }
        Optional<Requests.Grant> granted = requester.saw(seen.requests());
        if (granted.isPresent()) {
            return granted;
        }
        if (requester.waits((client, request) -> attempts.post(() -> post(client, request, deadline)))) {
            deadline.pause(requester.postsToWait() * attempts.postNanos());
            return look(deadline);
        }
        return attempts.hasTime(deadline) ? take(seen, deadline) : Optional.empty();
    }

    private Optional<Requests.Grant> look(Deadline deadline) {
        attempts.looks();
        S present = read(deadline);
        saw(present);
        return present == null ? Optional.empty() : requester.saw(present.requests());
    }

    private Optional<Requests.Grant> take(S seen, Deadline deadline) {
        Requests.Grants grants = requester.grants(seen.first(), seen.left());
        if (!attempts.count(() -> take(seen, grants, deadline))) {
            requester.met();
            return look(deadline);
        }
        S present = seen.with(grants);
        saw(present);
        return requester.saw(present.requests());
    }
}
