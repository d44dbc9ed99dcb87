// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Verifies histories that the fault suite wrote ({@code -Dsnowcast.history=dir}), and knows nothing of that suite but
 * the form of these files: it shares no code with it, nor with snowcast. It says for each file what Jepsen would say of
 * such checks.
 *
 * <ul>
 *   <li>{@code :unique-ids}: no ID came twice under a name, whatever its layout and incarnation, but for what a merge
 *       reported. This is Jepsen's checker of that name; it counts what was reported apart.
 *   <li>{@code :order}: a call on an instance that began after another had returned got the greater ID.
 *   <li>{@code :grants}: no two holders had one node ID for one millisecond, but for what was reported; and every ID
 *       lies in a grant of its name.
 * </ul>
 */
final class HistoryChecker {
    private static final int MAX_TOLD = 48;

    private final Map<Object, Open> openByProcess = new HashMap<>();
    private final Map<Long, Instance> instances = new HashMap<>();
    private final Map<String, Name> names = new TreeMap<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private final List<String> disorder = new ArrayList<>();
    private long line;
    private long lastTime = Long.MIN_VALUE;
    private long attempted;
    private long ordered;
    private boolean splitsAreUnprotected;

    private HistoryChecker() {}

    /** Arguments: files, which may be compressed. Exits with 1 if one is not valid. */
    public static void main(String[] files) throws IOException {
        boolean isValid = true;
        for (String file : files) {
            Map<String, Object> result = check(Path.of(file));
            System.out.println(file + "\n" + toEdn(result));
            isValid &= isValid(result);
        }
        System.exit(isValid ? 0 : 1);
    }

