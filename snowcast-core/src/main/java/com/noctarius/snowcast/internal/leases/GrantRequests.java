// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds the requests of one holder to its {@link GrantSource}, and sends its attach requests. Thread-safe, except that
 * {@link #attach} and {@link #startAbove} must be called under the lock of the holder's transitions.
 */
final class GrantRequests {
    /**
     * If the wall clock is at least this far behind the time of a request, the wall clock counts as set back after the
     * request.
     */
    private static final long STEP_MILLIS = 1_000;

    /** A refused request is repeated only if the steady clock differs from the request's time by at least this much. */
    private static final long MIN_DIFFERENCE_MILLIS = 50;

    /** Kind and name of the holder, which begin exception messages; {@link #subjectInLog} begins log messages. */
    final String subject;

    final String subjectInLog;
    final String name;
    final Definition definition;
    private final Beginner beginner;
    final GrantSource source;
    final Counts counts = new Counts();
    final Clock clock;
    private final SteadyClock steadyClock;
    private final long leaseMillis;
    private final UUID holder;
    /** Negative until it is computed. Racy on purpose: all threads compute the same value. */
    private volatile int partitionId = -1;
    /** Guarded by the caller's lock. */
    private long requestNumber;
    /**
     * The last {@linkplain GrantInUse slot} of the former grant; the next grant starts above this slot. Guarded by the
     * caller's lock.
     */
    private long lastSlot;

    /** Makes the object that issues or accepts IDs under a new grant. */
    interface Beginner {
        GrantInUse begin(GrantInUse.Terms terms, long randomSalt, Counts counts, Renewer renewer);
    }

    GrantRequests(
            String name,
            Definition definition,
            @Nullable Duration lease,
            Beginner beginner,
            GrantSource source,
            Clock clock,
            SteadyClock steadyClock) {
        this.name = name;
        this.definition = definition;
        this.subject = definition.called(name);
        this.subjectInLog = Character.toUpperCase(subject.charAt(0)) + subject.substring(1);
        this.beginner = beginner;
        this.source = source;
        this.clock = clock;
        this.steadyClock = steadyClock;
        this.holder = source.newHolder();
        this.leaseMillis = lease == null ? 0 : lease.toMillis();
    }

    /** Returns whether this process's clock is beyond the end of the layout's time, so that an attach usually fails. */
    boolean isTimeUsedUp() {
        return definition.isUsedUp(clock.medianMillis());
    }

    void requireTimeLeft() {
        definition.requireTimeLeft(name, clock.medianMillis());
    }

    int partitionId() {
        int known = partitionId;
        if (known < 0) {
            known = source.partitionOf(name);
            partitionId = known;
        }
        return known;
    }

    /**
     * Sends an attach request and begins to use the grant; blocks. With incarnation 0, the request creates the
     * sequencer or node lease if it does not exist. Returns null if {@link GrantSource#attach} does. Throws without a
     * request if the wall clock is before the epoch, or if neither the wall clock nor the steady clock shows a time
     * that an ID can have.
     */
    @Nullable
    HeldGrant attach(long incarnation, Renewer renewer) {
        long wallMillis = clock.medianMillis();
        try {
            return attachAt(wallMillis, incarnation, renewer);
        } catch (SnowcastUnavailableException e) {
            throw e; // A temporary failure: do not repeat the request here. The next catch is for the superclass.
        } catch (SnowcastIllegalStateException e) {
            return attachAgain(wallMillis, incarnation, renewer, e);
        }
    }

    /**
     * Repeats a refused request once with the time of the steady clock, if the two times differ by
     * {@link #MIN_DIFFERENCE_MILLIS} or more. The time of the request may have been wrong, or old because the request
     * had to wait, for example for a backup.
     */
    private @Nullable HeldGrant attachAgain(
            long refusedMillis, long incarnation, Renewer renewer, SnowcastIllegalStateException refusal) {
        long steadyMillis = steadyClock.millis();
        if (Math.abs(steadyMillis - refusedMillis) < MIN_DIFFERENCE_MILLIS) {
            throw refusal;
        }
        try {
            return attachAt(steadyMillis, incarnation, renewer);
        } catch (SnowcastIllegalStateException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private @Nullable HeldGrant attachAt(long nowMillis, long incarnation, Renewer renewer) {
        definition.requireTime(name, nowMillis);
        AttachRequest request = new AttachRequest(
                name,
                definition,
                incarnation,
                holder,
                ++requestNumber,
                nowMillis,
                leaseMillis,
                lastSlot >> definition.layout().counterBits());
        Grant grant = source.attach(request);
        if (grant == null) {
            return null;
        }
        source.observer().granted(request, grant);
        GrantInUse inUse = beginner.begin(
                new GrantInUse.Terms(
                        grant.logicalNodeId(),
                        grant.floor(),
                        grant.ceiling(),
                        Math.max(endOfMillisecond(lastSlot), slotBefore(nowMillis))),
                holder.getLeastSignificantBits() + requestNumber,
                counts,
                renewer);
        inUse.grantedFrom(Math.max(grant.ceiling() - grant.leaseMillis(), definition.idTime(nowMillis)));
        return new HeldGrant(grant, inUse);
    }

    /**
     * Returns the last slot of a slot's millisecond. The next grant starts above the returned slot. The reason is that
     * the next grant may have a lower node ID: an ID of the same millisecond would then be a lower number.
     */
    private long endOfMillisecond(long slot) {
        return slot == 0 ? 0 : slot | (definition.layout().idsPerMillisecond() - 1);
    }

    /**
     * Returns the slot after which IDs begin, or 0 for no limit. IDs begin at the time of the request if the wall clock
     * was set back since the request. The IDs of a node lease never begin before that time, because the generator may
     * use any clock.
     */
    private long slotBefore(long millis) {
        boolean isSetBack = millis - clock.millis() >= STEP_MILLIS;
        return isSetBack || definition.isNodeLease()
                ? (definition.idTime(millis) << definition.layout().counterBits()) - 1
                : 0;
    }

    /**
     * Records the last slot of a sealed grant, above which the next grant starts. That slot is the highest of all
     * grants so far, because each grant starts above the last slot of the grant before.
     */
    void startAbove(HeldGrant sealed) {
        lastSlot = sealed.inUse().lastSlot();
    }

    RenewRequest renew(HeldGrant held) {
        Grant grant = held.grant();
        return new RenewRequest(
                name,
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                held.inUse().ceilingMillis(),
                held.inUse().idTimeMillis(),
                leaseMillis);
    }

    /** Seals a grant, so that no more IDs are issued under it; returns the request that releases it. */
    DetachRequest seal(HeldGrant held) {
        Grant grant = held.grant();
        long lastMillis = held.inUse().millisOf(held.inUse().seal());
        DetachRequest release = new DetachRequest(name, grant.logicalNodeId(), grant.token(), lastMillis);
        source.observer().ended(holder, release);
        return release;
    }
}
