// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import org.jspecify.annotations.Nullable;

/**
 * The wait of a member that is isolated or behind, as {@link Electorate} defines these words. Immutable.
 *
 * @param since when the wait began; each pause of this member moves it forward, because pauses do not count
 * @param silentSince the last time at which an absent member was reached; before that, when the wait began
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
     * Returns the wait after a pause of this member; null if it begins again. It begins again if there is another
     * cluster: the pause may have interrupted Hazelcast's search for that cluster, which needs its whole time.
     */
    @Nullable
    WaitForOthers afterPause(Moment began, Moment ended) {
        return hasReachedAbsent ? null : new WaitForOthers(since.movedBy(began, ended), silentSince, false);
    }

    /** Returns whether no absent member was reached for three seconds. */
    boolean isSilentAt(Moment now) {
        return silentSince.millisUntil(now) > SILENCE_MILLIS;
    }
}
