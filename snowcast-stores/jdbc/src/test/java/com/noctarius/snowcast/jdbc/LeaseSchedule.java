// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule with several holders of one name. Each holder has its own coordinator and clocks. A holder's
 * machine may be suspended for longer than a lease; both of its clocks then continue where they stopped. The database
 * is H2, with its time and the name of its server in a table that the test changes. Before any statement, another
 * holder may send a request. Before or after any statement, the connection may break. A former state may replace the
 * database, in each of the ways that holders can detect: on another server; on the same server, marked as restored by
 * another {@code server_id} in {@code snowcast_database}; or on the same server without a mark. In the last case, the
 * next request must come from a process that has committed more than the state contains.
 */
final class LeaseSchedule {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final List<String> TABLES = List.of("snowcast_names", "snowcast_nodes", "snowcast_database");
    private static final int HOLDERS = 3;
    private static final int NODE_IDS = 3;
    private static final int STEPS = 60;
    static final long LEASE = 1_000;
    static final long SKEW = 200;
    private static final long CUT_OFF = 100;
    private static final Definition DEFINITION = new Definition(0, new SnowcastLayout(41, 2, 10), 0, null);

    static final class Reached {
        private final Map<String, Integer> counts = new TreeMap<>();

        void count(String what) {
            counts.merge(what, 1, Integer::sum);
        }

        Map<String, Integer> rare() {
            Map<String, Integer> rare = new TreeMap<>();
            for (String what : List.of(
                    "attached",
                    "renewed",
                    "renewed after a loss",
                    "refused",
                    "destroyed",
                    "detached",
                    "failed over",
                    "failed over, and grants forgotten",
                    "restored",
                    "restored with a mark",
                    "former grant renewed late",
                    "broken before a statement",
                    "broken after a statement",
                    "acted in between",
                    "granted again")) {
                rare.put(what, counts.getOrDefault(what, 0));
            }
            return rare;
        }

        @Override
        public String toString() {
            return counts.toString();
        }
    }

    /**
     * The contents of the tables at one time.
     *
     * @param requests how many requests had been sent by then
     */
    record State(int requests, TableCopy tables) {}

    private final Random random;
    private final int nodeIds;
    private final Reached reached;
    private final String url;
    private final List<Holder> holders = new ArrayList<>();
    private final List<State> formerStates = new ArrayList<>();
    /** The holder and grant that have used each millisecond of each node ID. */
    private final Map<String, String> used = new HashMap<>();

    private final Map<Integer, String> lastHolder = new HashMap<>();
    private final Connection keeper;
    private long nowMillis = 1_000_000;
    private long databaseOffset;
    private int server;
    private int requests;
    private boolean isNested;
    /** Runs at the statement at which {@link #statementsBefore} becomes 0; null if there is none. */
    private @Nullable Interruption interruption;

    private int statementsBefore;
    private boolean isBeforeStatement = true;
    /** Whether random faults are switched off. */
    private boolean isCalm = true;

    /** Code that runs before or after a statement of a request. It may break the connection. */
    interface Interruption {
        void run() throws SQLException;
    }

    LeaseSchedule(long seed, Reached reached) throws SQLException {
        this(seed, NODE_IDS, reached);
    }

    LeaseSchedule(long seed, int nodeIds, Reached reached) throws SQLException {
        this.random = new Random(seed);
        this.nodeIds = nodeIds;
        this.reached = reached;
        this.url = "jdbc:h2:mem:schedule" + DATABASES.incrementAndGet() + ";LOCK_TIMEOUT=1";
        this.keeper = DriverManager.getConnection(url);
        sql("CREATE TABLE test_server (server VARCHAR(20), millis BIGINT)");
        sql("INSERT INTO test_server VALUES ('S0', 0)");
        for (int i = 0; i < HOLDERS; i++) {
            holders.add(new Holder());
        }
        holders.get(0).coordinator.createTables();
        isCalm = false;
    }

    private static Dialect dialect() {
        return Dialect.builder("H2 by hand")
                .script(Dialect.resource("postgresql.sql"))
                .lock("unused")
                .leases(Dialect.resource("postgresql/R__snowcast_leases.sql"), "(SELECT millis FROM test_server)")
                .server("(SELECT server FROM test_server)")
                .build();
    }

