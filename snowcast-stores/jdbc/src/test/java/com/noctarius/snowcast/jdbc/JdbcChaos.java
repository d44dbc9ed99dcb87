// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import com.noctarius.snowcast.tests.store.ReserverProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule of faults, while processes reserve integers and agents insert windows. The schedule kills servers,
 * cuts connections, locks windows, freezes and kills processes and agents, and changes the list of shards. At the end a
 * ledger checks all integers that the processes reserved. The seed determines the random choices, but the schedule also
 * depends on the timing.
 */
final class JdbcChaos implements AutoCloseable {
    private static final String SEQUENCE = "orders";
    private static final String TABLE = "chaos";
    private static final long LAST = 900_000_000;
    private static final int WINDOW_SIZE = 20_000;
    private static final int MIN_OPEN_WINDOWS = 4;
    private static final int PROCESSES = 4;
    private static final int AGENTS = 2;
    private static final int MAX_BLOCK = 50;
    private static final int TRIES_BEFORE_HEALING = 5;

    private final List<Place> places;
    private final ConnectionsOf connectionsOf;
    private final Path directory;
    private final Random random;
    private final Map<Step, Integer> counts = new EnumMap<>(Step.class);
    /** All processes, including killed ones. */
    private final List<ReserverProcess> all = new ArrayList<>();

    private final List<ReserverProcess> processes = new ArrayList<>();
    private final Map<ReserverProcess, List<Integer>> lists = new HashMap<>();
    private final List<AgentProcess> agents = new ArrayList<>();
    private List<Integer> current = List.of(0, 1, 2);
    private int directories;

    // --- lasting faults that have not ended
    private BlockStoreContract.@Nullable Server dead;
    private @Nullable ReserverProcess frozenProcess;
    private @Nullable AgentProcess frozenAgent;
    private @Nullable Connection locking;

    record Place(BlockStoreContract.Server server, String url) {}

    /** Returns statements that kill all connections to the database, except the connection that runs them. */
    interface ConnectionsOf {
        List<String> killing(Statement statement) throws SQLException;
    }

    /**
     * The kinds of steps. A fault that lasts, such as a frozen process, ends at the next step of its kind, or earlier.
     */
    enum Step {
        KILL_SERVER,
        CUT_CONNECTIONS,
        LOCK_WINDOWS,
        FREEZE_PROCESS,
        KILL_PROCESS,
        FREEZE_AGENT,
        KILL_AGENT,
        CHANGE_SHARDS
    }

    /** Creates a schedule for four databases, three of which are shards at first. */
    JdbcChaos(List<Place> places, ConnectionsOf connectionsOf, Path directory, long seed) {
        this.places = places;
        this.connectionsOf = connectionsOf;
        this.directory = directory;
        this.random = new Random(seed);
    }

    private TestShards list(List<Integer> indices) {
        return TestShards.of(
                TABLE, indices.stream().map(places::get).map(Place::url).toList());
    }

