// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests agents, recoveries and changes of the list of shards in random schedules. An actor runs an agent, a recovery or
 * a change. The schedule decides which actor runs its next transaction. An actor may be paused for the rest of the
 * schedule, or killed. Meanwhile databases fail over to a former state, become unreachable, and become reachable again.
 * No schedule may issue an integer twice.
 */
class AgentScheduleTest {
    private static final String ORDERS = "orders";
    private static final int WINDOW_SIZE = 10;
    private static final long LAST = 2_000_000;
    private static final int DATABASES = 5;
    private static final int STEPS = 600;
    private static final int STATES = 12;

    private final Map<String, Integer> counts = new TreeMap<>();

    @Test
    @Tag("faults")
    void noScheduleMakesAnIntegerComeTwice() throws Exception {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        int schedules = Integer.getInteger("snowcast.schedules", 60);
        System.out.println("-Dsnowcast.seed=" + seed + " -Dsnowcast.schedules=" + schedules);
        Random seeds = new Random(seed);
        for (int i = 0; i < schedules; i++) {
            long ofSchedule = seeds.nextLong();
            try {
                new Schedule(new Random(ofSchedule)).run();
            } catch (AssertionError | Exception e) {
                throw new AssertionError("schedule " + i + " of seed " + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.println(counts);
        for (String action : List.of(
                "reserved",
                "topped up",
                "recovered by others",
                "recovered by hand",
                "changed",
                "killed",
                "failed over")) {
            assertThat(counts.getOrDefault(action, 0)).as(action).isPositive();
        }
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** A thread that executes a task, with one transaction in each {@link #step}. */
    private static final class Actor {
        private final Semaphore turn = new Semaphore(0);
        private final Semaphore pause = new Semaphore(0);
        private final Thread thread;
        private final boolean isOperator;
        private boolean isKilled;
        private volatile boolean hasEnded;
        private volatile @Nullable Throwable bug;

        interface Work {
            void with(Actor self);
        }

        Actor(boolean isOperator, Work work) {
            this.isOperator = isOperator;
            this.thread = new Thread(() -> {
                try {
                    await();
                    work.with(this);
                } catch (EachTransaction.Killed | BlockStoreException e) {
                    // The schedule has killed the actor, or a database has rejected the task or is unreachable.
                } catch (Throwable e) {
                    bug = e;
                } finally {
                    hasEnded = true;
                    pause.release();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** Blocks the calling thread until the actor has its turn. */
        private void await() {
            turn.acquireUninterruptibly();
            if (isKilled) {
                throw new EachTransaction.Killed();
            }
        }

        /** Ends the actor's turn, and blocks the calling thread until the actor has its turn again. */
        void yieldTurn() {
            pause.release();
            await();
        }

        void step() throws InterruptedException {
            turn.release();
            if (!pause.tryAcquire(3, TimeUnit.MINUTES)) {
                throw new AssertionError("an actor did not come to its next statement");
            }
            Throwable found = bug;
            if (found != null) {
                throw new AssertionError(found);
            }
        }

        void kill() throws InterruptedException {
            isKilled = true;
            step();
        }
    }

    private final class Schedule {
        private final Random random;
        private final ForgetfulShards databases = ForgetfulShards.of(DATABASES);
        private final BlockLedger ledger = new BlockLedger(1, LAST);
        private final List<Actor> actors = new ArrayList<>();
        private final List<List<Integer>> lists = new ArrayList<>();
        private final Map<Integer, Deque<TableCopy>> states = new HashMap<>();
        private final Set<Integer> created = new HashSet<>();
        private final Set<Integer> away = new HashSet<>();
        private long highest;

        Schedule(Random random) throws SQLException {
            this.random = random;
        }

        void run() throws Exception {
            List<Integer> first = someDatabases();
            JdbcSchema schema = new JdbcSchema(shards(first, null));
            schema.create(WINDOW_SIZE);
            schema.defineSequence(ORDERS, 1, LAST - 1_000);
            created.addAll(first);
            lists.add(first);
            new WindowAgent(shards(first, null), 1).topUp();
            for (int i = 0; i < STEPS; i++) {
                act();
            }
            for (Actor actor : actors) {
                actor.kill();
            }
            reserveTheRest();
        }

        private void act() throws Exception {
            int chance = random.nextInt(100);
            if (chance < 60 && !actors.isEmpty()) {
                Actor actor = actors.get(random.nextInt(actors.size()));
                // With one transaction at a time, tasks with many transactions would hardly ever end.
                int statements = random.nextBoolean() ? 1 : 1 + random.nextInt(40);
                for (int i = 0; i < statements && !actor.hasEnded; i++) {
                    step(actor);
                }
            } else if (chance < 75) {
                reserve();
            } else if (chance < 90) {
                if (actors.size() < 5) {
                    begin();
                }
            } else if (chance < 93 && !actors.isEmpty()) {
                count("killed");
                Actor victim = actors.remove(random.nextInt(actors.size()));
                victim.kill();
            } else if (chance < 96) {
                remember();
            } else if (chance < 97) {
                failOver();
            } else if (chance < 98) {
                away.add(random.nextInt(DATABASES));
            } else {
                away.clear();
            }
        }

        private void step(Actor actor) throws InterruptedException {
            actor.step();
            if (actor.hasEnded) {
                actors.remove(actor);
            }
        }

        // --- reservations and fail-overs

        private void reserve() throws SQLException {
            for (int i = 0; i < 4; i++) {
                int index = random.nextInt(DATABASES);
                if (!created.contains(index)) {
                    continue;
                }
                Optional<Block> block = databases.reserve(index, ORDERS, 1 + random.nextInt(WINDOW_SIZE));
                if (block.isPresent()) {
                    count("reserved");
                    highest = Math.max(highest, block.get().last());
                    ledger.add(block.get());
                }
            }
            // Sometimes remember the state. A later fail-over to this state loses the reservations that follow.
            if (random.nextInt(4) == 0) {
                remember();
            }
        }

        /** Reserves all integers of the open windows on servers that have not changed. */
        private void reserveTheRest() throws SQLException {
            for (int index : created) {
                databases.reserve(index, ORDERS, Integer.MAX_VALUE, ledger);
            }
        }

        private void remember() throws SQLException {
            for (int index : created) {
                Deque<TableCopy> known = states.computeIfAbsent(index, any -> new ArrayDeque<>());
                known.addLast(databases.state(index));
                if (known.size() > STATES) {
                    known.removeFirst();
                }
            }
        }

        private void failOver() throws Exception {
            boolean isOfAll = random.nextInt(4) == 0;
            int one = random.nextInt(DATABASES);
            for (int index : created) {
                Deque<TableCopy> known = states.get(index);
                if ((index == one || isOfAll) && known != null && !known.isEmpty()) {
                    count("failed over");
                    List<TableCopy> all = List.copyOf(known);
                    databases.restore(index, all.get(random.nextInt(all.size())));
                    databases.failOver(index);
                    known.clear();
                }
            }
            // End the recoveries by operators, because the highest integer may have changed since they began.
            for (Actor actor : List.copyOf(actors)) {
                if (actor.isOperator) {
                    actor.kill();
                    actors.remove(actor);
                }
            }
        }

        // --- new actors

        private void begin() throws SQLException {
            List<Integer> list =
                    random.nextInt(4) == 0 ? lists.get(random.nextInt(lists.size())) : lists.get(lists.size() - 1);
            int chance = random.nextInt(20);
            if (chance < 14) {
                count("agent");
                int openWindows = 1 + random.nextInt(3);
                actor(false, list, shards -> {
                    new WindowAgent(shards, openWindows).topUp();
                    count("topped up");
                });
            } else if (chance < 16) {
                change();
            } else if (chance < 18) {
                int shard = random.nextInt(list.size());
                actor(false, list, shards -> {
                    new JdbcSchema(shards).recover(shard);
                    count("recovered by others");
                });
            } else {
                byHand(list);
            }
        }

        private void change() {
            List<Integer> list = random.nextInt(3) == 0 ? lists.get(lists.size() - 1) : someDatabases();
            long windowSize = random.nextBoolean() ? WINDOW_SIZE : WINDOW_SIZE / 2;
            created.addAll(list);
            if (!lists.contains(list)) {
                lists.add(list);
            }
            JdbcShards plain = shards(list, null);
            new SchemaTables(plain).create();
            actor(false, list, shards -> {
                new JdbcSchema(shards).changeShards(windowSize);
                count("changed");
            });
        }

        /**
         * Begins to recover all shards of a list above the highest reserved integer. Does nothing unless the servers of
         * all databases have changed, because stores still reserve from an unchanged database.
         */
        private void byHand(List<Integer> list) throws SQLException {
            for (int index : created) {
                if (!databases.hasChanged(index)) {
                    return;
                }
            }
            long above = highest + 1;
            actor(true, list, shards -> {
                for (int i = 0; i < shards.count(); i++) {
                    new JdbcSchema(shards).recover(i, Map.of(ORDERS, above));
                    count("recovered by hand");
                }
            });
        }

        /** Returns more than half of the databases, so that any two lists have a database in common. */
        private List<Integer> someDatabases() {
            List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4));
            Collections.shuffle(all, random);
            return List.copyOf(all.subList(0, 3 + random.nextInt(2)));
        }

        private interface Task {
            void on(JdbcShards shards);
        }

        private void actor(boolean isOperator, List<Integer> list, Task task) {
            actors.add(new Actor(isOperator, self -> task.on(shards(list, self))));
        }

        private JdbcShards shards(List<Integer> list, @Nullable Actor actor) {
            return databases.list(list, index -> {
                if (actor != null) {
                    actor.yieldTurn();
                    if (away.contains(index)) {
                        throw new SQLException("away", "08001");
                    }
                }
            });
        }
    }
}
