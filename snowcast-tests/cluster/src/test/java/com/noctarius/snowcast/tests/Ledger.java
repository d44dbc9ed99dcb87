// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Records the grants of all holders of a cluster and the IDs that they issued, and checks them. Thread-safe.
 *
 * <ul>
 *   <li>No two holders have the same node ID for the same millisecond. An overlap is an error even if the holders issue
 *       no IDs.
 *   <li>The IDs of a name have no duplicates, even if its layout has changed.
 *   <li>Each ID lies within a grant of its name.
 *   <li>The IDs of an instance increase. A call that began after another call had returned got the greater IDs.
 * </ul>
 *
 * After a split without protection, overlaps and duplicates that a merge has reported are allowed. IDs issued after
 * {@link #settle} must not be duplicates even then.
 */
final class Ledger implements GrantObserver {
    /** The epoch of sequencers that {@link #open(String, String, SnowcastLayout)} knows by name only. */
    static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private static final int MAX_TOLD = 5;

    // --- guarded by the monitor
    private final Map<Scope, List<Stretch>> stretchesByScope = new HashMap<>();
    private final Map<GrantKey, Stretch> byGrant = new HashMap<>();

    private final Set<Conflict> conflicts = new LinkedHashSet<>();

    // --- not guarded, because checking IDs takes long, and holders would have to wait
    private final Map<String, Queue<Page>> pagesByName = new ConcurrentHashMap<>();
    /**
     * How many IDs at the beginning of each settled log may be duplicates that a report covers. Other logs have no
     * entry.
     */
    private final Map<IdLog, Integer> marks = new ConcurrentHashMap<>();

    private volatile boolean isSettled;
    /** The reports of merges. The collection may grow while the ledger is in use. */
    private volatile Collection<PossibleDuplicates> reported = List.of();

    private volatile boolean isReportAwaited;

    /** A node ID of a sequencer's incarnation. In each millisecond, only one holder may have the node ID. */
    private record Scope(String name, long incarnation, int logicalNodeId, long epochOffset) {
        Scope ofAllIncarnations() {
            return new Scope(name, 0, logicalNodeId, epochOffset);
        }

        @Override
        public String toString() {
            return "node ID " + logicalNodeId + " of sequencer " + name + ", incarnation " + incarnation;
        }
    }

    private record GrantKey(UUID holder, String name, Token token) {}

    /**
     * The ID time for which one holder has the node ID of a scope, from {@code from} inclusive to {@code to} exclusive.
     * Guarded by the ledger's monitor.
     */
    private static final class Stretch {
        final UUID holder;
        final String as;
        final long from;
        /** The first millisecond that the holder can have used, unless its clock was set back. */
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

        void renew(long ceiling) {
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

    /** An overlap of two stretches, which {@code found} describes. Conflicts of the same stretches are equal. */
    private record Conflict(Scope scope, Stretch one, Stretch other, String found) {
        /** Returns the first millisecond that both holders may have used. */
        long from() {
            return Math.max(one.usedFrom, other.usedFrom);
        }

        long to() {
            return Math.min(one.to(), other.to());
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof Conflict that
                    && ((one == that.one && other == that.other) || (one == that.other && other == that.one));
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

    /** The log of the IDs that one thread got from one instance. */
    private record Page(Object instance, String owner, Form form, IdLog log) {
        String describe(long id) {
            return "ID " + IdCheck.describe(form.layout, id) + " of " + owner;
        }
    }

    private record Form(SnowcastLayout layout, long epochOffset) {
        /** Returns the scope of an ID. An ID does not show its incarnation, so incarnation 0 stands for all. */
        Scope scope(String name, long id) {
            return new Scope(name, 0, layout.logicalNodeId(id), epochOffset);
        }

        long time(long id) {
            return layout.timestampValue(id);
        }
    }

    /** Makes the holders of a member report their grants to this ledger. */
    void observe(Config config) {
        observe(config.getUserContext());
    }

    void observe(ClientConfig config) {
        observe(config.getUserContext());
    }

    private void observe(Map<String, Object> userContext) {
        userContext.put(GrantObserver.KEY, this);
    }

    // --- reports of holders

    @Override
    public synchronized void granted(AttachRequest request, Grant grant) {
        Scope scope = new Scope(
                request.name(),
                grant.incarnation(),
                grant.logicalNodeId(),
                request.definition().epochOffset());
        // A holder begins above its own former IDs.
        long from = Math.max(grant.floor(), request.lastIdTime() + 1);
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
    public synchronized void renewed(RenewRequest request, long ceiling) {
        Stretch stretch = byGrant.get(new GrantKey(request.holder(), request.name(), request.token()));
        Objects.requireNonNull(stretch, "renewed before it was granted").renew(ceiling);
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
        Stretch stretch = byGrant.get(new GrantKey(holder, unused.name(), unused.token()));
        if (stretch != null) {
            stretch.end(unused.lastIdTime() + 1);
        }
    }

    private void add(Scope scope, Stretch stretch) {
        stretchesByScope.computeIfAbsent(scope, newScope -> new ArrayList<>()).add(stretch);
        compare(scope, stretch);
    }

    /** Compares a stretch with all others of its scope now, because a later release would make the stretch shorter. */
    private void compare(Scope scope, Stretch stretch) {
        for (Stretch other : stretchesByScope.getOrDefault(scope, List.of())) {
            if (other != stretch && Math.max(stretch.from, other.from) < Math.min(stretch.to(), other.to())) {
                conflicts.add(new Conflict(scope, other, stretch, other + " and " + stretch));
            }
        }
    }

    synchronized void addAll(Ledger ofOthers) {
        conflicts.addAll(ofOthers.conflicts);
        ofOthers.stretchesByScope.forEach((scope, stretches) -> stretches.forEach(each -> add(scope, each)));
    }

    /** Allows the duplicates in {@code reports}, to which the caller may add the reports of later merges. */
    void allow(Collection<PossibleDuplicates> reports) {
        reported = reports;
        isReportAwaited = true;
    }

    // --- IDs

    /** Starts the log of one of the threads that use an instance. */
    IdLog open(SnowcastSequencer from, String owner) {
        return open(
                from.name(), from, owner, new Form(from.layout(), from.epoch().getEpochOffset()));
    }

    /**
     * Starts the log of the only thread that uses an instance.
     *
     * @param owner the name of the user in messages
     */
    IdLog open(String name, String owner, SnowcastLayout layout) {
        return open(name, new Object(), owner, new Form(layout, EPOCH.getEpochOffset()));
    }

    private IdLog open(String name, Object instance, String owner, Form form) {
        IdLog log = new IdLog();
        pagesByName
                .computeIfAbsent(name, newName -> new ConcurrentLinkedQueue<>())
                .add(new Page(instance, owner, form, log));
        return log;
    }

    /**
     * From now on, no issued ID may be a duplicate, even if a merge reports it. Call this after a merge, when older
     * grants are used up.
     */
    void settle() {
        isSettled = true;
        pages().forEach(page -> settle(page.log, page.log.size()));
    }

    /** Permits reported duplicates only among a log's first {@code size} IDs. Logs without such a call permit none. */
    void settle(IdLog log, int size) {
        isSettled = true;
        marks.put(log, size);
    }

    private Stream<Page> pages() {
        return pagesByName.values().stream().flatMap(Queue::stream);
    }

    private Stream<Page> pages(String name) {
        return pagesByName.getOrDefault(name, new ConcurrentLinkedQueue<>()).stream();
    }

    // --- checks

    long size() {
        return pages().mapToLong(page -> page.log.size()).sum();
    }

    @Override
    public synchronized String toString() {
        String twice = isReportAwaited
                ? pagesByName.keySet().stream()
                                .mapToLong(name -> twice(name).count())
                                .sum() + " of them twice, " + reported.size() + " reports, "
                : "";
        return size() + " IDs, " + twice
                + stretchesByScope.values().stream().mapToInt(List::size).sum() + " grants";
    }

    /** Runs all checks. If reports of merges are allowed, waits until they cover all duplicates and overlaps. */
    void check() {
        checkIds();
        requireNone("times two holders had the same", unreported());
        requireNone("IDs that lie in no grant", ungranted());
    }

    /** Checks the IDs without comparing them with the grants, for tests that do not know the grants. */
    void checkIds() {
        requireOrdered();
        requireNone("IDs twice after all had settled", duplicatesSinceSettled());
        if (isReportAwaited) {
            try {
                Await.until(
                        "a report", () -> unreported().isEmpty() && duplicates().isEmpty());
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + " of " + unreported() + duplicates(), e);
            }
        }
        requireNone("IDs twice", duplicates());
    }

    private static void requireNone(String what, List<String> found) {
        if (!found.isEmpty()) {
            throw new AssertionError(found.size() + " " + what + ": "
                    + found.stream().limit(MAX_TOLD).collect(Collectors.joining("\n")));
        }
    }

    // --- order

    private void requireOrdered() {
        pages().forEach(page -> {
            try {
                IdCheck.requireOrdered(page.form.layout, page.log.toArray());
            } catch (AssertionError e) {
                throw new AssertionError(page.owner + ": " + e.getMessage(), e);
            }
        });
        pages().collect(Collectors.groupingBy(Page::instance)).values().forEach(Ledger::requireOrdered);
    }

    /** A call by one thread, with the lowest and the highest of its IDs. */
    private record Got(IdLog.Call call, long least, long greatest) {}

    /** Fails if a call got an ID that is not above all IDs of the calls that had returned before it began. */
    private static void requireOrdered(List<Page> ofInstance) {
        List<Got> byBegin = new ArrayList<>();
        for (Page page : ofInstance) {
            List<IdLog.Call> calls = List.copyOf(page.log.calls());
            long[] ids = page.log.toArray();
            for (IdLog.Call call : calls) {
                byBegin.add(new Got(call, ids[call.from()], ids[call.to() - 1]));
            }
        }
        List<Got> byReturn = new ArrayList<>(byBegin);
        byBegin.sort(Comparator.comparing(got -> got.call.beganNanos()));
        byReturn.sort(Comparator.comparing(got -> got.call.returnedNanos()));
        long greatest = 0;
        int returned = 0;
        for (Got got : byBegin) {
            for (; byReturn.get(returned).call.returnedNanos() < got.call.beganNanos(); returned++) {
                long more = byReturn.get(returned).greatest;
                greatest = Long.compareUnsigned(more, greatest) > 0 ? more : greatest;
            }
            if (returned > 0 && Long.compareUnsigned(got.least, greatest) <= 0) {
                throw new AssertionError(ofInstance.get(0).owner + ": " + Long.toUnsignedString(got.least)
                        + " was asked for when " + Long.toUnsignedString(greatest) + " had come");
            }
        }
    }

    // --- duplicates

    /** Describes the duplicate IDs that no report covers, with their owners. */
    List<String> duplicates() {
        return duplicates((name, id) -> pages(name)
                .map(Page::form)
                .distinct()
                .allMatch(form -> isReported(form.scope(name, id), form.time(id))));
    }

    private boolean isReported(Scope scope, long time) {
        return isReportAwaited && coveredFrom(scope, time) > time;
    }

    private List<String> duplicatesSinceSettled() {
        if (!isSettled) {
            return List.of();
        }
        Map<String, Set<Long>> late = new HashMap<>();
        pagesByName
                .keySet()
                .forEach(name -> late.put(
                        name,
                        pages(name)
                                .flatMapToLong(page ->
                                        Arrays.stream(page.log.toArray()).skip(marks.getOrDefault(page.log, 0)))
                                .boxed()
                                .collect(Collectors.toSet())));
        return duplicates((name, id) -> !late.getOrDefault(name, Set.of()).contains(id));
    }

    private List<String> duplicates(BiPredicate<String, Long> allowed) {
        return pagesByName.keySet().stream()
                .flatMap(name -> twice(name)
                        .filter(id -> !allowed.test(name, id))
                        .mapToObj(id -> "sequencer " + name + ": " + owners(name, id)))
                .toList();
    }

    private LongStream twice(String name) {
        return IdCheck.duplicates(pages(name).map(page -> page.log.toArray()).toList());
    }

    private String owners(String name, long id) {
        return pages(name)
                .filter(page -> Arrays.stream(page.log.toArray()).anyMatch(each -> each == id))
                .map(page -> page.describe(id))
                .collect(Collectors.joining(" and "));
    }

    // --- grants

    /** Describes the overlapping grants that no report covers. */
    synchronized List<String> unreported() {
        return conflicts.stream()
                .filter(each -> !isReported(each))
                .map(Conflict::toString)
                .toList();
    }

    /** Uses the present ends of the stretches, because an early release makes the overlap smaller. */
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

    /**
     * Returns the latest end of all reports that cover {@code point} in a scope, or {@code point} if no report covers
     * it.
     */
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

    List<String> ungranted() {
        Map<Scope, NavigableMap<Long, Long>> granted = granted();
        return pagesByName.keySet().stream()
                .flatMap(name -> pages(name)
                        .flatMap(page -> Arrays.stream(page.log.toArray())
                                .filter(id -> {
                                    Map.Entry<Long, Long> at = granted.getOrDefault(
                                                    page.form.scope(name, id), Collections.emptyNavigableMap())
                                            .floorEntry(page.form.time(id));
                                    return at == null || at.getValue() <= page.form.time(id);
                                })
                                .mapToObj(id -> "sequencer " + name + ": " + page.describe(id))))
                .toList();
    }

    /** Returns, for each node ID in all incarnations, a map from the beginning of each granted period to its end. */
    private synchronized Map<Scope, NavigableMap<Long, Long>> granted() {
        Map<Scope, List<Stretch>> all = new HashMap<>();
        stretchesByScope.forEach(
                (scope, stretches) -> all.computeIfAbsent(scope.ofAllIncarnations(), unused -> new ArrayList<>())
                        .addAll(stretches));
        Map<Scope, NavigableMap<Long, Long>> granted = new HashMap<>();
        all.forEach((scope, stretches) -> {
            NavigableMap<Long, Long> toByFrom = new TreeMap<>();
            stretches.sort(Comparator.comparing(each -> each.from));
            for (Stretch each : stretches) {
                Map.Entry<Long, Long> last = toByFrom.lastEntry();
                if (last == null || last.getValue() < each.from) {
                    toByFrom.put(each.from, each.to());
                } else {
                    toByFrom.put(last.getKey(), Math.max(last.getValue(), each.to()));
                }
            }
            granted.put(scope, toByFrom);
        });
        return granted;
    }
}
