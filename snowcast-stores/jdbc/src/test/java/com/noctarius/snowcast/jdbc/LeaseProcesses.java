// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static java.util.Objects.requireNonNull;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.Relay;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import com.noctarius.snowcast.tests.store.ReserverProcess.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Runs several processes, each with a {@link JdbcSnowcast}. The processes continuously generate IDs of all kinds, while
 * this class injects faults. Each kind of fault happens once, in a random order; then all kinds happen again in another
 * order, until the time is over. After about half of the faults, the next fault waits until each process has generated
 * IDs of all kinds. At the end, the IDs of all processes are compared.
 */
final class LeaseProcesses implements AutoCloseable {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);
    /** A lease that is longer than a fail-over, so that its holders keep their node IDs after the fail-over. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(20);

    static final String TAKEN_OVER = "IDs after a loss, of holders that were taken over";
    private static final int PROCESSES = 5;
    static final List<String> TABLES = List.of(
            "id_sequences",
            "id_sequences_names",
            "id_sequences_shard",
            "id_sequences_database",
            "snowcast_database",
            "snowcast_names",
            "snowcast_nodes");

    /** Statements that lock rows, like a process that is paused in a transaction. */
    private static final List<String> LOCKS = List.of(
            "SELECT name FROM snowcast_names WHERE name = 'few' FOR UPDATE",
            "SELECT name FROM snowcast_nodes WHERE name = 'many' FOR UPDATE",
            "SELECT name FROM snowcast_nodes WHERE name = 'tsid' FOR UPDATE",
            "SELECT sequence_name FROM id_sequences WHERE next_hi_value < window_end_value FOR UPDATE");

    private static final List<String> OTHERS = List.of("TSIDs", "IDs of MyBatis-Plus", "integers");

    /** An upper bound of how many integers all processes together have reserved and not yet written. */
    private static final long INTEGERS_IN_MEMORY = 1_000_000;

    private final String url;
    private final List<Way> ways;
    private final Path directory;
    private final Random random;
    private final Map<String, Fault> faults = new TreeMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    /** All processes, including killed ones. */
    private final List<ReserverProcess> all = new ArrayList<>();

    private final List<ReserverProcess> processes = new ArrayList<>();
    private final Map<ReserverProcess, Duration> leases = new HashMap<>();
    private final Map<ReserverProcess, Seen> seen = new HashMap<>();
    /** The time at which each frozen process continues, by {@link System#nanoTime()}. */
    private final Map<ReserverProcess, Long> frozen = new HashMap<>();
    /** The times at which the database lost data, in milliseconds since 1970. */
    private final List<Long> losses = new ArrayList<>();

    private long highestInteger;
    /** Why the last recovery of integers failed; empty if it did not. */
    private String recovery = "";

    /** A URL of the database, through a relay. */
    record Way(String url, Relay relay) {}

    /** A fault. The method returns when the database can be used again. */
    interface Fault {
        void happen() throws Exception;
    }

    /** How many reservations of a process were read so far, and the time of the last reservation of each kind. */
    private static final class Seen {
        private long count;
        private final Map<Long, Long> lastMillisByKind = new HashMap<>();
    }

    /** Consecutive IDs of one kind that one process has generated. */
    private record Range(long first, long last, int process) {
        long millisecondOfNode() {
            return first >> LeasedIdsOpener.COUNTER_BITS;
        }
    }

    record State(TableCopy tables, Set<String> grants) {}

    /**
     * Creates a test for a database.
     *
     * @param url the URL for this class
     * @param ways the URLs for the processes, which use them in turn
     */
    LeaseProcesses(String url, List<Way> ways, Path directory, long seed) {
        this.url = url;
        this.ways = ways;
        this.directory = directory;
        this.random = new Random(seed);
    }

    LeaseProcesses with(String name, Fault fault) {
        faults.put(name, fault);
        return this;
    }

    void count(String what, int times) {
        counts.merge(what, times, Integer::sum);
    }

    Map<String, Integer> counts() {
        return counts;
    }

    Set<String> faults() {
        return faults.keySet();
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    /** Returns a random duration of 0.1 to 6.1 seconds, which may be shorter or longer than {@link #SHORT_LEASE}. */
    Duration longOrShort() {
        return Duration.ofMillis(100 + random(6_000));
    }

    void run(Duration duration) throws Exception {
        try (JdbcSnowcast snowcast = LeasedIdsOpener.snowcast(url, LONG_LEASE)) {
            snowcast.createTables();
            // After a loss, no node ID is granted until the longest lease that the tables contain has passed. Store the
            // long lease before the first loss.
            snowcast.createSequencer("first", SnowcastEpoch.byTimestamp(1_700_000_000_000L));
        }
        with("a process is killed", this::replaceProcess);
        with("a process is frozen", this::freezeProcess);
        with("the network hangs", this::hangNetwork);
        with("the network breaks", () -> whileCutOff(() -> pass(longOrShort())));
        with("rows are locked", this::lockRows);
        for (int i = 0; i < PROCESSES; i++) {
            start(i);
        }
        long begin = System.nanoTime();
        awaitAll();
        do {
            List<String> order = new ArrayList<>(faults.keySet());
            Collections.shuffle(order, random);
            for (String fault : order) {
                happen(fault);
            }
        } while (System.nanoTime() - begin < duration.toNanos());
        awaitAll();
        processes.forEach(ReserverProcess::close);
        count("seconds", (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
        check();
    }

    private void happen(String fault) throws Exception {
        int before = losses.size();
        requireNonNull(faults.get(fault)).happen();
        count(fault, 1);
        if (random.nextBoolean()) {
            int millis = awaitAll();
            String what = before == losses.size() ? "a fault" : "a loss";
            counts.merge("milliseconds after " + what + " until all have IDs of all kinds", millis, Math::max);
        } else {
            pass(Duration.ofMillis(200 + random(3_000)));
        }
    }

    /** Waits. Meanwhile lets frozen processes continue when their pause is over. */
    void pass(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        do {
            thaw(System.nanoTime());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        } while (System.nanoTime() - end < 0);
    }

    // --- processes

    private ReserverProcess start(int place) throws IOException {
        Path own = Files.createDirectory(directory.resolve("own" + all.size()));
        Duration lease = place % 2 == 0 ? LONG_LEASE : SHORT_LEASE;
        List<String> arguments = List.of(ways.get(place % ways.size()).url(), Long.toString(lease.toSeconds()));
        ReserverProcess process = ReserverProcess.start(own, LeasedIdsOpener.class, arguments, "ids", 1);
        all.add(process);
        leases.put(process, lease);
        seen.put(process, new Seen());
        processes.add(place, process);
        return process;
    }

    ReserverProcess replaceProcess() throws IOException {
        int place = random(PROCESSES);
        ReserverProcess victim = processes.remove(place);
        frozen.remove(victim);
        victim.close();
        return start(place);
    }

    /** Freezes a process for longer than its lease, unless {@link #thawAll} ends the pause. */
    private void freezeProcess() {
        // Choose a process with the short lease, so that leases end often.
        ReserverProcess process = processes.get(1 + 2 * random(PROCESSES / 2));
        if (!frozen.containsKey(process)) {
            process.freeze();
            Duration pause = requireNonNull(leases.get(process)).plusMillis(500 + random(4_000));
            frozen.put(process, System.nanoTime() + pause.toNanos());
        }
    }

    private void thaw(long nowNanos) {
        for (ReserverProcess process : List.copyOf(frozen.keySet())) {
            if (nowNanos - requireNonNull(frozen.get(process)) >= 0) {
                frozen.remove(process);
                process.thaw();
                count("pauses longer than a lease", 1);
            }
        }
    }

    /** Lets all frozen processes continue, because they may hold locks. */
    void thawAll() {
        frozen.replaceAll((process, when) -> System.nanoTime());
        thaw(System.nanoTime());
    }

    /**
     * Waits until each process has generated IDs of all kinds since the call. Returns how many milliseconds this took.
     */
    int awaitAll() {
        thawAll();
        long startNanos = System.nanoTime();
        long sinceMillis = System.currentTimeMillis();
        try {
            Await.until("IDs of all kinds", () -> {
                pass(Duration.ofMillis(200));
                recoverIntegers();
                return processes.stream().allMatch(process -> hasAllKinds(process, sinceMillis));
            });
        } catch (AssertionError e) {
            // What the processes have said until now, and when each had its last ID of each kind.
            List<Object> last = processes.stream()
                    .<Object>map(process -> seen(process).lastMillisByKind)
                    .toList();
            throw new AssertionError(
                    e.getMessage() + " since " + sinceMillis + ": " + last + ", recovery " + recovery + ", with "
                            + counts + " from " + processes,
                    e);
        }
        return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private boolean hasAllKinds(ReserverProcess process, long sinceMillis) {
        long kinds = seen(process).lastMillisByKind.values().stream()
                .filter(last -> last > sinceMillis)
                .count();
        return kinds == LeasedIdsOpener.KINDS;
    }

    private Seen seen(ReserverProcess process) {
        Seen known = requireNonNull(seen.get(process));
        List<Reservation> more = process.reservations(known.count);
        known.count += more.size();
        for (Reservation each : more) {
            known.lastMillisByKind.put(each.block().step(), each.atMillis());
            if (each.block().step() == LeasedIdsOpener.KINDS) {
                highestInteger = Math.max(highestInteger, last(each.block()));
            }
        }
        return known;
    }

    private static long last(Block block) {
        return block.first() + block.count() - 1;
    }

    /**
     * If the monitor demands a recovery, recovers the shard above all integers that the processes have, as an operator
     * does.
     */
    private void recoverIntegers() {
        JdbcShards shards = JdbcShards.builder()
                .shard(UrlDataSource.of(url, null, null))
                .statementTimeout(Duration.ofSeconds(30))
                .callTimeout(Duration.ofMinutes(1))
                .build();
        try {
            if (new JdbcMonitor(shards).read().shards().get(0).problem().contains("run recover")) {
                all.forEach(this::seen);
                Map<String, Long> above = Map.of(LeasedIdsOpener.INTEGERS, highestInteger + INTEGERS_IN_MEMORY);
                new JdbcSchema(shards).recover(0, above);
                count("integers recovered", 1);
            }
            recovery = "";
        } catch (BlockStoreException e) {
            recovery = e.toString(); // The next call tries again.
        }
    }

    // --- the network, and locks

    private void hangNetwork() {
        ways.forEach(way -> way.relay().hang());
        pass(longOrShort());
        ways.forEach(way -> way.relay().work());
    }

    /** Runs a fault while no process can connect to the database. */
    void whileCutOff(Fault fault) throws Exception {
        ways.forEach(way -> way.relay().breakConnections());
        fault.happen();
        ways.forEach(way -> way.relay().work());
    }

    private void lockRows() throws SQLException {
        thawAll();
        try (Connection connection = connect(url)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            lock(connection, LOCKS.get(random(LOCKS.size())));
            pass(longOrShort());
            connection.rollback();
        }
    }

    /** Locks rows. Retries after a failure, such as a deadlock with a process. */
    static void lock(Connection connection, String sql) throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return;
            } catch (SQLException e) {
                connection.rollback();
                if (tries == 20) {
                    throw e;
                }
            }
        }
    }

    // --- the database loses data

    /** Records that the database loses the grants that are in {@code present}, but not in {@code remembered}. */
    void loses(Set<String> remembered, Set<String> present) {
        present.removeAll(remembered);
        count("grants forgotten", present.size());
        count("losses with grants forgotten", present.isEmpty() ? 0 : 1);
        losses.add(System.currentTimeMillis());
    }

    /** Waits until all losses that {@link #loses} has recorded are noted in the tables. */
    void awaitNoted() {
        Await.until("the loss is noted", () -> {
            pass(Duration.ofMillis(20));
            try (Connection connection = connect(url)) {
                return lossesNoted(connection) >= losses.size();
            } catch (SQLException e) {
                return false;
            }
        });
    }

    Set<String> grants() throws SQLException {
        try (Connection connection = connect(url)) {
            return grants(connection);
        }
    }

    static Set<String> grants(Connection connection) throws SQLException {
        String query = "SELECT name, node_id, holder, token_sequence FROM snowcast_nodes WHERE attached = 1";
        return TableCopy.rows(connection, query).stream().map(Arrays::toString).collect(Collectors.toSet());
    }

    /** Reads all tables in one snapshot. */
    State state() throws SQLException {
        try (Connection connection = connect(url)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            return new State(TableCopy.of(connection, TABLES), grants(connection));
        }
    }

    /** Loads a former state and marks the database as restored, as the documentation tells operators. */
    static void loadWithMark(State state, Connection connection) throws SQLException {
        state.tables().restore(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE snowcast_database SET server_id = 'restored'");
        }
    }

    static Connection connect(String toUrl) throws SQLException {
        return UrlDataSource.of(toUrl, null, null).getConnection();
    }

    // --- checks of the generated IDs

    private static int lossesNoted(Connection connection) throws SQLException {
        Object[] row = TableCopy.rows(connection, "SELECT losses FROM snowcast_database")
                .get(0);
        return (int) (((Number) row[0]).longValue() / LostGrants.LOSS);
    }

    private void check() throws SQLException {
        try (Connection connection = connect(url)) {
            int noted = lossesNoted(connection);
            count("losses noted in the tables", noted);
            if (noted > losses.size()) {
                // A loss that is noted by mistake prevents new grants for longer than a lease.
                throw new AssertionError("noted a loss without one: " + noted + " of " + losses.size());
            }
        }
        count("processes", all.size());
        for (int kind = 1; kind <= LeasedIdsOpener.KINDS; kind++) {
            check(kind);
        }
    }

    /** Checks that no ID was issued twice, and no two processes used the same millisecond of a sequencer's node ID. */
    private void check(int kind) {
        boolean isOfSequencer = kind <= LeasedIdsOpener.SEQUENCERS.size();
        List<Range> ranges = new ArrayList<>();
        for (int process = 0; process < all.size(); process++) {
            for (Reservation each : all.get(process).reservations()) {
                if (each.block().step() == kind) {
                    ranges.add(new Range(each.block().first(), last(each.block()), process));
                    count(TAKEN_OVER, isOfSequencer && isWithinALoss(each.atMillis()) ? 1 : 0);
                }
            }
        }
        if (isOfSequencer) {
            countNodes(LeasedIdsOpener.SEQUENCERS.get(kind - 1).layout().logicalNodeBits(), ranges);
        }
        ranges.sort(Comparator.comparingLong(Range::first));
        for (int i = 1; i < ranges.size(); i++) {
            Range before = ranges.get(i - 1);
            Range after = ranges.get(i);
            boolean isShared = isOfSequencer
                    && before.process() != after.process()
                    && before.millisecondOfNode() == after.millisecondOfNode();
            if (isShared || after.first() <= before.last()) {
                throw new AssertionError("used twice, of kind " + kind + ": " + before + " and " + after + "; " + counts
                        + "; " + all.get(before.process()) + "; " + all.get(after.process()));
            }
        }
        String what = isOfSequencer ? "IDs of sequencers" : OTHERS.get(kind - 1 - LeasedIdsOpener.SEQUENCERS.size());
        count(what, (int) ranges.stream()
                .mapToLong(each -> each.last() - each.first() + 1)
                .sum());
    }

    private void countNodes(int nodeBits, List<Range> ranges) {
        Map<Integer, Set<Integer>> usersByNode = new HashMap<>();
        Map<Integer, Integer> lastNodes = new HashMap<>();
        for (Range range : ranges) {
            int node = (int) range.millisecondOfNode() & ((1 << nodeBits) - 1);
            usersByNode.computeIfAbsent(node, key -> new HashSet<>()).add(range.process());
            Integer last = lastNodes.put(range.process(), node);
            count("attached to another node ID", last != null && last != node ? 1 : 0);
        }
        usersByNode.values().forEach(users -> count("node IDs granted to another process", users.size() - 1));
    }

    /**
     * Returns whether a time is less than one second after the end of all leases from before a loss. IDs at this time
     * are from holders that kept their node IDs.
     */
    private boolean isWithinALoss(long atMillis) {
        long longest = LONG_LEASE.plus(LeasedIdsOpener.SKEW).toMillis();
        return losses.stream().anyMatch(loss -> atMillis > loss + longest && atMillis < loss + longest + 1_000);
    }

    @Override
    public void close() {
        all.forEach(ReserverProcess::close);
    }
}