    void run() throws Exception {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
                if (random.nextInt(4) == 0) {
                    state();
                }
                switch (random.nextInt(50)) {
                    case 0, 1 -> failOver();
                    case 2, 3, 4, 5 -> restore();
                    default -> {}
                }
            }
            isCalm = true;
            endsWell();
        } finally {
            keeper.close();
        }
    }

    /**
     * Runs a schedule without broken connections, in which a holder attaches and its machine is suspended. The database
     * fails over once, at any step.
     */
    void runWithASuspension() throws Exception {
        isCalm = true;
        try {
            pass(1);
            holders.get(0).attach();
            holders.get(0).suspend(LEASE + random.nextLong(4 * LEASE));
            int failsOver = random.nextInt(STEPS);
            for (int step = 0; step < STEPS; step++) {
                pass(random.nextInt(200));
                state();
                if (step == failsOver) {
                    failOver(formerStates.get(random.nextInt(formerStates.size())), 0);
                }
                step(holders.get(random.nextInt(HOLDERS)));
            }
        } finally {
            keeper.close();
        }
    }

    /**
     * Runs a schedule in which no state is lost. Returns the column {@code losses} of {@code snowcast_database}, which
     * is 0 unless a coordinator noted a loss of data by mistake.
     */
    long lossesWithoutFailOver() throws Exception {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            return losses();
        } finally {
            keeper.close();
        }
    }

    /**
     * Breaks the connection after the given statement of a detach, and lets another holder attach before the next
     * statement. Returns the column {@code losses} of {@code snowcast_database}, which is 0 unless a coordinator noted
     * a loss of data by mistake.
     *
     * @param statement the number of the statement, from 1
     */
    long lossesAfterALostAnswerToADetach(int statement) throws SQLException {
        isCalm = true;
        Holder leaving = holders.get(0);
        pass(1);
        leaving.attach();
        pass(1);
        Interruption broken = () -> {
            statementsBefore = 1;
            isBeforeStatement = true;
            interruption = holders.get(1)::attach;
            breakConnection(false);
        };
        interrupt(statement, false, broken, leaving::detach);
        try {
            return losses();
        } finally {
            keeper.close();
        }
    }

    private long losses() throws SQLException {
        return (Long)
                TableCopy.rows(keeper, "SELECT losses FROM snowcast_database").get(0)[0];
    }

    /**
     * Lets all holders attach, and restores the state before these attaches, on the same server. All holders renew
     * their grants, and a loss is noted. Then restores that state again, which does not contain the record of the loss.
     * Returns whether a holder can attach after the second restore.
     */
    boolean attachesAfterItsLossIsForgotten() throws SQLException {
        isCalm = true;
        pass(1);
        State state = state();
        holders.forEach(Holder::attach);
        replaceBy(state);
        for (Holder holder : holders) {
            pass(1);
            holder.renew();
        }
        replaceBy(state);
        Holder next = holders.get(0);
        next.abandon();
        next.attach();
        pass(1);
        keeper.close();
        return next.grant != null;
    }

    private void step() throws SQLException {
        pass(random.nextInt(4) == 0 ? random.nextInt(900) : random.nextInt(60));
        step(holders.get(random.nextInt(HOLDERS)));
    }

    /**
     * Checks that, without faults, every holder gets a grant after all leases and waits have ended. Before that, each
     * process may detect one more loss.
     */
    private void endsWell() throws SQLException {
        for (Holder holder : holders) {
            holder.abandon();
            holder.setClock();
        }
        for (int i = 0; i <= HOLDERS; i++) {
            pass(20 * LEASE);
            holders.stream().filter(holder -> holder.grant == null).forEach(Holder::attach);
        }
        for (Holder holder : holders) {
            if (holder.grant == null) {
                throw new AssertionError("not served: " + holder.failure, holder.failure);
            }
        }
    }

    /**
     * Lets a holder take the node ID of an expired grant. Just before the given statement of its attach, the former
     * holder renews the grant. Then both holders use their grants. Returns whether the attach has that many statements.
     */
    boolean renewsWhileItIsTaken(int statement) throws SQLException {
        isCalm = true;
        for (Holder holder : holders) {
            pass(1);
            holder.attach();
        }
        pass(LEASE + 2);
        Holder expired = holders.get(0);
        Holder taker = holders.get(1);
        taker.abandon();
        boolean wasReached = interrupt(statement, true, expired::renew, taker::attach);
        for (int i = 0; i < 2 * LEASE / 100; i++) {
            pass(100);
        }
        keeper.close();
        return wasReached;
    }

    /**
     * Runs a request, and an interruption before or after the given statement of the request. Returns whether the
     * request reached that statement.
     */
    boolean interrupt(int statement, boolean isBefore, Interruption what, Runnable request) {
        statementsBefore = statement;
        isBeforeStatement = isBefore;
        interruption = what;
        request.run();
        boolean wasReached = interruption == null;
        interruption = null;
        return wasReached;
    }

    void breakConnection(boolean isBefore) throws SQLException {
        reached.count(isBefore ? "broken before a statement" : "broken after a statement");
        throw new SQLException("broken by the test", "08006");
    }

    void calm() {
        isCalm = true;
    }

    Holder holder(int index) {
        return holders.get(index);
    }

    State state() throws SQLException {
        State state = new State(requests, TableCopy.of(keeper, TABLES));
        formerStates.add(state);
        return state;
    }

    void close() throws SQLException {
        keeper.close();
    }

    void pass(long millis) throws SQLException {
        holders.forEach(holder -> holder.lag(millis));
        nowMillis += millis;
        setTime();
        holders.forEach(Holder::use);
    }

    private void setTime() throws SQLException {
        sql("UPDATE test_server SET millis = " + (nowMillis + databaseOffset));
    }

    private void step(Holder holder) {
        if (holder.isSuspended()) {
            return;
        }
        switch (random.nextInt(12)) {
            case 0 -> holder.detach();
            case 1 -> holder.abandon();
            case 2 -> holder.setClock();
            case 3 -> {
                if (random.nextInt(2) == 0) {
                    holder.destroy();
                }
            }
            case 4 -> holder.renewFormer();
            default -> holder.go();
        }
        holder.use();
    }

    // --- the database

    private void sql(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Replaces the present state by a former state, and forgets all later states. */
    void replaceBy(State state) throws SQLException {
        formerStates
                .subList(formerStates.indexOf(state) + 1, formerStates.size())
                .clear();
        state.tables().restore(keeper);
    }

    /**
     * Restores a former state on the same server, sometimes with a mark. Without a mark, a process that has committed a
     * request after this state must send the next request, because only such a process detects the loss.
     */
    private void restore() throws SQLException {
        if (formerStates.isEmpty()) {
            return;
        }
        State state = formerStates.get(random.nextInt(formerStates.size()));
        if (random.nextInt(4) == 0) {
            restoreWithMark(state);
            return;
        }
        List<Holder> knowing = knowing(state);
        if (!knowing.isEmpty()) {
            restore(state, knowing.get(random.nextInt(knowing.size())));
            isCalm = false;
        }
    }

    /** Returns the holders whose process remembers that it has committed a request after the given state. */
    List<Holder> knowing(State state) {
        return holders.stream()
                .filter(holder -> holder.lastChange() > state.requests())
                .toList();
    }

    /** Restores a state. Then the given holder sends the first request. */
    void restore(State state, Holder asksFirst) throws SQLException {
        replaceBy(state);
        isCalm = true;
        if (asksFirst.grant == null) {
            asksFirst.attach();
        } else {
            asksFirst.renew();
        }
        reached.count("restored");
    }

    void restoreWithMark(State state) throws SQLException {
        replaceBy(state);
        sql("UPDATE snowcast_database SET server_id = 'restored'");
        reached.count("restored with a mark");
    }

    private void failOver() throws SQLException {
        if (!formerStates.isEmpty()) {
            failOver(formerStates.get(random.nextInt(formerStates.size())), random.nextLong(2 * SKEW / 4) - SKEW / 4);
        }
    }

    /** @param offset how many milliseconds the clock of the new server is ahead of the right time */
    void failOver(State state, long offset) throws SQLException {
        replaceBy(state);
        server++;
        sql("UPDATE test_server SET server = 'S" + server + "'");
        databaseOffset = offset;
        setTime();
        reached.count("failed over");
        for (Holder holder : holders) {
            if (holder.grant != null && !isStored(holder.grant.token())) {
                reached.count("failed over, and grants forgotten");
            }
        }
    }

    private boolean isStored(Grant.Token token) throws SQLException {
        try (var query =
                keeper.prepareStatement("SELECT 1 FROM snowcast_nodes WHERE table_id = ? AND token_sequence = ?")) {
            Transaction.set(query, token.tableId(), token.sequence());
            return query.executeQuery().next();
        }
    }

    /** Runs the interruption at its statement. With random faults, may break the connection or let a holder act. */
    private void atStatement(boolean isBefore) throws SQLException {
        if (interruption != null && isBefore == isBeforeStatement && --statementsBefore == 0) {
            Interruption next = interruption;
            interruption = null;
            next.run();
        }
        if (isCalm) {
            return;
        }
        int draw = random.nextInt(60);
        if (draw == 0) {
            breakConnection(isBefore);
        }
        if (draw < 10 && isBefore && !isNested) {
            isNested = true;
            try {
                reached.count("acted in between");
                step(holders.get(random.nextInt(HOLDERS)));
            } finally {
                isNested = false;
            }
        }
    }

    // --- a holder

    final class Holder {
        final JdbcCoordinator coordinator;
        UUID id = new UUID(random.nextLong(), random.nextLong());

        @Nullable
        Grant grant;

        private @Nullable Grant former;

        @Nullable
        RuntimeException failure;

        /** How many requests all holders had sent when this holder's last attach was granted. */
        private int lastAttach;
        /** How many requests all holders had sent when this holder's last renewal was granted. */
        private int lastRenewal;

        private boolean isBusy;
        private long requestNumber;
        private long ceiling;
        private long lastUsed = -1;
        /** The grant of {@link #lastUsed}. */
        private @Nullable Grant usedGrant;

        /** The clock at the last call of {@link #use}. */
        private long lastSeen;

        private long clockOffset;
        private long incarnation;
        private long suspendedUntil;
        /** How far the monotonic clock lags, because the machine was suspended. */
        private long lag;
        /** How far the wall clock lags for the same reason, until it is {@linkplain #setClock set}. */
        private long wallLag;

        Holder() {
            Shard shard = new Shard(
                    0,
                    1,
                    BreakingDataSource.of(url, LeaseSchedule.this::atStatement),
                    dialect(),
                    60,
                    Duration.ofMinutes(2));
            TableRules rules = new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + CUT_OFF, 0, nodeIds - 1);
            this.coordinator = JdbcCoordinatorTest.of(shard, "snowcast", rules, new Clocks(), Duration.ZERO);
        }

        /**
         * Returns how many requests had been sent by the last change that this holder's process remembers. The process
         * remembers a renewal only while it has the grant.
         */
        private int lastChange() {
            return grant == null ? lastAttach : Math.max(lastAttach, lastRenewal);
        }

        void setClock() {
            clockOffset = random.nextLong(SKEW) - SKEW / 2;
            wallLag = 0;
        }

        private long clock() {
            return nowMillis - wallLag + clockOffset;
        }

        /** Suspends the machine for the given time from now. */
        private void suspend(long millis) {
            suspendedUntil = nowMillis + millis;
        }

        private boolean isSuspended() {
            return nowMillis < suspendedUntil;
        }

        /** Lets the clocks lag if the machine is suspended during the next milliseconds, or during some of them. */
        private void lag(long nextMillis) {
            long stopped = Math.max(0, Math.min(nextMillis, suspendedUntil - nowMillis));
            lag += stopped;
            wallLag += stopped;
        }

        private final class Clocks implements Clock {
            @Override
            public long millis() {
                return clock();
            }

            @Override
            public long nanos() {
                return TimeUnit.MILLISECONDS.toNanos(nowMillis - lag);
            }

            @Override
            public void parkUntil(long millis) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void parkNanos(long nanos) {
                throw new UnsupportedOperationException();
            }
        }

        /**
         * Uses the present millisecond, and all milliseconds since the last call with the same grant, if the grant
         * contains them. After the end of a lease, a renewal brings no former millisecond back.
         */
        void use() {
            long now = Math.max(clock(), lastUsed + 1);
            long unseen = Math.min(now, lastSeen + 1);
            lastSeen = isSuspended() ? lastSeen : now;
            Grant present = grant;
            if (present == null || isSuspended() || now < present.floor() || lastUsed + 1 >= ceiling) {
                return;
            }
            long from = present.equals(usedGrant) ? Math.max(unseen, lastUsed + 1) : now;
            long end = Math.min(now + 1, ceiling);
            for (long millis = from; millis < end; millis++) {
                use(present, millis);
            }
        }

        private void use(Grant present, long millis) {
            lastUsed = millis;
            usedGrant = present;
            String user = id + "/" + present.token();
            String before = used.putIfAbsent(present.logicalNodeId() + "/" + millis, user);
            if (before != null && !before.equals(user)) {
                throw new AssertionError("node ID " + present.logicalNodeId() + " at " + millis + " was used by "
                        + before + " and by " + user);
            }
        }

        void go() {
            if (isBusy) {
                return;
            }
            if (grant == null) {
                attach();
            } else if (random.nextInt(4) != 0) {
                renew();
            }
        }

        void attach() {
            if (isBusy) {
                return;
            }
            asking(() -> {
                AttachRequest request =
                        new AttachRequest("orders", DEFINITION, incarnation, id, ++requestNumber, clock(), 0, lastUsed);
                Grant given = coordinator.attach(request);
                if (given == null) { // This answer changes nothing in the database.
                    incarnation = 0;
                    reached.count("not attached, since it was destroyed");
                    return;
                }
                lastAttach = requests;
                reached.count("attached");
                String last = lastHolder.put(given.logicalNodeId(), id.toString());
                if (last != null && !last.equals(id.toString())) {
                    reached.count("granted again");
                }
                former = grant == null ? former : grant;
                grant = given;
                ceiling = given.ceiling();
                incarnation = given.incarnation();
            });
        }

        private @Nullable RenewReply renewed(Grant present) {
            RenewRequest request = new RenewRequest(
                    "orders",
                    DEFINITION,
                    present.incarnation(),
                    present.logicalNodeId(),
                    present.token(),
                    ceiling,
                    Math.max(clock(), lastUsed + 1),
                    0);
            return coordinator
                    .renew(List.of(request))
                    .toCompletableFuture()
                    .join()
                    .get(0);
        }

        /** Renews the former grant, like a delayed request that arrives after the release. Ignores the reply. */
        void renewFormer() {
            Grant before = former;
            if (before == null || isBusy) {
                return;
            }
            reached.count("former grant renewed late");
            asking(() -> renewed(before));
        }

        void renew() {
            Grant present = grant;
            if (present == null) {
                return;
            }
            asking(() -> {
                RenewReply reply = renewed(present);
                if (reply == null) {
                    return;
                }
                switch (reply.outcome()) {
                    case RENEWED -> {
                        reached.count(server == 0 ? "renewed" : "renewed after a loss");
                        lastRenewal = requests;
                        ceiling = Math.max(ceiling, reply.ceiling());
                    }
                    case REFUSED -> {
                        reached.count("refused");
                        grant = null;
                    }
                    case DESTROYED -> {
                        reached.count("destroyed");
                        grant = null;
                        incarnation = 0;
                    }
                }
            });
        }

        void detach() {
            Grant present = grant;
            if (present == null || isBusy) {
                return;
            }
            grant = null; // A process stops generating IDs before it releases its node ID.
            former = present;
            asking(() -> {
                coordinator.detach(
                        List.of(new DetachRequest("orders", present.logicalNodeId(), present.token(), lastUsed)));
                reached.count("detached");
            });
        }

        void destroy() {
            Grant present = grant;
            if (present == null || isBusy) {
                return;
            }
            grant = null;
            asking(() -> coordinator.destroy("orders", present.incarnation()));
            incarnation = 0;
        }

        /** Makes this object a new holder, without the state of the former one. */
        void abandon() {
            if (isBusy) {
                return;
            }
            grant = null;
            former = null;
            id = new UUID(random.nextLong(), random.nextLong());
            requestNumber = 0;
            lastUsed = -1;
            incarnation = 0;
        }

        private void asking(Runnable request) {
            isBusy = true;
            requests++;
            try {
                request.run();
            } catch (SnowcastException e) {
                failure = e;
            } catch (CompletionException e) {
                failure = e;
            } finally {
                isBusy = false;
            }
        }
    }
}
