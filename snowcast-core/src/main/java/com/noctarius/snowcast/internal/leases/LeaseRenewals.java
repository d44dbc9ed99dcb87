// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases, usually when half of the lease is used. Sends renewals in batches, with at most one pending batch per
 * partition and backup count.
 *
 * <p>A batch also includes renewals that are due within the next quarter of their lease, so that the holders of a
 * partition are soon renewed together. Unless renewals are urgent, a holder is renewed at most four times per lease.
 *
 * <p>Thread-safe. The thread that receives a reply handles it, without blocking.
 */
final class LeaseRenewals {
    /** Limits how long a batch occupies a partition's thread. */
    private static final int MAX_BATCH = 200;

    private final GrantHolder.Keeper keeper;
    private final Coordinator coordinator;
    private final Clock clock;
    private final Log log;
    private final Set<Destination> underWay = ConcurrentHashMap.newKeySet();
    /** When the renewals of each destination began to fail; a destination has no entry while its renewals succeed. */
    private final Map<Destination, Instant> failingSince = new ConcurrentHashMap<>();

    /** Renewals share a batch if their names have the same partition and the same backup count. */
    private record Destination(int partitionId, int backupCount) {}

    LeaseRenewals(GrantHolder.Keeper keeper, Coordinator coordinator, Clock clock, Log log) {
        this.keeper = keeper;
        this.coordinator = coordinator;
        this.clock = clock;
        this.log = log;
    }

    /**
     * A renewal that is due within a quarter of its lease, so that it may join a batch of due renewals.
     *
     * @param dueInMillis in how many milliseconds the renewal is due; zero or negative if it is due now. It is due when
     *     half of the lease has passed in ID time or by the monotonic clock, and earlier if it is urgent: a call waits
     *     for it, or the wall clock shows a time beyond the lease
     */
    private record LeaseRenewal(
            GrantHolder holder, HolderState.HeldGrant held, RenewRequest request, long dueInMillis) {
        /** The interval of urgent renewals: with a wrong clock, renewals may be urgent for a long time. */
        private static final long LACKING_PAUSE_MILLIS = 1_000;

        /** Returns the next renewal of a holder; null if it is not due soon, or not possible. */
        static @Nullable LeaseRenewal soon(GrantHolder holder) {
            HolderState.HeldGrant held = holder.state().unsealed();
            if (held == null
                    || holder.requests.definition.isEndOfTime(held.inUse().ceiling())) {
                return null;
            }
            long leaseMillis = held.grant().leaseMillis();
            long halfMillis = leaseMillis / 2;
            long byIdTime = held.inUse().ceiling() - halfMillis - held.inUse().idTimeMillis();
            // By ID time alone, a holder whose clock is behind would renew too late for the owner.
            long maxAge = held.inUse().lacksTime() ? Math.min(halfMillis, LACKING_PAUSE_MILLIS) : halfMillis;
            long dueInMillis = Math.min(byIdTime, maxAge - held.inUse().leaseAgeMillis());
            return dueInMillis <= leaseMillis / 4
                    ? new LeaseRenewal(holder, held, holder.requests.renew(held), dueInMillis)
                    : null;
        }
    }

    /** Sends the renewals that are due, and those that may join them. */
    void renew(List<GrantHolder> holders) {
        Map<Destination, List<LeaseRenewal>> soonByDestination = new HashMap<>();
        for (GrantHolder holder : holders) {
            LeaseRenewal renewal = LeaseRenewal.soon(holder);
            if (renewal != null) {
                soonByDestination
                        .computeIfAbsent(destinationOf(renewal.request()), unused -> new ArrayList<>())
                        .add(renewal);
            }
        }
        soonByDestination.values().removeIf(soon -> soon.stream().noneMatch(renewal -> renewal.dueInMillis() <= 0));
        failingSince
                .keySet()
                .removeIf(
                        destination -> !soonByDestination.containsKey(destination) && !underWay.contains(destination));
        soonByDestination.forEach((destination, soon) -> {
            // A batch may be too small for all: the renewals that have been due longest come first.
            soon.sort(Comparator.comparing(LeaseRenewal::dueInMillis));
            send(destination, soon);
        });
    }

