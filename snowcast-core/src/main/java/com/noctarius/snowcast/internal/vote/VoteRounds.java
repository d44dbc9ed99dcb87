// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides when this member asks all other data members for their votes. Thread-safe. */
public final class VoteRounds {
    /**
     * The regular interval of the rounds. An answer to every fourth request is enough, because a confirmation counts
     * for {@link Electorate#MAX_AGE_MILLIS}.
     */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * The shortest interval of requests to a member. While an answer is urgent, the interval of the rounds begins here,
     * or at twice this value, and doubles up to {@link #PERIOD_NANOS}.
     */
    public static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private @Nullable Asked last;
    private long urgentPeriodNanos;

    /**
     * Begins a round if one is due: when the list of members has changed, and every two seconds. Returns whether it has
     * begun a round.
     *
     * @param isUrgent whether the next round must not wait for two seconds, for example because this member is not
     *     confirmed. If true, the next round is due 20 or 40 ms after the last one; the interval doubles with each
     *     urgent round, up to two seconds
     */
    public synchronized boolean beginIfDue(Asked now, boolean isUrgent) {
        Asked before = last;
        boolean hasSameList = before != null && before.listHash() == now.listHash();
        if (!isUrgent || !hasSameList) {
            urgentPeriodNanos = MIN_PERIOD_NANOS;
        }
        long periodNanos = isUrgent ? urgentPeriodNanos : PERIOD_NANOS;
        if (before != null && hasSameList && now.at().nanos() - before.at().nanos() < periodNanos) {
            return false;
        }
        last = now;
        urgentPeriodNanos = Math.min(2 * urgentPeriodNanos, PERIOD_NANOS);
        return true;
    }
}
