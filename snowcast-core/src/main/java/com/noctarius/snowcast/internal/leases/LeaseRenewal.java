// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The next renewal of a holder's lease: the request, and when it is due.
 *
 * @param dueInMillis in how many milliseconds the renewal is due; zero or negative if it is due now. A renewal is due
 *     when half of the lease has passed in ID time or by the monotonic clock. An urgent renewal is due earlier: a call
 *     waits, or the wall clock shows a time beyond the lease. {@link #NEVER_MILLIS} if the lease reaches the end of the
 *     layout's time
 */
record LeaseRenewal(GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
    /** Longer than any lease. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    /** The interval of urgent renewals. With a wrong clock, renewals may be urgent for a long time. */
    private static final long LACKING_PAUSE_MILLIS = 1_000;

    /** Returns the next renewal of a holder; null if the holder has no unsealed grant. */
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
        // By ID time alone, a holder whose clock is behind would renew too late: the owner ends leases by cluster time.
        long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
        long byAge = maxAge - held.inUse().leaseAgeMillis();
        return new LeaseRenewal(holder, held, request, Math.min(byIdTime, byAge));
    }

    /**
     * Returns whether the renewal is due within a quarter of the lease, so that it may join a batch of due renewals.
     */
    boolean isSoon() {
        return dueInMillis <= held.grant().leaseMillis() / 4;
    }
}
