// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether an integer sequence is open and whether its reservations succeed. Decides whether a call waits for a block,
 * and with which exception it fails. No method blocks.
 *
 * <p>Methods that change it are called under the lock of {@link BlockSupply}; waiting calls read it without the lock.
 */
final class Availability {
    /** How long no reservation begins after a permanent failure, whose cause may be removed meanwhile. */
    private static final Duration PERMANENT_FOR = Duration.ofSeconds(1);

    private final IntegerSequenceConfig config;
    private final BlockStore store;
    private final Clock clock;

    private volatile @Nullable String closedBecause;
    /** Null while reservations succeed. */
    private volatile @Nullable Failure failure;

    /**
     * Reservations that failed in a row.
     *
     * @param since the time of the first failure after the last success, or after an earlier permanent failure
     * @param count how many failed since then
     * @param lastNanos the time of the last failure, by the monotonic clock
     */
    private record Failure(Instant since, int count, long lastNanos, RuntimeException cause) {
        boolean isExhaustion() {
            return cause instanceof BlockStoreExhaustedException;
        }

        /** Returns whether an operator or developer has to remove the cause; until then, no call waits or retries. */
        boolean isPermanent() {
            return isExhaustion()
                    || cause instanceof NonTransientBlockStoreException
                    // The store has a bug, or rejects the name or the size.
                    || cause instanceof IllegalArgumentException
                    || cause instanceof NullPointerException
                    || cause instanceof UnsupportedOperationException;
        }

        @Override
        public String toString() {
            return "reservations fail since " + since + ": " + cause;
        }
    }

    Availability(IntegerSequenceConfig config, BlockStore store, Clock clock) {
        this.config = config;
        this.store = store;
        this.clock = clock;
    }

    /** Closes the sequence. A second call does not change the reason. */
    void close(String reason) {
        if (!isClosed()) {
            closedBecause = reason;
        }
    }

    boolean isClosed() {
        return closedBecause != null;
    }

    boolean isFailing() {
        return failure != null;
    }

    /** Returns whether calls that find no integer fail at once: the sequence is closed or failed permanently. */
    boolean isRefusing() {
        Failure present = failure;
        return isClosed() || (present != null && present.isPermanent());
    }

    /** Returns whether a reservation may begin. If it may, clears a permanent failure, so that calls wait again. */
    boolean admitReservation() {
        Failure present = failure;
        if (present != null && present.isPermanent()) {
            if (clock.nanos() - present.lastNanos < PERMANENT_FOR.toNanos()) {
                return false;
            }
            failure = null;
        }
        return !isClosed();
    }

    void reserved() {
        failure = null;
    }

    /** Records a failed reservation. Returns how many have failed in a row. */
    int failed(RuntimeException cause) {
        Failure before = failure;
        Failure present = before == null || before.isPermanent()
                ? new Failure(Instant.ofEpochMilli(clock.millis()), 1, clock.nanos(), cause)
                : new Failure(before.since, before.count + 1, clock.nanos(), cause);
        failure = present;
        return present.count;
    }

    /** Returns the exception for a call that gets no integer, at once or after a wait. */
    RuntimeException refusal() {
        String sequence = "integer sequence " + config.name();
        if (isClosed()) {
            return new SnowcastStateException(sequence + " must be open: " + closedBecause);
        }
        Failure present = failure;
        if (present != null && present.isPermanent()) {
            boolean isOfStore = present.cause instanceof BlockStoreException;
            String why = isOfStore ? present.cause.getMessage() : store + " failed: " + present.cause;
            return present.isExhaustion()
                    ? new IntegerSequenceExhaustedException(sequence + " is used up: " + why, present.cause)
                    : new SnowcastException(sequence + " gets no block: " + why, present.cause);
        }
        String what = sequence + " got no block within " + config.maxWait() + ": ";
        return present == null
                ? new SnowcastException(what + "the store has not answered yet")
                : new SnowcastException(what + present, present.cause);
    }

    /** Returns why the sequence is closed, or since when and why reservations fail; empty if there is no problem. */
    String problem() {
        String reason = closedBecause;
        return reason == null ? Objects.toString(failure, "") : reason;
    }

    boolean isExhausted() {
        Failure present = failure;
        return !isClosed() && present != null && present.isExhaustion();
    }
}
