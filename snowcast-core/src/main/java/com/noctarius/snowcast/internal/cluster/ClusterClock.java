// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.base.SteadyClock.HalfRate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Cluster time, as one member computes it: the time by which owners decide. It never runs back, and no step of one
 * member's wall clock moves it.
 *
 * <ul>
 *   <li>It runs with this member's monotonic clock.
 *   <li>Each member sends the others the time of its {@link SteadyClock}. At least half of these times are at or above
 *       the lower median, and at least half at or below the upper one. Cluster time is kept between the two medians:
 *       below, it jumps to the lower one; above, it runs at half of the rate of the monotonic clock until it is there.
 *       With three members or more, a single wrong clock is never a median.
 *   <li>Two members whose clocks differ, or one whose clock has stepped, give it no reason to move: it goes by the
 *       monotonic clock alone, for as long as they differ.
 *   <li>A member that joins takes over the cluster time of an older member, before it first decides as an owner.
 * </ul>
 *
 * <p>As long as an owner has its data, whether an ID is unique depends on no clock: a wrong cluster time makes owners
 * wait too long, or refuse. After a loss of data, owners begin above cluster time.
 *
 * <p>Thread-safe.
 */
final class ClusterClock {
    /** The estimate of another member's time is as uncertain as its answer was slow, and slowly more so with age. */
    private static final long AGE_PER_UNCERTAINTY = 100;

    private final Clock clock;
    private final Map<UUID, Estimate> others = new HashMap<>();

    /** Cluster time less the monotonic clock. */
    private long offsetMillis;

    /** The lower and the upper median of what all members' times are ahead of the monotonic clock. */
    private long lowerMillis;

    private long upperMillis;
    private long readNanos;
    private final HalfRate halfRate = new HalfRate();
    private SteadyClock own;

    /** Whether this member may have decided by this time, as an owner. */
    private boolean isInUse;

    /** Whether this or an older member may have: from then on cluster time never runs back. */
    private boolean isFixed;

    /** By how much another member's time is ahead of this member's monotonic clock. */
    private record Estimate(long offsetMillis, long tookNanos, long atNanos) {}

    /** Makes the clock of a member that is alone so far. */
    public ClusterClock(Clock clock) {
        this.clock = clock;
        this.own = new SteadyClock(clock);
        startAt(clock.medianMillis());
    }

    /** Forgets the other members, because this member leaves its cluster. */
    public synchronized void reset() {
        isInUse = false;
        isFixed = false;
        startAt(clock.medianMillis());
    }

    /** Begins with a time that this member's clock shows, and no other member. */
    synchronized void startAt(long millis) {
        own = new SteadyClock(clock, millis);
        others.clear();
        readNanos = clock.nanos();
        offsetMillis = millis - toMillis(readNanos);
        look();
    }

    /** Reads the own clock; to be called several times per second. */
    public synchronized void look() {
        long nanos = clock.nanos();
        long[] offsets = new long[others.size() + 1];
        int count = 0;
        offsets[count++] = own.millis() - toMillis(nanos);
        for (Estimate estimate : others.values()) {
            offsets[count++] = estimate.offsetMillis;
        }
        Arrays.sort(offsets);
        lowerMillis = offsets[(count - 1) / 2];
        upperMillis = offsets[count / 2];
    }

    /** Returns cluster time, in milliseconds since 1970. */
    public synchronized long millis() {
        long nanos = clock.nanos();
        long halfMillis = halfRate.halfOf(toMillis(nanos) - toMillis(readNanos));
        readNanos = nanos;
        if (offsetMillis < lowerMillis) {
            offsetMillis = lowerMillis;
        } else if (offsetMillis > upperMillis) {
            offsetMillis = isFixed ? Math.max(upperMillis, offsetMillis - halfMillis) : upperMillis;
        }
        return toMillis(nanos) + offsetMillis;
    }

    /** Notes that this member decides as an owner from now on. */
    public synchronized void use() {
        isInUse = true;
        isFixed = true;
    }

    /** Returns what this member's own clock shows, without steps that are not confirmed yet. */
    public synchronized long steadyMillis() {
        return own.millis();
    }

    /**
     * Notes what another member has answered.
     *
     * @param isOlder whether that member was in the cluster before this one
     * @param steadyMillis what its own clock showed
     * @param clusterMillis cluster time as it computed it
     * @param askedNanos when it was asked, by this member's monotonic clock
     */
    public synchronized void heard(
            UUID member, boolean isOlder, long steadyMillis, long clusterMillis, long askedNanos) {
        long nanos = clock.nanos();
        // The answer was given somewhere between question and arrival.
        long atMillis = toMillis(askedNanos + (nanos - askedNanos) / 2);
        Estimate estimate = new Estimate(steadyMillis - atMillis, nanos - askedNanos, nanos);
        others.merge(member, estimate, ClusterClock::moreCertain);
        look();
        if (isOlder && !isInUse) {
            offsetMillis = clusterMillis - atMillis;
            isFixed = true;
        }
    }

    private static Estimate moreCertain(Estimate former, Estimate later) {
        long allowedNanos = former.tookNanos + (later.atNanos - former.atNanos) / AGE_PER_UNCERTAINTY;
        return later.tookNanos <= allowedNanos ? later : former;
    }

    /** Forgets the members that are not listed any more. */
    public synchronized void retain(Set<UUID> listed) {
        if (others.keySet().retainAll(listed)) {
            look();
        }
    }

    private static long toMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
