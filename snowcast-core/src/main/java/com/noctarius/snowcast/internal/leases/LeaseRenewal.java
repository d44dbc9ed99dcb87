// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The next renewal of a lease: the request, and when it is due.
 *
 * @param dueInMillis the time until half of the lease is used, by the time of IDs or by the monotonic clock; shorter if
 *     the grant lacks time; zero or negative if it is due. {@link #NEVER_MILLIS} if the lease lasts to the end of the
 *     layout's time
 */
record LeaseRenewal(GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
    /** Longer than any lease. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    /** The minimum interval while a grant lacks time, because with a wrong clock it may lack time for long. */
    private static final long LACKING_PAUSE_MILLIS = 1_000;

    /** Returns the next renewal of a holder; null if it has no grant in use. */
    static @Nullable LeaseRenewal of(GrantHolder holder) {
        HolderState.HeldGrant held = holder.state().unsealed();
        if (held == null) {
            return null;
        }
        RenewRequest request = holder.requests.renew(held);
        if (request.definition().isEndOfTime(request.ceiling())) {
            return new LeaseRenewal(holder, held, request, NEVER_MILLIS);
        }
        long halfMillis = held.grant().leaseMillis() / 2;
        long byIdTime = request.ceiling() - halfMillis - request.holderNow();
        // By ID time alone, a holder whose clock is behind would ask too late: the owner uses cluster time.
        long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
        long byAge = maxAge - held.inUse().leaseAgeMillis();
        return new LeaseRenewal(holder, held, request, Math.min(byIdTime, byAge));
    }

    /** Returns whether a quarter of the lease is used, so that it may join a batch of due renewals. */
    boolean isSoon() {
        return dueInMillis <= held.grant().leaseMillis() / 4;
    }
}