    void run(Duration duration) throws Exception {
        JdbcSchema schema = new JdbcSchema(list(current).plain());
        schema.create(WINDOW_SIZE);
        schema.defineSequence(SEQUENCE, 1, LAST);
        new WindowAgent(list(current).plain(), MIN_OPEN_WINDOWS).topUp();
        for (int i = 0; i < AGENTS; i++) {
            agents.add(startAgent());
        }
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(startProcess());
        }
        processes.forEach(process -> process.awaitMore(20));
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            Step step = Step.values()[random.nextInt(Step.values().length)];
            counts.merge(step, 1, Integer::sum);
            take(step);
            goOn();
        }
        heal();
        retry("the agent runs", () -> topUp(current));
        for (ReserverProcess process : List.copyOf(processes)) {
            if (!current.equals(lists.get(process))) {
                replace(process);
            }
        }
        processes.forEach(process -> process.awaitMore(50));
        for (AgentProcess agent : agents) {
            agent.requireAlive();
        }
        processes.forEach(ReserverProcess::stop);
    }

    /** Checks that no integer was issued twice. Returns a summary for the log. */
    String report() {
        BlockLedger ledger = new BlockLedger(1, LAST);
        all.forEach(process -> process.blocks().forEach(ledger::add));
        return String.format(
                "%,d blocks with %,d integers from %d processes, none twice; %s",
                all.stream().mapToLong(ReserverProcess::count).sum(), ledger.count(), all.size(), counts);
    }

    /** Waits until the processes have reserved a random number of blocks, or a random time has passed. */
    private void goOn() {
        long goal = blocks() + random.nextInt(500);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(2_000));
        while (blocks() < goal && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private long blocks() {
        return processes.stream().mapToLong(ReserverProcess::count).sum();
    }

    // --- processes

    private Path ownDirectory() throws IOException {
        return Files.createDirectory(directory.resolve("own" + directories++));
    }

    private AgentProcess startAgent() throws IOException {
        return AgentProcess.start(ownDirectory(), list(current), MIN_OPEN_WINDOWS);
    }

    private ReserverProcess startProcess() throws IOException {
        TestShards list = list(current);
        List<String> arguments = new ArrayList<>(List.of(list.table()));
        arguments.addAll(list.urls());
        ReserverProcess process =
                ReserverProcess.start(ownDirectory(), JdbcOpener.class, arguments, SEQUENCE, MAX_BLOCK);
        all.add(process);
        lists.put(process, current);
        return process;
    }

    private void replace(ReserverProcess process) throws IOException {
        process.close();
        processes.set(processes.indexOf(process), startProcess());
    }

    private void replace(AgentProcess agent) throws IOException {
        agent.close();
        agents.set(agents.indexOf(agent), startAgent());
    }

    // --- steps

    private void take(Step step) throws Exception {
        switch (step) {
            case KILL_SERVER -> {
                if (!restartServer()) {
                    dead = places.get(random.nextInt(places.size())).server();
                    dead.kill();
                }
            }
            case CUT_CONNECTIONS -> cutConnections(places.get(random.nextInt(places.size())));
            case LOCK_WINDOWS -> {
                if (!unlock()) {
                    lock(places.get(current.get(random.nextInt(current.size()))));
                }
            }
            case FREEZE_PROCESS -> {
                if (!thawProcess()) {
                    frozenProcess = processes.get(random.nextInt(processes.size()));
                    frozenProcess.freeze();
                }
            }
            case KILL_PROCESS -> {
                ReserverProcess victim = processes.get(random.nextInt(processes.size()));
                frozenProcess = victim == frozenProcess ? null : frozenProcess;
                replace(victim);
            }
            case FREEZE_AGENT -> {
                if (!thawAgent()) {
                    frozenAgent = agents.get(random.nextInt(agents.size()));
                    frozenAgent.freeze();
                }
            }
            case KILL_AGENT -> {
                AgentProcess victim = agents.get(random.nextInt(agents.size()));
                frozenAgent = victim == frozenAgent ? null : frozenAgent;
                replace(victim);
            }
            case CHANGE_SHARDS -> changeShards();
        }
    }

    private void cutConnections(Place place) {
        try (Connection connection = UrlDataSource.of(place.url(), null, null).getConnection();
                Statement statement = connection.createStatement()) {
            for (String kill : connectionsOf.killing(statement)) {
                execute(statement, kill);
            }
        } catch (SQLException e) {
            // The server is dead.
        }
    }

    private static void execute(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            // The connection that was to be killed has already ended.
        }
    }

    /** Locks windows, like a client that is paused within a reservation. */
    private void lock(Place place) throws SQLException {
        try {
            Connection connection = UrlDataSource.of(place.url(), null, null).getConnection();
            locking = connection;
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT window_start_value FROM " + TABLE
                            + " WHERE next_hi_value < window_end_value ORDER BY window_start_value LIMIT "
                            + (1 + random.nextInt(MIN_OPEN_WINDOWS)) + " FOR UPDATE")) {
                rows.next();
            }
        } catch (SQLException e) {
            // The server is dead, or another client holds the lock for longer than the time-out.
            unlock();
        }
    }

    /** Changes to a random list of shards that keeps more than half of the present ones. */
    private void changeShards() throws Exception {
        restartServer();
        List<Integer> former = current;
        List<Integer> next;
        do {
            List<Integer> shuffled =
                    new ArrayList<>(IntStream.range(0, places.size()).boxed().toList());
            Collections.shuffle(shuffled, random);
            next = List.copyOf(shuffled.subList(0, 2 + random.nextInt(2)));
        } while (next.equals(former)
                || 2 * former.stream().filter(next::contains).count() <= former.size());
        List<Integer> chosen = next;
        retry("the agent of the former list runs", () -> topUp(former));
        retry("the list is changed", () -> new JdbcSchema(list(chosen).plain()).changeShards(WINDOW_SIZE));
        current = chosen;
        retry("the agent of the new list runs", () -> topUp(chosen));
        // Keep a frozen agent or process, which later continues with the former list.
        for (AgentProcess agent : List.copyOf(agents)) {
            if (agent != frozenAgent) {
                replace(agent);
            }
        }
        for (ReserverProcess process : List.copyOf(processes)) {
            if (process != frozenProcess) {
                replace(process);
            }
        }
    }

    private void topUp(List<Integer> indices) {
        new WindowAgent(list(indices).plain(), MIN_OPEN_WINDOWS).topUp();
    }

    /**
     * Retries an action until it succeeds. It fails, for example, while a paused client holds a lock. After several
     * failures, ends all faults.
     */
    private void retry(String what, Runnable action) {
        int[] tries = {0};
        Await.until(what, () -> {
            try {
                if (tries[0]++ == TRIES_BEFORE_HEALING) {
                    heal();
                }
                action.run();
                return true;
            } catch (BlockStoreException e) {
                return false;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    // --- methods that end faults

    private void heal() throws Exception {
        restartServer();
        unlock();
        thawProcess();
        thawAgent();
    }

    private boolean restartServer() throws Exception {
        BlockStoreContract.Server server = dead;
        dead = null;
        if (server != null) {
            server.restart();
        }
        return server != null;
    }

    private boolean unlock() {
        Connection connection = locking;
        locking = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // A fault has broken this connection.
            }
        }
        return connection != null;
    }

    private boolean thawProcess() {
        ReserverProcess process = frozenProcess;
        frozenProcess = null;
        if (process != null) {
            process.thaw();
        }
        return process != null;
    }

    private boolean thawAgent() throws Exception {
        AgentProcess agent = frozenAgent;
        frozenAgent = null;
        if (agent != null) {
            agent.thaw();
        }
        return agent != null;
    }

    @Override
    public void close() {
        unlock();
        all.forEach(ReserverProcess::close);
        agents.forEach(AgentProcess::close);
    }
}
