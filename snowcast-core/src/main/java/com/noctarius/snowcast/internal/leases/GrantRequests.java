// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.leases.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds the requests of one holder to its {@link Source}, and sends its attach requests. Thread-safe, except that
 * {@link #attach} must be called under the lock of the holder's transitions.
 */
final class GrantRequests {
    /** If the wall clock is at least this far behind the time of a request, it was set back after the request. */
    private static final long STEP_MILLIS = 1_000;

    /** A refused request is repeated only if the steady clock differs from the request's time by at least this much. */
    private static final long MIN_DIFFERENCE_MILLIS = 50;

    /** Kind and name of the holder, which begin exception messages; {@link #subjectInLog} begins log messages. */
    final String subject;

    final String subjectInLog;
    final String name;
    final Definition definition;
    final Source source;
    final Counts counts = new Counts();
    final Clock clock;
    private final SteadyClock steadyClock;
    private final long leaseMillis;
    /** Guarded by the caller's lock. */
    private long requestNumber;

    /** The cluster, database or configuration from which holders request node IDs. Thread-safe. */
    interface Source {
        /**
         * Requests a grant for a holder; blocks. Returns null if the requested incarnation was destroyed, even if it
         * was destroyed after a grant for an earlier copy of this request.
         */
        @Nullable
        Grant attach(AttachRequest request);

        /** Releases node IDs; blocks. */
        void detach(Collection<DetachRequest> requests);

        /** Returns a number for a name, such as its partition. Renewals of names with equal numbers share batches. */
        default int partitionOf(String name) {
            return 0;
        }

        /** Returns an ID for a new holder; the second half of the ID is random. */
        default UUID newHolder() {
            return UUID.randomUUID();
        }

        default Coordinator.GrantObserver observer() {
            return Coordinator.GrantObserver.NONE;
        }
    }

    interface Beginner {
        /** See {@link GrantHolder#begin}. */
        GrantInUse begin(GrantInUse.Terms terms, long randomSalt);
    }

    GrantRequests(
            String name,
            Definition definition,
            @Nullable Duration lease,
            Source source,
            Clock clock,
            SteadyClock steadyClock) {
        this.name = name;
        this.definition = definition;
        this.subject = definition.called(name);
        this.subjectInLog = Character.toUpperCase(subject.charAt(0)) + subject.substring(1);
        this.source = source;
        this.clock = clock;
        this.steadyClock = steadyClock;
        this.leaseMillis = lease == null ? 0 : lease.toMillis();
    }

    /** Returns whether this process's clock is beyond the end of the layout's time. */
    boolean isTimeUsedUp() {
        return definition.isUsedUp(clock.medianMillis());
    }

    void requireTimeLeft() {
        definition.requireTimeLeft(name, clock.medianMillis());
    }

    /**
     * Sends an attach request of a holder and begins to use the grant; blocks. Returns null if {@link Source#attach}
     * does.
     *
     * @param former the holder's former grant, which is sealed, and above whose slots the next grant starts; null if
     *     there was none: then the request creates the sequencer or node lease if it does not exist
     */
    @Nullable
    HeldGrant attach(UUID holder, @Nullable HeldGrant former, Beginner beginner) {
        long wallMillis = clock.medianMillis();
        try {
            return attachAt(wallMillis, holder, former, beginner);
        } catch (SnowcastUnavailableException e) {
            throw e; // A temporary failure: do not repeat the request here. The next catch is for the superclass.
        } catch (SnowcastIllegalStateException refusal) {
            // Repeat a refused request once with the time of the steady clock, if that differs. The time of the request
            // may have been wrong, or old because the request had to wait, for example for a backup.
            long steadyMillis = steadyClock.millis();
            if (Math.abs(steadyMillis - wallMillis) >= MIN_DIFFERENCE_MILLIS) {
                try {
                    return attachAt(steadyMillis, holder, former, beginner);
                } catch (SnowcastIllegalStateException e) {
                    refusal.addSuppressed(e);
                }
            }
            throw refusal;
        }
    }

    private @Nullable HeldGrant attachAt(long nowMillis, UUID holder, @Nullable HeldGrant former, Beginner beginner) {
        definition.requireTime(name, nowMillis);
        long lastSlot = former == null ? 0 : former.inUse().lastSlot();
        AttachRequest request = new AttachRequest(
                name,
                definition,
                former == null ? 0 : former.grant().incarnation(),
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
                holder.getLeastSignificantBits() + requestNumber);
        inUse.grantedFrom(Math.max(grant.ceiling() - grant.leaseMillis(), definition.idTime(nowMillis)));
        return new HeldGrant(grant, inUse);
    }

    /**
     * Returns the last slot of a slot's millisecond, above which the next grant starts: with a lower node ID, an ID of
     * the same millisecond would be a lower number.
     */
    private long endOfMillisecond(long slot) {
        return slot == 0 ? 0 : slot | (definition.layout().idsPerMillisecond() - 1);
    }

    /**
     * Returns the slot after which IDs begin, or 0 for no limit. They begin at the time of the request if the wall
     * clock was set back since; those of a node lease always do, because the generator may use any clock.
     */
    private long slotBefore(long millis) {
        boolean isSetBack = millis - clock.millis() >= STEP_MILLIS;
        return isSetBack || definition.isNodeLease()
                ? (definition.idTime(millis) << definition.layout().counterBits()) - 1
                : 0;
    }

    RenewRequest renew(HeldGrant held) {
        Grant grant = held.grant();
        return new RenewRequest(
                name,
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                held.inUse().ceiling(),
                held.inUse().idTimeMillis(),
                leaseMillis);
    }

    /** Seals a grant; returns the request that releases it. */
    DetachRequest seal(HeldGrant held) {
        Grant grant = held.grant();
        long lastIdTime = held.inUse().millisOf(held.inUse().seal());
        DetachRequest release = new DetachRequest(name, grant.logicalNodeId(), grant.token(), lastIdTime);
        source.observer().ended(grant.token().holder(), release);
        return release;
    }
}
