// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.generator.Guard;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Wraps an ID generator of another library, and returns only IDs whose time is leased by the grant for which the
 * generator was made. Thread-safe if the wrapped generator is thread-safe.
 */
final class GuardedGenerator implements NodeLease.Generator {
    /**
     * After this many IDs in a row that are too early, a call pauses before it tries again. Usually, an ID is too early
     * only because another thread has just returned a later one, and the generator's next ID is valid.
     */
    private static final int EAGER_TRIES = 3;

    private final LeasedNode lease;
    private final IntFunction<? extends LongSupplier> newGenerator;
    private final LongUnaryOperator timestampMillis;
    /** Held while the wrapped generator is replaced, so that a grant has exactly one generator. */
    private final ReentrantLock replacement = new ReentrantLock();

    /** Written under the lock. */
    private volatile GrantGenerator use;

    /** A grant, and the generator that was made for it. */
    private record GrantGenerator(Guard guard, LongSupplier generator) {}

    GuardedGenerator(
            LeasedNode lease, IntFunction<? extends LongSupplier> newGenerator, LongUnaryOperator timestampMillis) {
        this.lease = lease;
        this.newGenerator = newGenerator;
        this.timestampMillis = timestampMillis;
        this.use = newGrantGenerator(lease.grantInUse());
    }

    private GrantGenerator newGrantGenerator(GrantInUse grant) {
        LongSupplier generator = newGenerator.apply(grant.logicalNodeId());
        return new GrantGenerator((Guard) grant, Objects.requireNonNull(generator, "newGenerator returned null"));
    }

    @Override
    public long next() throws InterruptedException {
        GrantGenerator present = use;
        long startNanos = 0;
        int tooEarly = 0;
        while (true) {
            long id;
            try {
                id = present.generator.getAsLong();
            } catch (RuntimeException e) {
                // A generator that is ahead of the clock, whose grant judge() gives up, may throw in every further
                // call.
                if (!present.guard.isSealed()) {
                    throw e;
                }
                present = successorOf(present);
                tooEarly = 0;
                continue;
            }
            long millis = timestampMillis.applyAsLong(id);
            if (present.guard.isAtLast(millis)) {
                return id;
            }
            switch (judge(present, millis)) {
                case LET_OUT -> {
                    return id;
                }
                case SEALED -> {
                    present = successorOf(present);
                    tooEarly = 0;
                }
                case TOO_EARLY -> {
                    tooEarly++;
                    if (tooEarly == EAGER_TRIES) {
                        startNanos = lease.requests.clock.nanos();
                    }
                    if (tooEarly >= EAGER_TRIES) {
                        present.guard.awaitLaterThan(millis, startNanos);
                    }
                }
            }
        }
    }

    private Guard.Verdict judge(GrantGenerator present, long millis) throws InterruptedException {
        try {
            return present.guard.judge(millis);
        } catch (SnowcastStateException e) {
            // Most generators never go back in time: after a wrong read of the clock, they issue no valid ID for long.
            if (present.guard.isAhead(millis)) {
                lease.giveUp(present.guard, "its generator is ahead of this process's clock, and is replaced");
            }
            throw e;
        }
    }

    private GrantGenerator successorOf(GrantGenerator sealed) throws InterruptedException {
        lease.successorOf(sealed.guard);
        replacement.lockInterruptibly();
        try {
            // Read the grant under the lock: a slow thread must not replace the generator of a newer grant.
            GrantInUse grant = lease.grantInUse();
            if (use.guard != grant) {
                use = newGrantGenerator(grant);
            }
            return use;
        } finally {
            replacement.unlock();
        }
    }

    @Override
    public long getAsLong() {
        try {
            return next();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastUnavailableException(
                    lease.requests.subject + ": the thread was interrupted while it waited for an ID", e);
        }
    }
}
