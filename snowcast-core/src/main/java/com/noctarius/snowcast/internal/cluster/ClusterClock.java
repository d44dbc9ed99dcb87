// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.base.SteadyClock.Halver;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Cluster time, as one member computes it: the time that owners use for decisions. It runs with this member's monotonic
 * clock, and is kept between the lower and the upper median of the times of the data members' {@link SteadyClock}s:
 * below the lower median it jumps to it; above the upper median it runs at half rate until the upper median has caught
 * up. A step of a single wall clock therefore hardly moves it. A member that joins adopts the cluster time of an older
 * member; from this member's first decision until it leaves its cluster, cluster time never runs back.
 *
 * <p>As long as an owner has its data, the uniqueness of IDs does not depend on any clock: a wrong cluster time only
 * makes owners wait too long, or refuse requests. After a loss of data, cluster time decides where new grants begin.
 * Thread-safe.
 */
final class ClusterClock {
    /** The uncertainty of an estimate is the duration of its request, plus its age divided by this number. */
    private static final long AGE_PER_UNCERTAINTY = 100;

    private final Clock clock;
    private final Map<UUID, Estimate> others = new HashMap<>();

    /** Cluster time minus the monotonic clock. */
    private long offsetMillis;

    /** The lower median of the data members' steady clocks, minus this member's monotonic clock; then the upper one. */
    private long lowerMillis;

    private long upperMillis;
    private long readNanos;
    private final Halver halver = new Halver();
    private SteadyClock own;

    /** Whether this member may have decided as an owner, so that it adopts no other member's time any more. */
    private boolean isInUse;

    /** Whether this or an older member may have decided. Until then, cluster time may jump back to the upper median. */
    private boolean isFixed;

    /** How far another member's time is ahead of this member's monotonic clock. */
    private record Estimate(long offsetMillis, long tookNanos, long atNanos) {}

    /** Makes the clock of a member that has received no other member's time yet. */
    ClusterClock(Clock clock) {
        this.clock = clock;
        this.own = new SteadyClock(clock);
        startAt(clock.medianMillis());
    }

    /** Forgets the other members, because this member leaves its cluster. */
    synchronized void reset() {
        isInUse = false;
        isFixed = false;
        startAt(clock.medianMillis());
    }

    /** Starts at {@code millis}, a time of this member's clock; forgets the times of other members. */
    synchronized void startAt(long millis) {
        own = new SteadyClock(clock, millis);
        others.clear();
        readNanos = clock.nanos();
        offsetMillis = millis - toMillis(readNanos);
        readClocks();
    }

    /** Reads this member's clock and computes the medians. The service calls this several times per second. */
    synchronized void readClocks() {
        long nanos = clock.nanos();
        LongStream ofOthers = others.values().stream().mapToLong(Estimate::offsetMillis);
        long[] offsets = LongStream.concat(LongStream.of(own.millis() - toMillis(nanos)), ofOthers)
                .sorted()
                .toArray();
        lowerMillis = offsets[(offsets.length - 1) / 2];
        upperMillis = offsets[offsets.length / 2];
    }

    /** Returns cluster time, in milliseconds since 1970. */
    synchronized long millis() {
        long nanos = clock.nanos();
        long halfMillis = halver.halfOf(toMillis(nanos) - toMillis(readNanos));
        readNanos = nanos;
        if (offsetMillis < lowerMillis) {
            offsetMillis = lowerMillis;
        } else if (offsetMillis > upperMillis) {
            offsetMillis = isFixed ? Math.max(upperMillis, offsetMillis - halfMillis) : upperMillis;
        }
        return toMillis(nanos) + offsetMillis;
    }

    /** Records that this member makes decisions as an owner from now on. */
    synchronized void use() {
        isInUse = true;
        isFixed = true;
    }

    synchronized long steadyMillis() {
        return own.millis();
    }

    /**
     * Records another data member's answer to a request.
     *
     * @param isOlder whether that member was in the cluster before this one
     * @param steadyMillis the time of that member's steady clock
     * @param clusterMillis cluster time as that member computed it
     * @param askedNanos when this member sent the request, by its monotonic clock
     */
    synchronized void heard(UUID member, boolean isOlder, long steadyMillis, long clusterMillis, long askedNanos) {
        long nanos = clock.nanos();
        // The member answered at some moment between the request and the arrival of the answer: take the middle.
        long atMillis = toMillis(askedNanos + (nanos - askedNanos) / 2);
        Estimate estimate = new Estimate(steadyMillis - atMillis, nanos - askedNanos, nanos);
        others.merge(member, estimate, ClusterClock::moreCertain);
        readClocks();
        if (isOlder && !isInUse) {
            offsetMillis = clusterMillis - atMillis;
            isFixed = true;
        }
    }

    private static Estimate moreCertain(Estimate former, Estimate later) {
        long allowedNanos = former.tookNanos + (later.atNanos - former.atNanos) / AGE_PER_UNCERTAINTY;
        return later.tookNanos <= allowedNanos ? later : former;
    }

    synchronized void retain(Set<UUID> listed) {
        if (others.keySet().retainAll(listed)) {
            readClocks();
        }
    }

    private static long toMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