    private Destination destinationOf(RenewRequest request) {
        return new Destination(
                coordinator.partitionOf(request.name()), request.definition().backupCount());
    }

    private void send(Destination destination, List<LeaseRenewal> due) {
        List<LeaseRenewal> batch = List.copyOf(due.subList(0, Math.min(due.size(), MAX_BATCH)));
        List<RenewRequest> asked = batch.stream().map(LeaseRenewal::request).toList();
        long sentNanos = clock.nanos();
        // After this add, each failure must remove the destination; otherwise its leases would never be renewed again.
        if (!underWay.add(destination)) {
            return;
        }
        CompletionStage<?> unused = replies(asked).whenComplete((replies, failure) -> {
            underWay.remove(destination);
            if (failure != null) {
                failed(destination, batch, sentNanos, failure);
            } else {
                renewed(destination, batch, sentNanos, replies);
            }
            // Renew the rest even after a failure, because the next check would begin with the failed batch again.
            if (due.size() > MAX_BATCH) {
                send(destination, due.subList(MAX_BATCH, due.size()));
            }
        });
    }

    private CompletionStage<List<@Nullable RenewReply>> replies(List<RenewRequest> asked) {
        try {
            return coordinator.renew(asked);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void renewed(
            Destination destination, List<LeaseRenewal> batch, long sentNanos, List<@Nullable RenewReply> replies) {
        boolean isWhole = replies.stream().allMatch(Objects::nonNull);
        if (isWhole && failingSince.remove(destination) != null && failingSince.isEmpty()) {
            log.warning("Leases are renewed again", null);
        }
        for (int i = 0; i < batch.size(); i++) {
            LeaseRenewal renewal = batch.get(i);
            RenewReply reply = replies.get(i);
            if (reply == null) {
                failed(
                        destination,
                        List.of(renewal),
                        sentNanos,
                        notRenewed(renewal.request().name()));
                continue;
            }
            switch (reply.outcome()) {
                case RENEWED -> renewal.holder().renewed(renewal.held(), renewal.request(), reply.ceiling());
                case REFUSED -> renewal.holder().renewalRefused(renewal.held());
                case DESTROYED ->
                    keeper.destroyUpTo(
                            renewal.request().name(), renewal.request().incarnation());
            }
        }
    }

    private static SnowcastUnavailableException notRenewed(String name) {
        return new SnowcastUnavailableException(
                name + " was not renewed with the other leases: another transaction locks its rows, or the database"
                        + " is slow",
                null);
    }

    private void failed(Destination destination, List<LeaseRenewal> batch, long sentNanos, Throwable failure) {
        long sentMillis = clock.medianMillis() - TimeUnit.NANOSECONDS.toMillis(clock.nanos() - sentNanos);
        boolean isFirst = failingSince.isEmpty();
        Instant since = failingSince.computeIfAbsent(destination, unused -> Instant.ofEpochMilli(sentMillis));
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String why = LeaseHistory.reason(cause);
        if (isFirst) {
            // The message of an exception of snowcast is enough, so the stack trace is not logged.
            log.warning(
                    "Leases are not renewed; IDs continue until the leases end, the first at " + firstEnd(batch) + ": "
                            + why,
                    cause instanceof SnowcastException ? null : cause);
        }
        String reason = "renewals fail since " + since + ": " + why;
        batch.forEach(renewal -> renewal.holder().renewalFailed(renewal.held(), reason));
    }

    private static Instant firstEnd(List<LeaseRenewal> batch) {
        return Instant.ofEpochMilli(batch.stream()
                .map(LeaseRenewal::request)
                .mapToLong(request -> request.definition().epochOffset() + request.ceiling())
                .min()
                .orElseThrow());
    }
}
