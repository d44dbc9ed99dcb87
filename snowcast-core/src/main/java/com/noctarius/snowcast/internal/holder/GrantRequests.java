// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.Lease;
import com.noctarius.snowcast.internal.holder.HolderState.HeldGrant;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one holder asks of the cluster. Thread-safe, but {@link #attach} and {@link #used} are called under a lock. */
final class GrantRequests {
    /** A wall clock that is so far from the steady one has stepped. */
    private static final long STEP_MILLIS = 1_000;

    /** A request that was refused after this time may have been refused for its age. */
    private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int MAX_ATTEMPTS = 5;

    final SequencerConfig config;
    final Definition definition;
    final Coordinator coordinator;
    final Counts counts = new Counts() {
        @Override
        protected void waited(long nanos) {
            FlightEvents.waited("sequencer", config.name(), nanos);
        }
    };
    final Clock clock;
    private final SteadyClock steadyClock;
    private final long leaseMillis;
    /** By which the cluster knows the holder. */
    private final UUID holder;
    /** Negative until it was asked for. Racy on purpose: it is the same for everybody. */
    private volatile int partitionId = -1;
    /** Guarded by the caller's lock. */
    private long requestNumber;
    /** The highest slot of former attachments: the next one starts above it. Guarded by the caller's lock. */
    private long lastSlot;

    GrantRequests(
            SequencerConfig config,
            Definition definition,
            Coordinator coordinator,
            Clock clock,
            SteadyClock steadyClock) {
        this.config = config;
        this.definition = definition;
        this.coordinator = coordinator;
        this.clock = clock;
        this.steadyClock = steadyClock;
        this.holder = coordinator.newHolder();
        Duration lease = config.lease();
        this.leaseMillis = lease == null ? 0 : lease.toMillis();
    }

    int partitionId() {
        int known = partitionId;
        if (known < 0) {
            known = coordinator.partitionOf(config.name());
            partitionId = known;
        }
        return known;
    }

    /**
     * Asks for a grant in a life of the sequencer, 0 to create it if it is not there; blocks. Returns null if that life
     * was destroyed. Fails before the cluster is asked if no ID can be made at the time that the clock shows.
     */
    @Nullable
    HeldGrant attach(long incarnation, Lease lease) {
        for (int attempt = 1; ; attempt++) {
            long startNanos = clock.nanos();
            long wallMillis = clock.medianMillis();
            try {
                return attachAt(wallMillis, incarnation, lease);
            } catch (SnowcastIllegalStateException e) {
                // A request that has waited, for a backup say, names a time that is too far behind by now.
                boolean isOld = clock.nanos() - startNanos >= OLD_NANOS && !(e instanceof SnowcastUnavailableException);
                if (!isOld || attempt == MAX_ATTEMPTS) {
                    return attachBySteadyClock(wallMillis, incarnation, lease, e);
                }
            }
        }
    }

    /** Asks by the time that the wall clock showed before it stepped, if that is why the cluster has refused. */
    private @Nullable HeldGrant attachBySteadyClock(
            long wallMillis, long incarnation, Lease lease, SnowcastIllegalStateException refusal) {
        long steadyMillis = steadyClock.millis();
        if (Math.abs(steadyMillis - wallMillis) < STEP_MILLIS) {
            throw refusal;
        }
        try {
            return attachAt(steadyMillis, incarnation, lease);
        } catch (SnowcastIllegalStateException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private @Nullable HeldGrant attachAt(long nowMillis, long incarnation, Lease lease) {
        definition.requireTime(config.name(), nowMillis);
        AttachRequest request = new AttachRequest(
                config.name(),
                definition,
                incarnation,
                holder,
                ++requestNumber,
                nowMillis,
                leaseMillis,
                lastSlot >> definition.layout().counterBits());
        Grant grant = coordinator.attach(request);
        if (grant == null) {
            return null;
        }
        coordinator.observer().granted(request, grant);
        Attachment attachment = new Attachment(
                config,
                grant.logicalNodeId(),
                grant.floor(),
                grant.ceiling(),
                Math.max(endOfMillisecond(lastSlot), slotBefore(nowMillis)),
                holder.getLeastSignificantBits() + requestNumber,
                clock,
                counts,
                lease);
        attachment.grantedFrom(Math.max(grant.ceiling() - grant.leaseMillis(), definition.idTime(nowMillis)));
        return new HeldGrant(grant, attachment);
    }

    /** Another node ID begins in the next millisecond: so the order holds for the IDs as plain numbers, too. */
    private long endOfMillisecond(long slot) {
        return slot == 0 ? 0 : slot | (definition.layout().idsPerMillisecond() - 1);
    }

    /** IDs begin at the time for which the grant was asked, also if the wall clock is behind it. */
    private long slotBefore(long millis) {
        boolean isSetBack = millis - clock.millis() >= STEP_MILLIS;
        return isSetBack ? (definition.idTime(millis) << definition.layout().counterBits()) - 1 : 0;
    }

    /** Notes up to where a sealed grant was used: the next attachment starts above. */
    void used(HeldGrant sealed) {
        lastSlot = Math.max(lastSlot, sealed.attachment().lastSlot());
    }

    ExtendRequest extend(HeldGrant held) {
        Grant grant = held.grant();
        return new ExtendRequest(
                config.name(),
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                held.attachment().ceilingMillis(),
                held.attachment().idTimeMillis(),
                leaseMillis);
    }

    /** Ends the use of a grant; returns what to give back. */
    DetachRequest seal(HeldGrant held) {
        Grant grant = held.grant();
        long lastMillis = held.attachment().millisOf(held.attachment().seal());
        DetachRequest unused = new DetachRequest(config.name(), grant.logicalNodeId(), grant.token(), lastMillis);
        coordinator.observer().ended(holder, unused);
        return unused;
    }
}