    /** Returns what is to be said of a file. */
    static Map<String, Object> check(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 1 << 16) : bytes;
                BufferedReader lines = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            return check(lines);
        }
    }

    static Map<String, Object> check(BufferedReader lines) throws IOException {
        HistoryChecker checker = new HistoryChecker();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                checker.take(new Edn(line).readAll());
            } catch (RuntimeException e) {
                throw new IllegalArgumentException(
                        "line " + (checker.line + 1) + ": " + e.getMessage() + ": " + line, e);
            }
            checker.line++;
        }
        return checker.results();
    }

    /** Returns what is to be said of a file; fails if it is not valid. */
    static String requireValid(Path file) throws IOException {
        Map<String, Object> results = check(file);
        if (!isValid(results)) {
            throw new AssertionError(file + ": " + toEdn(results));
        }
        return toEdn(results);
    }

    static boolean isValid(Map<String, Object> results) {
        return Boolean.TRUE.equals(results.get("valid?"));
    }

    // --- operations

    private void take(Object read) {
        Fields op = new Fields(read);
        require(op.number("index") == line, "not densely indexed");
        require(op.number("time") >= lastTime, "time steps back");
        lastTime = op.number("time");
        String type = op.keyword("type");
        String f = op.keyword("f");
        if (!(op.get("process") instanceof Long process)) {
            require(type.equals("info"), "only clients invoke");
            takeInfo(op.keyword("process"), f, op.get("value"));
            return;
        }
        require(f.equals("generate"), "no such function of clients");
        if (type.equals("invoke")) {
            require(!openByProcess.containsKey(process), "the process has not yet returned");
            attempted++;
            Instance instance = instance(op);
            openByProcess.put(process, new Open(instance, instance.highest));
        } else {
            require(openByProcess.containsKey(process), "nothing was invoked");
            Open open = Objects.requireNonNull(openByProcess.remove(process));
            require(open.instance == instance(op), "something else was invoked");
            switch (type) {
                case "ok" -> acknowledge(open, tuple(op.get("value")).get(1));
                case "fail", "info" -> {}
                default -> throw new IllegalArgumentException("no such type");
            }
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException(what);
        }
    }

    private static List<?> tuple(Object value) {
        require(value instanceof List<?> list && list.size() == 2, "not a name and a value");
        return (List<?>) value;
    }

    private Instance instance(Fields op) {
        require(instances.containsKey(op.number("instance")), "an instance that was not created");
        Instance instance = Objects.requireNonNull(instances.get(op.number("instance")));
        require(tuple(op.get("value")).get(0).equals(instance.name.name), "the name is not that of the instance");
        return instance;
    }

    private void acknowledge(Open open, Object result) {
        require(result instanceof Long || result instanceof BigInteger, "no number");
        long value = ((Number) result).longValue();
        Instance instance = open.instance;
        instance.name.add(value, instance);
        ordered++;
        if (open.highestBefore != 0 && Long.compareUnsigned(value, open.highestBefore) <= 0) {
            disorder.add(instance + ": " + Long.toUnsignedString(value) + " was asked for when "
                    + Long.toUnsignedString(open.highestBefore) + " had come");
        }
        instance.returned(value);
    }

    private void takeInfo(String process, String f, Object value) {
        if (!process.equals("holders")) {
            // Each is told when it begins and when it ends.
            faults.merge(f, 1L, Long::sum);
            return;
        }
        if (f.equals("settled")) {
            names.values().forEach(Name::settle);
            return;
        }
        Fields fields = new Fields(value);
        switch (f) {
            case "run" -> splitsAreUnprotected = fields.get("unprotected").equals(true);
            case "created" -> created(fields);
            case "granted" -> name(fields).granted(fields);
            case "extended" -> name(fields).extended(fields);
            case "ended" -> name(fields).ended(fields);
            case "reported" -> name(fields).reported(fields);
            default -> throw new IllegalArgumentException("no such function of holders");
        }
    }

    private void created(Fields fields) {
        instances.computeIfAbsent(
                fields.number("instance"),
                number -> new Instance(name(fields), fields.string("by") + ", instance " + number, fields));
    }

    private Name name(Fields fields) {
        return names.computeIfAbsent(fields.string("name"), name -> new Name(name, splitsAreUnprotected));
    }

    /** A call that has not returned, and what the highest ID was that had come when it began; 0 if none had. */
    private record Open(Instance instance, long highestBefore) {}

    /** An instance of a sequencer. */
    private static final class Instance {
        final Name name;
        final String by;
        final int nodeBits;
        final int counterBits;
        final long epoch;
        private long highest;

        Instance(Name name, String by, Fields fields) {
            this.name = name;
            this.by = by;
            this.nodeBits = (int) fields.number("node-bits");
            this.counterBits = (int) fields.number("counter-bits");
            this.epoch = fields.number("epoch");
        }

        void returned(long value) {
            highest = Long.compareUnsigned(highest, value) >= 0 ? highest : value;
        }

        long time(long id) {
            return id >>> (nodeBits + counterBits);
        }

        int node(long id) {
            return (int) (id >>> counterBits & (1L << nodeBits) - 1);
        }

        @Override
        public String toString() {
            return name.name + ", " + by;
        }
    }

    // --- names

    /** What is known of a sequencer. */
    private static final class Name {
        final String name;
        private long[] values = new long[1024];
        private Instance[] owners = new Instance[1024];
        private int size;
        /** How many values there were when everything was settled. */
        private int settled = Integer.MAX_VALUE;

        private final Map<String, Stretch> byGrant = new HashMap<>();
        private final Map<String, List<Stretch>> stretchesByScope = new TreeMap<>();
        private final Set<Conflict> conflicts = new LinkedHashSet<>();
        private final List<Report> reports = new ArrayList<>();
        private final boolean mayRepeat;
        private long grants;

        /**
         * Begins with nothing.
         *
         * @param mayRepeat whether what a merge reports may be there twice
         */
        Name(String name, boolean mayRepeat) {
            this.name = name;
            this.mayRepeat = mayRepeat;
        }

        void add(long value, Instance owner) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
                owners = Arrays.copyOf(owners, 2 * size);
            }
            values[size] = value;
            owners[size] = owner;
            size++;
        }

        void settle() {
            settled = size;
        }

        // --- what was granted

        void granted(Fields fields) {
            String scope = "node " + fields.number("node") + ", incarnation " + fields.number("incarnation")
                    + ", epoch " + fields.number("epoch");
            Stretch stretch = new Stretch(
                    fields.string("grant"),
                    (int) fields.number("node"),
                    fields.number("epoch"),
                    fields.number("from"),
                    fields.number("clock"),
                    fields.number("to"));
            byGrant.put(stretch.holder, stretch);
            List<Stretch> ofScope = stretchesByScope.computeIfAbsent(scope, anew -> new ArrayList<>());
            ofScope.add(stretch);
            stretch.siblings = ofScope;
            grants++;
            compare(stretch);
        }

        void extended(Fields fields) {
            require(byGrant.containsKey(fields.string("grant")), "a grant that was not told");
            Stretch stretch = Objects.requireNonNull(byGrant.get(fields.string("grant")));
            if (!stretch.ended) {
                stretch.to = Math.max(stretch.to, fields.number("to"));
                compare(stretch);
            }
        }

        void ended(Fields fields) {
            Stretch stretch = byGrant.get(fields.string("grant"));
            if (stretch != null) {
                stretch.to = Math.min(stretch.to, fields.number("to"));
                stretch.ended = true;
            }
        }

        /** At once: what a holder gives back later it had nevertheless. */
        private void compare(Stretch stretch) {
            for (Stretch other : stretch.siblings) {
                if (other != stretch && Math.max(stretch.from, other.from) < Math.min(stretch.to, other.to)) {
                    conflicts.add(new Conflict(other, stretch));
                }
            }
        }

        void reported(Fields fields) {
            reports.add(
                    new Report((int) fields.number("node"), fields.number("from-millis"), fields.number("to-millis")));
        }

        // --- what came of it

        /** Returns the values that came more than once, with how often; apart those that a merge reported. */
        void duplicates(Map<Object, Object> duplicated, Map<Object, Object> reported) {
            long[] sorted = sorted(values, size);
            Set<Long> twice = new LinkedHashSet<>();
            for (int i = 1; i < size; i++) {
                if (sorted[i] == sorted[i - 1]) {
                    twice.add(sorted[i]);
                }
            }
            if (twice.isEmpty()) {
                return;
            }
            Map<Long, List<Integer>> occurrences = new TreeMap<>(Long::compareUnsigned);
            for (int i = 0; i < size; i++) {
                if (twice.contains(values[i])) {
                    occurrences
                            .computeIfAbsent(values[i], anew -> new ArrayList<>())
                            .add(i);
                }
            }
            occurrences.forEach((value, at) -> {
                Map<Object, Object> into = isReported(value, at) ? reported : duplicated;
                into.put(List.of(name, new BigInteger(Long.toUnsignedString(value))), (long) at.size());
            });
        }

        private static long[] sorted(long[] values, int size) {
            long[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted;
        }

        /** After the last merge nothing repeats, nor what came before. */
        private boolean isReported(long value, List<Integer> at) {
            if (!mayRepeat) {
                return false;
            }
            if (at.stream().anyMatch(index -> index >= settled)) {
                return false;
            }
            Instance owner = owners[at.get(0)];
            return reports.stream()
                    .anyMatch(report -> report.covers(owner.node(value), owner.time(value) + owner.epoch));
        }

        List<String> unreportedConflicts() {
            return conflicts.stream()
                    .filter(conflict -> !isReported(conflict))
                    .map(conflict -> name + ": " + conflict)
                    .toList();
        }

        /** Holders that end their use early have less in common in the end, about which there may be no report. */
        private boolean isReported(Conflict conflict) {
            if (!mayRepeat) {
                return false;
            }
            long point = conflict.from();
            boolean goesOn = true;
            while (point < conflict.to() && goesOn) {
                long before = point;
                for (Report report : reports) {
                    point = report.coveredUpTo(conflict.one, point);
                }
                goesOn = point > before;
            }
            return point >= conflict.to();
        }

        /** Returns the IDs that lie in no grant. */
        List<String> ungranted() {
            Map<String, Cover> covers = new HashMap<>();
            List<String> found = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                Instance owner = owners[i];
                String scope = owner.node(values[i]) + " " + owner.epoch;
                Cover cover = covers.computeIfAbsent(scope, anew -> cover(scope));
                if (!cover.contains(owner.time(values[i]))) {
                    found.add(owner + ": " + Long.toUnsignedString(values[i]));
                }
            }
            return found;
        }

        private Cover cover(String scope) {
            return new Cover(stretchesByScope.values().stream()
                    .flatMap(List::stream)
                    .filter(each -> scope.equals(each.node + " " + each.epoch))
                    .toList());
        }
    }

    /** What one holder may use: {@code [from, to)}, milliseconds of a node ID. */
    private static final class Stretch {
        final String holder;
        final int node;
        final long epoch;
        final long from;
        /** A holder whose clock is not set back issues nothing of the time before. */
        final long clock;

        long to;
        boolean ended;
        List<Stretch> siblings = List.of();

        Stretch(String holder, int node, long epoch, long from, long clock, long to) {
            this.holder = holder;
            this.node = node;
            this.epoch = epoch;
            this.from = from;
            this.clock = clock;
            this.to = to;
        }

        @Override
        public String toString() {
            return "holder " + holder + " had [" + from + ", " + to + ") of node " + node;
        }
    }

    /** Two holders that had the same. */
    private record Conflict(Stretch one, Stretch other) {
        long from() {
            return Math.max(Math.max(one.from, one.clock), Math.max(other.from, other.clock));
        }

        long to() {
            return Math.min(one.to, other.to);
        }
    }

    /** What a merge said may be there twice: the milliseconds of a node ID, or (-1) of all. */
    private record Report(int node, long from, long to) {
        boolean covers(int ofNode, long millis) {
            return (node == -1 || node == ofNode) && from <= millis && millis < to;
        }

        long coveredUpTo(Stretch stretch, long point) {
            return covers(stretch.node, point + stretch.epoch) ? Math.max(point, to - stretch.epoch) : point;
        }
    }

    /** The union of stretches. */
    private static final class Cover {
        private final TreeMap<Long, Long> toByFrom = new TreeMap<>();

        Cover(Collection<Stretch> stretches) {
            stretches.stream()
                    .filter(each -> each.from < each.to)
                    .sorted(Comparator.comparing((Stretch each) -> each.from))
                    .forEach(each -> {
                        Map.Entry<Long, Long> before = toByFrom.floorEntry(each.from);
                        if (before == null || before.getValue() < each.from) {
                            toByFrom.put(each.from, each.to);
                        } else {
                            toByFrom.put(before.getKey(), Math.max(before.getValue(), each.to));
                        }
                    });
        }

        boolean contains(long point) {
            Map.Entry<Long, Long> at = toByFrom.floorEntry(point);
            return at != null && point < at.getValue();
        }
    }

    // --- results

    private Map<String, Object> results() {
        Map<String, Object> uniqueIds = uniqueIds();
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("valid?", disorder.isEmpty());
        order.put("checked-count", ordered);
        order.put("violation-count", (long) disorder.size());
        order.put("violations", first(disorder));
        Map<String, Object> grants = grants();
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("unique-ids", uniqueIds);
        results.put("order", order);
        results.put("grants", grants);
        faults.replaceAll((kind, times) -> times / 2);
        results.put("faults", faults);
        results.put("valid?", isValid(uniqueIds) && isValid(order) && isValid(grants));
        return results;
    }

    private static List<String> first(List<String> all) {
        return all.stream().limit(MAX_TOLD).toList();
    }

    private Map<String, Object> uniqueIds() {
        Map<Object, Object> duplicated = new LinkedHashMap<>();
        Map<Object, Object> reported = new LinkedHashMap<>();
        names.values().forEach(name -> name.duplicates(duplicated, reported));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("valid?", duplicated.isEmpty());
        result.put("attempted-count", attempted);
        result.put(
                "acknowledged-count",
                names.values().stream().mapToLong(name -> name.size).sum());
        result.put("duplicated-count", (long) duplicated.size());
        result.put("reported-count", (long) reported.size());
        result.put(
                "duplicated",
                duplicated.entrySet().stream()
                        .limit(MAX_TOLD)
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new)));
        result.put("range", range());
        return result;
    }

    /** Returns the lowest and the highest value; those are compared by name first. */
    private List<Object> range() {
        List<Name> used = names.values().stream().filter(name -> name.size > 0).toList();
        if (used.isEmpty()) {
            return List.of();
        }
        Name first = used.get(0);
        Name last = used.get(used.size() - 1);
        Comparator<BigInteger> byValue = Comparator.naturalOrder();
        return List.of(
                List.of(first.name, unsigned(first).min(byValue).orElseThrow()),
                List.of(last.name, unsigned(last).max(byValue).orElseThrow()));
    }

    private static Stream<BigInteger> unsigned(Name name) {
        return Arrays.stream(name.values, 0, name.size).mapToObj(value -> new BigInteger(Long.toUnsignedString(value)));
    }

    private Map<String, Object> grants() {
        List<String> conflicts = new ArrayList<>();
        List<String> ungranted = new ArrayList<>();
        for (Name name : names.values()) {
            conflicts.addAll(name.unreportedConflicts());
            ungranted.addAll(name.ungranted());
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("valid?", conflicts.isEmpty() && ungranted.isEmpty());
        result.put(
                "grant-count",
                names.values().stream().mapToLong(name -> name.grants).sum());
        result.put("conflict-count", (long) conflicts.size());
        result.put("conflicts", first(conflicts));
        result.put("ungranted-count", (long) ungranted.size());
        result.put("ungranted", first(ungranted));
        return result;
    }

    // --- EDN

    private record Keyword(String name) {}

    /** What {@code nil} is read as. */
    private static final Object NIL = new Keyword("nil");

    /** The parts of a map whose keys are keywords. */
    private static final class Fields {
        private final Map<?, ?> map;

        Fields(Object value) {
            require(value instanceof Map, "no map");
            this.map = (Map<?, ?>) value;
        }

        boolean has(String key) {
            return map.containsKey(new Keyword(key));
        }

        Object get(String key) {
            require(has(key), "no :" + key);
            return Objects.requireNonNull(map.get(new Keyword(key)));
        }

        long number(String key) {
            require(get(key) instanceof Long, "no number :" + key);
            return (Long) get(key);
        }

        String string(String key) {
            require(get(key) instanceof String, "no string :" + key);
            return (String) get(key);
        }

        String keyword(String key) {
            require(get(key) instanceof Keyword, "no keyword :" + key);
            return ((Keyword) get(key)).name;
        }
    }

    /** A reader of as much EDN as histories consist of: maps, vectors, keywords, strings, integers, booleans, nil. */
    private static final class Edn {
        private final String text;
        private int at;

        Edn(String text) {
            this.text = text;
        }

        /** Returns the one value that the text consists of. */
        Object readAll() {
            Object value = read();
            require(next() == 0, "more than one value");
            return value;
        }

        /** Returns the next character that counts; 0 at the end. */
        private char next() {
            while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',')) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private Object read() {
            return switch (next()) {
                case '{' -> map();
                case '[' -> list(']');
                case '"' -> string();
                case ':' -> {
                    at++;
                    yield new Keyword(word());
                }
                default -> atom(word());
            };
        }

        private Map<Object, Object> map() {
            List<Object> all = list('}');
            require(all.size() % 2 == 0, "a key without a value");
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < all.size(); i += 2) {
                require(!map.containsKey(all.get(i)), "a key that comes twice");
                map.put(all.get(i), all.get(i + 1));
            }
            return map;
        }

        private List<Object> list(char end) {
            List<Object> all = new ArrayList<>();
            at++;
            while (next() != end) {
                all.add(read());
            }
            at++;
            return all;
        }

        private String string() {
            StringBuilder value = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\') {
                    at++;
                    require("\\\"".indexOf(text.charAt(at)) >= 0, "no such escape");
                }
                value.append(text.charAt(at));
            }
            at++;
            return value.toString();
        }

        private String word() {
            int from = at;
            while (at < text.length() && " ,{}[]\"".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            require(at > from, "nothing to read");
            return text.substring(from, at);
        }

        private static Object atom(String word) {
            return switch (word) {
                case "nil" -> NIL;
                case "true" -> true;
                case "false" -> false;
                default ->
                    word.endsWith("N") ? new BigInteger(word.substring(0, word.length() - 1)) : Long.valueOf(word);
            };
        }
    }

    /** Writes results as Jepsen prints them. */
    static String toEdn(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> (entry.getKey() instanceof String key ? ':' + key : toEdn(entry.getKey()))
                            + ' '
                            + toEdn(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(HistoryChecker::toEdn).collect(Collectors.joining(" ", "[", "]"));
        }
        return value instanceof String text ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"' : "" + value;
    }
}
