// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import org.jspecify.annotations.Nullable;

/**
 * The wait of a member that is isolated or behind, as {@link Electorate} defines these words. Immutable.
 *
 * <p>Each pause of this member moves both times forward, because pauses do not count.
 *
 * @param since when the wait began
 * @param silentSince the last time at which an absent member was reached, or a member was removed; before that, when
 *     the wait began
 * @param hasReachedAbsent whether an absent member was reached during the wait, so that there is another cluster
 */
record WaitForOthers(Moment since, Moment silentSince, boolean hasReachedAbsent) {
    private static final long SILENCE_MILLIS = 3_000;

    static WaitForOthers beginningAt(Moment now) {
        return new WaitForOthers(now, now, false);
    }

    WaitForOthers reachedAt(Moment now) {
        return new WaitForOthers(since, now, true);
    }

    /**
     * Returns the wait after a member was removed. Until then, that member may have confirmed an absent one that has
     * just resumed, so the absent one must have the time to answer.
     */
    WaitForOthers removedAt(Moment now) {
        return new WaitForOthers(since, now, hasReachedAbsent);
    }

    /**
     * Returns the wait after a pause of this member; null if it begins again. It begins again if there is another
     * cluster: the pause may have interrupted Hazelcast's search for that cluster, which needs its whole time.
     */
    @Nullable
    WaitForOthers afterPause(Moment began, Moment ended) {
        return hasReachedAbsent
                ? null
                : new WaitForOthers(since.movedBy(began, ended), silentSince.movedBy(began, ended), false);
    }

    /** Returns whether the absent members have been silent for three seconds. */
    boolean isSilentAt(Moment now) {
        return silentSince.millisUntil(now) > SILENCE_MILLIS;
    }
}
