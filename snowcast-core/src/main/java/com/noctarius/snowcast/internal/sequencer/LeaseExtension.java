// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.internal.table.ExtendRequest;
import java.util.concurrent.TimeUnit;

/**
 * The next extension of a grant in use: when it is due, what to ask for, and what the answer does. An answer that comes
 * after the grant has ended does nothing.
 *
 * @param dueInMillis when half of the lease is used, by the time of IDs or by the monotonic clock; not positive from then
 *     on. {@link #NEVER_MILLIS} if the lease reaches to the end of the layout's time
 */
record LeaseExtension(GrantHolder holder, Phase.Held held, ExtendRequest request, long dueInMillis) {
    /** Longer than any lease. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    static LeaseExtension of(GrantHolder holder, Phase.Held held) {
        ExtendRequest request = holder.requests.extend(held);
        if (request.definition().isEndOfTime(request.ceiling())) {
            return new LeaseExtension(holder, held, request, NEVER_MILLIS);
        }
        long halfMillis = held.grant().leaseMillis() / 2;
        long byIdTime = request.ceiling() - halfMillis - request.holderNow();
        // A holder whose clock is behind would ask too late: the owner goes by cluster time.
        long byAge = halfMillis - held.attachment().leaseAgeMillis();
        return new LeaseExtension(holder, held, request, Math.min(byIdTime, byAge));
    }

    /** Whether a quarter of the lease is used, so that it may go along with others that are due. */
    boolean isSoon() {
        return dueInMillis <= held.grant().leaseMillis() / 4;
    }

    /** Returns when to look at it again: also if the clock is wrong, before half of the lease has passed. */
    long checkInMillis() {
        return Math.min(Math.max(dueInMillis, 0), held.grant().leaseMillis() / 2);
    }

    /** The cluster has answered with a ceiling; IDs go on up to it, if the lease is longer than it was. */
    void succeeded(long ceiling) {
        if (ceiling <= request.ceiling()) {
            failed(
                    "the lease cannot be longer yet: it ends further ahead of cluster time than a lease and the allowed clock"
                            + " skew reach");
        } else if (isInUse()) {
            holder.requests.coordinator.observer().extended(request, ceiling);
            held.attachment().extend(ceiling);
            held.attachment().grantedFrom(Math.max(ceiling - held.grant().leaseMillis(), request.holderNow()));
            holder.extensions.incrementAndGet();
        }
    }

    /** The cluster cannot be asked, or cannot answer, since when and why the reason says. */
    void failed(String reason) {
        if (isInUse()) {
            held.attachment().extensionFailed(reason);
            holder.extensionFailures.incrementAndGet();
        }
    }

    /** The cluster does not know the grant any more. */
    void refused() {
        Phase now = holder.phase();
        if (held.equals(now.held)) {
            holder.fence(now, "it is no longer granted to this holder");
        }
    }

    private boolean isInUse() {
        return held.equals(holder.phase().inUse());
    }
}
