// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What all holders were granted: no two of them may have the same node ID for the same millisecond. A wrong floor or
 * ceiling is found when it arrives; the holders need not issue anything. Thread-safe.
 */
final class GrantLedger implements GrantObserver {
    private static final int MAX_TOLD = 5;

    private final Map<Scope, List<Stretch>> stretchesByScope = new HashMap<>();
    /** Of each grant of a holder, the last one with that token. */
    private final Map<GrantKey, Stretch> byGrant = new HashMap<>();

    private final Set<Conflict> conflicts = new LinkedHashSet<>();

    /** Grows while the ledger is in use. */
    private Collection<PossibleDuplicates> reported = List.of();

    private boolean isReportAwaited;

    private History history = History.none();

    /** What may be given out once only: the milliseconds of a node ID. */
    private record Scope(String name, long incarnation, int logicalNodeId, long epochOffset) {
        @Override
        public String toString() {
            return "node ID " + logicalNodeId + " of sequencer " + name + ", incarnation " + incarnation;
        }
    }

    private record GrantKey(UUID holder, String name, Token token) {}

    /** What one holder may use of a scope: {@code [from, to)}. Guarded by the ledger's monitor. */
    private static final class Stretch {
        final UUID holder;
        final String as;
        final long from;
        /**
         * From here on it may have been used: a holder whose clock is not set back issues nothing of the time before.
         */
        final long usedFrom;

        private long to;
        private boolean ended;

        Stretch(UUID holder, String as, long from, long usedFrom, long to) {
            this.holder = holder;
            this.as = as;
            this.from = from;
            this.usedFrom = usedFrom;
            this.to = to;
        }

        long to() {
            return Math.max(from, to);
        }

        void extend(long ceiling) {
            to = ended ? to : Math.max(to, ceiling);
        }

        void end(long end) {
            to = Math.min(to, end);
            ended = true;
        }

        @Override
        public String toString() {
            return "holder " + holder + " has [" + from + ", " + to() + ") by " + as;
        }
    }

    /** Two holders that had the same, with what both had when it was found. Compared by the stretches. */
    private record Conflict(Scope scope, Stretch one, Stretch other, String found) {
        /** Where what both may have used begins. */
        long from() {
            return Math.max(one.usedFrom, other.usedFrom);
        }

        long to() {
            return Math.min(one.to(), other.to());
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof Conflict that && one == that.one && other == that.other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(one) ^ System.identityHashCode(other);
        }

        @Override
        public String toString() {
            return scope + ": " + found;
        }
    }

    /** Makes the holders of a member tell this ledger. */
    void observe(Config config) {
        observe(config.getUserContext());
    }

    /** Makes the holders of a client tell this ledger. */
    void observe(ClientConfig config) {
        observe(config.getUserContext());
    }

    private void observe(Map<String, Object> userContext) {
        userContext.put(GrantObserver.KEY, this);
    }

    /** Passes on to a history what is told from now on. */
    synchronized void tell(History told) {
        history = told;
    }

    // --- what holders tell

    @Override
    public synchronized void granted(AttachRequest request, Grant grant) {
        history.granted(request, grant);
        Scope scope = new Scope(
                request.name(),
                grant.incarnation(),
                grant.logicalNodeId(),
                request.definition().epochOffset());
        // A holder begins above its own former IDs.
        long from = Math.max(grant.floor(), request.lastMillis() + 1);
        Stretch stretch = new Stretch(
                request.holder(),
                grant.token().toString(),
                from,
                Math.max(from, request.holderNowMillis() - scope.epochOffset),
                grant.ceiling());
        byGrant.put(new GrantKey(request.holder(), request.name(), grant.token()), stretch);
        add(scope, stretch);
    }

    @Override
    public synchronized void extended(ExtendRequest request, long ceiling) {
        history.extended(request, ceiling);
        Stretch stretch = byGrant.get(new GrantKey(request.holder(), request.name(), request.token()));
        Objects.requireNonNull(stretch, "extended before it was granted").extend(ceiling);
        compare(
                new Scope(
                        request.name(),
                        request.incarnation(),
                        request.logicalNodeId(),
                        request.definition().epochOffset()),
                stretch);
    }

    @Override
    public synchronized void ended(UUID holder, DetachRequest unused) {
        history.ended(holder, unused);
        Stretch stretch = byGrant.get(new GrantKey(holder, unused.name(), unused.token()));
        if (stretch != null) {
            stretch.end(unused.lastMillis() + 1);
        }
    }

    private void add(Scope scope, Stretch stretch) {
        stretchesByScope.computeIfAbsent(scope, newScope -> new ArrayList<>()).add(stretch);
        compare(scope, stretch);
    }

    private void compare(Scope scope, Stretch stretch) {
        for (Stretch other : stretchesByScope.getOrDefault(scope, List.of())) {
            if (other != stretch && Math.max(stretch.from, other.from) < Math.min(stretch.to(), other.to())) {
                conflicts.add(new Conflict(scope, other, stretch, other + " and " + stretch));
            }
        }
    }

    /** Enters what another ledger says that its holders may use. */
    synchronized void addAll(GrantLedger ofOthers) {
        ofOthers.stretchesByScope.forEach((scope, stretches) -> stretches.forEach(each -> add(scope, each)));
    }

    // --- what came of it

    /** Allows what is reported, also in the future: for splits without protection. */
    synchronized void allow(Collection<PossibleDuplicates> reports) {
        reported = reports;
        isReportAwaited = true;
    }

    /** Returns how many grants were received. */
    synchronized int size() {
        return stretchesByScope.values().stream().mapToInt(List::size).sum();
    }

    /** Fails if two holders had the same, but for what is reported; waits for reports to come if there may be any. */
    void check() {
        if (isReportAwaited()) {
            try {
                Await.until("a report", () -> unreported().isEmpty());
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + " of " + describe(unreported()), e);
            }
        }
        List<String> unreported = unreported();
        if (!unreported.isEmpty()) {
            throw new AssertionError(describe(unreported));
        }
    }

    private synchronized boolean isReportAwaited() {
        return isReportAwaited;
    }

    private static String describe(List<String> conflicts) {
        return conflicts.size() + " times two holders had the same: "
                + conflicts.stream().limit(MAX_TOLD).collect(Collectors.joining("\n"));
    }

    /** Returns what two holders had that is not reported so far. */
    synchronized List<String> unreported() {
        return conflicts.stream()
                .filter(each -> !isReported(each))
                .map(Conflict::toString)
                .toList();
    }

    /** Holders that end their use early have less in common than when it was found. */
    private boolean isReported(Conflict conflict) {
        if (!isReportAwaited) {
            return false;
        }
        long covered = conflict.from();
        for (long end = coveredFrom(conflict.scope, covered);
                end > covered;
                end = coveredFrom(conflict.scope, covered)) {
            covered = end;
        }
        return covered >= conflict.to();
    }

    /** Returns up to where one report covers a scope from a point on; the point itself if none does. */
    private long coveredFrom(Scope scope, long point) {
        long end = point;
        for (PossibleDuplicates each : reported) {
            boolean ofNode = each.logicalNodeId() == scope.logicalNodeId || each.logicalNodeId() == -1;
            long from = each.from().toEpochMilli() - scope.epochOffset;
            if (ofNode && each.sequencerName().equals(scope.name) && from <= point) {
                end = Math.max(end, each.to().toEpochMilli() - scope.epochOffset);
            }
        }
        return end;
    }
}
