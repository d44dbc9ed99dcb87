// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/**
 * A grant that a generator of another library uses: accepts an ID of that generator if the time in the ID is leased.
 * The {@link #word} is the latest accepted time, in milliseconds since 1970.
 *
 * <p>The guard accepts IDs with the latest accepted time or a later leased time, and rejects earlier times. The
 * generator must therefore not repeat an ID within a millisecond, even if its clock was set back to that millisecond.
 *
 * <p>Thread-safe.
 */
public final class Guard extends GrantInUse {
    /** 42 bits of time since 1970, which last until 2109, and 16 bits of node ID. */
    public static final SnowcastLayout LAYOUT = new SnowcastLayout(42, 16, 0);

    /** The decision about an ID. */
    public enum Verdict {
        /** The caller may use the ID. */
        LET_OUT,
        /** The time is before {@link Guard#validFromMillis} or an accepted time: the same ID may exist already. */
        TOO_EARLY,
        /** The grant is no longer in use. */
        SEALED
    }

    public Guard(String name, Terms terms, Clock clock, Counts counts, Renewer renewer) {
        super("node lease " + name, LAYOUT, 0, terms, clock, counts, renewer);
    }

    /** Returns whether a time is the latest accepted time, as it is for most IDs at a high rate. */
    public boolean isAtLast(long millis) {
        return millis == word.get(AT) && millis > slotBefore;
    }

    /** Decides about an ID by its time. If the lease ends before that time, waits for a renewal. */
    public Verdict judge(long millis) throws InterruptedException {
        while (true) {
            long last = word.get(AT);
            if (last < 0) {
                return Verdict.SEALED;
            }
            if (millis < last || millis <= slotBefore) {
                return Verdict.TOO_EARLY;
            }
            if (millis == last) {
                return Verdict.LET_OUT;
            }
            if (!ensureGranted(millis)) {
                awaitCeiling(
                        millis,
                        () -> !ensureGranted(millis),
                        () -> "the generator made an ID of " + instant(millis) + ", but ");
            } else if (word.compareAndSet(AT, last, millis)) {
                return Verdict.LET_OUT;
            }
        }
    }

    /** Waits for a while because the time of an ID was too early; fails if the call has waited too long. */
    public void awaitLaterThan(long millis, long sinceNanos) throws InterruptedException {
        long nanos = clock.nanos();
        if (nanos - sinceNanos >= MAX_LEASE_WAIT.toNanos()) {
            throw new SnowcastStateException(subject + ": the generator for node ID " + logicalNodeId
                    + " makes IDs of " + instant(millis) + ", and may do so from "
                    + instant(Math.max(lastSlot(), validFromMillis()))
                    + " on only: earlier ones may exist already. Its clock is behind, or the function that returns the time of"
                    + " an ID is wrong (this clock shows " + instant(wall()) + "; the call has waited "
                    + MAX_LEASE_WAIT + ")");
        }
        long untilNanos = nanos + pauseNanos(sinceNanos);
        await(() -> isSealed() ? 0 : untilNanos - clock.nanos());
    }

    /** Returns whether a time is so far ahead that the generator has probably read a wrong clock. */
    public boolean isAhead(long millis) {
        return millis - wall() >= CLOCK_PROBLEM_MILLIS;
    }

    /** Returns the earliest time that this guard ever accepts. */
    public long validFromMillis() {
        return slotBefore + 1;
    }
}
