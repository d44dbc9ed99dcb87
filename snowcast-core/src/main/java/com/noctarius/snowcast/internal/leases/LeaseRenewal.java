// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The next renewal of a holder's lease: the request, and when it is due.
 *
 * @param dueInMillis the milliseconds until half of the lease is used, by ID time or by the monotonic clock; less if
 *     the grant lacks time; zero or negative if the renewal is due; {@link #NEVER_MILLIS} if the lease ends with the
 *     layout's time
 */
record LeaseRenewal(GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
    /** Longer than any lease. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    /**
     * The interval between renewals of a grant that lacks time. With a wrong clock, a grant may lack time for a long
     * while.
     */
    private static final long LACKING_PAUSE_MILLIS = 1_000;

    /** Returns the next renewal of a holder; null if it has no unsealed grant. */
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
        // By ID time alone, a holder whose clock is behind would renew too late, because the owner uses cluster time.
        long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
        long byAge = maxAge - held.inUse().leaseAgeMillis();
        return new LeaseRenewal(holder, held, request, Math.min(byIdTime, byAge));
    }

    /** Returns whether the renewal is due within a quarter of the lease: it may then join a batch of due renewals. */
    boolean isSoon() {
        return dueInMillis <= held.grant().leaseMillis() / 4;
    }
}
