// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.ExtendRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The next extension of a grant in use: what to ask for, and when.
 *
 * @param dueInMillis when half of the lease is used, by the time of IDs or by the monotonic clock, and soon if the
 *     grant lacks time; not positive from then on. {@link #NEVER_MILLIS} if the lease reaches to the end of the
 *     layout's time
 */
record LeaseExtension(GrantHolder holder, HolderState.HeldGrant held, ExtendRequest request, long dueInMillis) {
    /** Longer than any lease. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    /** A clock that is wrong lacks time for as long: its process does not ask more often. */
    private static final long LACKING_PAUSE_MILLIS = 1_000;

    /** Returns the next extension of a holder; null if it has no grant in use. */
    static @Nullable LeaseExtension of(GrantHolder holder) {
        HolderState.HeldGrant held = holder.state().unsealed();
        if (held == null) {
            return null;
        }
        ExtendRequest request = holder.requests.extend(held);
        if (request.definition().isEndOfTime(request.ceiling())) {
            return new LeaseExtension(holder, held, request, NEVER_MILLIS);
        }
        long halfMillis = held.grant().leaseMillis() / 2;
        long byIdTime = request.ceiling() - halfMillis - request.holderNow();
        // A holder whose clock is behind would ask too late: the owner goes by cluster time.
        long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
        long byAge = maxAge - held.inUse().leaseAgeMillis();
        return new LeaseExtension(holder, held, request, Math.min(byIdTime, byAge));
    }

    /** Whether a quarter of the lease is used, so that it may go along with others that are due. */
    boolean isSoon() {
        return dueInMillis <= held.grant().leaseMillis() / 4;
    }
}
