// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static java.util.Objects.requireNonNull;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import com.noctarius.snowcast.tests.store.ReserverProcess.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
 * Processes with a {@link JdbcSnowcast} each, which generate IDs all the time, and faults in an order that follows from
 * the seed: each kind of fault once, then each once more in another order, until the time is over. Every ID that a
 * process got is compared with those of all others.
 */
final class LeaseProcesses implements AutoCloseable {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);
    /** For holders that a database can take over after a loss: a fail-over takes some seconds. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(20);

    static final String TAKEN_OVER = "IDs after a loss, of holders that were taken over";
    private static final int PROCESSES = 5;
    private static final List<String> TABLES = List.of("snowcast_database", "snowcast_names", "snowcast_nodes");

    private final String url;
    private final Path directory;
    private final Random random;
    private final Map<String, Fault> faults = new TreeMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    /** Those that were killed, too. */
    private final List<ReserverProcess> all = new ArrayList<>();

    private final List<ReserverProcess> processes = new ArrayList<>();
    private final Map<ReserverProcess, Duration> leases = new HashMap<>();
    /** When frozen processes go on, by {@link System#nanoTime()}. */
    private final Map<ReserverProcess, Long> frozen = new HashMap<>();
    /** When the database lost something, in milliseconds since 1970. */
    private final List<Long> losses = new ArrayList<>();

    /** What happens to the database; returns when it is up again. */
    interface Fault {
        void happen() throws Exception;
    }

    /** IDs of one sequencer that follow each other in a process. */
    private record Range(long first, long last, int process) {
        long millisecondOfNode() {
            return first >> LeasedIdsOpener.COUNTER_BITS;
        }
    }

    LeaseProcesses(String url, Path directory, long seed) {
        this.url = url;
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

    int random(int bound) {
        return random.nextInt(bound);
    }

    void run(Duration duration) throws Exception {
        try (JdbcSnowcast snowcast = LeasedIdsOpener.snowcast(url, LONG_LEASE)) {
            snowcast.createTables();
            // The tables know the longest lease from a grant, before the first loss.
            snowcast.createSequencer("first", SnowcastEpoch.byTimestamp(1_700_000_000_000L));
        }
        with("a process is killed", this::replaceProcess);
        with("a process is frozen", this::freezeProcess);
        for (int i = 0; i < PROCESSES; i++) {
            start(i);
        }
        processes.forEach(process -> process.awaitMore(20));
        long end = System.nanoTime() + duration.toNanos();
        do {
            List<String> order = new ArrayList<>(faults.keySet());
            Collections.shuffle(order, random);
            for (String fault : order) {
                requireNonNull(faults.get(fault)).happen();
                count(fault, 1);
                pass(Duration.ofMillis(200 + random(3_000)));
            }
        } while (System.nanoTime() - end < 0);
        endWell();
        check();
    }

    /** Lets time pass, and frozen processes go on. */
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
        List<String> arguments = List.of(url, Long.toString(lease.toSeconds()));
        ReserverProcess process = ReserverProcess.start(own, LeasedIdsOpener.class, arguments, "ids", 1);
        all.add(process);
        leases.put(process, lease);
        processes.add(place, process);
        return process;
    }

    /** Kills any process, and starts another one. */
    ReserverProcess replaceProcess() throws IOException {
        return replaceProcess(random(PROCESSES));
    }

    private ReserverProcess replaceProcess(int place) throws IOException {
        ReserverProcess victim = processes.remove(place);
        frozen.remove(victim);
        victim.close();
        return start(place);
    }

    /** Longer than its lease. */
    private void freezeProcess() {
        // One whose lease is short, so that it is often over.
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

    private void thawAll() {
        frozen.replaceAll((process, when) -> System.nanoTime());
        thaw(System.nanoTime());
    }

    /** With everything up, each process generates IDs of each sequencer. */
    private void endWell() {
        thawAll();
        long sinceMillis = System.currentTimeMillis();
        for (ReserverProcess process : processes) {
            process.awaitMore(1);
            Await.until("IDs of all sequencers from " + process, () -> {
                pass(Duration.ofMillis(200));
                return process.reservations().stream()
                                .filter(each -> each.atMillis() > sinceMillis)
                                .map(each -> each.block().step())
                                .collect(Collectors.toSet())
                                .size()
                        == LeasedIdsOpener.SEQUENCERS.size();
            });
        }
        processes.forEach(ReserverProcess::close);
    }

    // --- the database forgets

    /** Notes that the database is about to lose what it has granted since the given grants were there. */
    void loses(Set<String> remembered, Set<String> present) {
        present.removeAll(remembered);
        count("grants forgotten", present.size());
        count("losses with grants forgotten", present.isEmpty() ? 0 : 1);
        losses.add(System.currentTimeMillis());
    }

    /** Reads who holds what. */
    static Set<String> grants(Connection connection) throws SQLException {
        return rows(connection, "SELECT name, node_id, holder, token_sequence FROM snowcast_nodes WHERE attached = 1")
                .stream()
                .map(Arrays::toString)
                .collect(Collectors.toSet());
    }

    /**
     * Loads a former state of the tables into the same server of PostgreSQL, with the mark that the documents ask for.
     */
    void restore() throws Exception {
        List<List<Object[]>> state = new ArrayList<>();
        Set<String> remembered;
        try (Connection connection = connect(url)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            for (String table : TABLES) {
                state.add(rows(connection, "SELECT * FROM " + table));
            }
            remembered = grants(connection);
        }
        replaceProcess().awaitMore(20);
        thawAll(); // One may have been frozen in a transaction, and hold a lock.
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE " + String.join(", ", TABLES) + " IN ACCESS EXCLUSIVE MODE");
            loses(remembered, grants(connection));
            for (int i = 0; i < TABLES.size(); i++) {
                statement.execute("DELETE FROM " + TABLES.get(i));
                for (Object[] row : state.get(i)) {
                    String marks = "?, ".repeat(row.length - 1) + "?";
                    try (PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO " + TABLES.get(i) + " VALUES (" + marks + ")")) {
                        Transaction.set(insert, row);
                        insert.executeUpdate();
                    }
                }
            }
            statement.execute("UPDATE snowcast_database SET server_id = 'restored'");
            connection.commit();
        }
    }

    static Connection connect(String toUrl) throws SQLException {
        return new UrlDataSource(toUrl, null, null).getConnection();
    }

    private static List<Object[]> rows(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<Object[]> rows = new ArrayList<>();
            while (row.next()) {
                Object[] values = new Object[row.getMetaData().getColumnCount()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = row.getObject(i + 1);
                }
                rows.add(values);
            }
            return rows;
        }
    }

    // --- what they have generated

    private void check() throws SQLException {
        try (Connection connection = connect(url)) {
            Object[] noted = rows(connection, "SELECT losses / 4294967296 FROM snowcast_database")
                    .get(0);
            int notedCount = ((Number) noted[0]).intValue();
            count("losses noted in the tables", notedCount);
            if (notedCount > losses.size()) {
                // Each costs those who have no node ID the wait for a lease.
                throw new AssertionError("noted a loss without one: " + notedCount + " of " + losses.size());
            }
        }
        count("processes", all.size());
        for (int i = 1; i <= LeasedIdsOpener.SEQUENCERS.size(); i++) {
            check(i);
        }
    }

    /** Checks that no process has used a millisecond of a node ID that another one has used, and none an ID twice. */
    private void check(int sequencer) {
        List<Range> ranges = new ArrayList<>();
        Map<Integer, Set<Integer>> usersByNode = new HashMap<>();
        int nodeMask =
                (1 << LeasedIdsOpener.SEQUENCERS.get(sequencer - 1).layout().logicalNodeBits()) - 1;
        for (int process = 0; process < all.size(); process++) {
            int lastNode = -1;
            for (Reservation each : all.get(process).reservations()) {
                Block block = each.block();
                if (block.step() != sequencer) {
                    continue;
                }
                Range range = new Range(block.first(), block.first() + block.count() - 1, process);
                ranges.add(range);
                int node = (int) range.millisecondOfNode() & nodeMask;
                usersByNode.computeIfAbsent(node, key -> new HashSet<>()).add(process);
                count("attached to another node ID", lastNode >= 0 && lastNode != node ? 1 : 0);
                lastNode = node;
                count(TAKEN_OVER, isWithinALoss(each.atMillis()) ? 1 : 0);
            }
        }
        usersByNode.values().forEach(users -> count("node IDs granted to another process", users.size() - 1));
        ranges.sort(Comparator.comparingLong(Range::first));
        for (int i = 1; i < ranges.size(); i++) {
            Range before = ranges.get(i - 1);
            Range after = ranges.get(i);
            boolean isShared =
                    before.process() != after.process() && before.millisecondOfNode() == after.millisecondOfNode();
            if (isShared || after.first() <= before.last()) {
                throw new AssertionError("used twice, of " + LeasedIdsOpener.SEQUENCERS.get(sequencer - 1) + ": "
                        + before + " and " + after + "; " + counts + "; " + all.get(before.process()) + "; "
                        + all.get(after.process()));
            }
        }
        count("IDs", (int) ranges.stream()
                .mapToLong(each -> each.last() - each.first() + 1)
                .sum());
    }

    /**
     * Whether only holders that the database has taken over after a loss have IDs at a time: the others' leases are
     * over.
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
