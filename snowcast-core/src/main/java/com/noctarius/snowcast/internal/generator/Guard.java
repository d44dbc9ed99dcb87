// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/**
 * A grant in use by a generator of another library: accepts an ID if its time is leased. The word is the latest
 * accepted time, in milliseconds since 1970: a slot without counter.
 *
 * <p>It accepts IDs of one time until the word moves to a later time, and none of an earlier time after that. So the
 * generator must not repeat an ID within a millisecond, even if its clock was set back to that millisecond. IDs of
 * earlier times do no harm.
 *
 * <p>Thread-safe.
 */
public final class Guard extends GrantInUse {
    /** Time and node ID, since 1970: it lasts until 2109. */
    public static final SnowcastLayout LAYOUT = new SnowcastLayout(42, 16, 0);

    /** The decision about an ID. */
    public enum Verdict {
        /** It may be used. */
        LET_OUT,
        /** Its time is before that of an accepted ID: it may have been used already. */
        TOO_EARLY,
        /** The grant is no longer in use. */
        SEALED
    }

    public Guard(String name, Terms terms, Clock clock, Counts counts, Renewer renewer) {
        super("node lease " + name, LAYOUT, 0, terms, clock, counts, renewer);
    }

    /** Returns whether an ID has the same time as the last accepted one, as most have. */
    public boolean isAtLast(long millis) {
        return millis == word.get(AT) && millis > slotBefore;
    }

    /** Decides about an ID by its time; waits if the lease must be renewed for it. */
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
            if (!mayIssue(millis)) {
                awaitCeiling(millis);
            } else if (word.compareAndSet(AT, last, millis)) {
                return Verdict.LET_OUT;
            }
        }
    }

    private void awaitCeiling(long millis) throws InterruptedException {
        if (isAtEndOfTime(millis)) {
            throw usedUp(wallMillis());
        }
        awaitCeiling(() -> !mayIssue(millis), () -> "the generator made an ID of " + instant(millis) + ", but ");
    }

    /**
     * Waits for a while because an ID was too early; fails if that has lasted too long.
     *
     * @param sinceNanos when the first ID of a call was too early
     */
    public void awaitLaterThan(long millis, long sinceNanos) throws InterruptedException {
        long nanos = clock.nanos();
        if (nanos - sinceNanos >= MAX_LEASE_WAIT.toNanos()) {
            throw new SnowcastStateException(subject + ": the generator for node ID " + logicalNodeId
                    + " makes IDs of " + instant(millis) + ", and may do so from " + instant(firstMillis())
                    + " on only: earlier ones may exist already. Its clock is behind, or the function that returns the time of"
                    + " an ID is wrong (this clock shows " + instant(wallMillis()) + "; the call has waited "
                    + MAX_LEASE_WAIT + ")");
        }
        long untilNanos = nanos + pauseNanos(sinceNanos);
        await(() -> isSealed() ? 0 : untilNanos - clock.nanos());
    }

    /**
     * Returns whether a time is so far ahead of this process's clock that its generator must have read a wrong clock.
     */
    public boolean isAhead(long millis) {
        return millis - wallMillis() >= CLOCK_PROBLEM_MILLIS;
    }

    /** Returns the earliest time that is acceptable from now on. */
    private long firstMillis() {
        return Math.max(lastSlot(), slotBefore + 1);
    }

    /** Returns the earliest time that is ever acceptable. */
    public long validFromMillis() {
        return slotBefore + 1;
    }
}
