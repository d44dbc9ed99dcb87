// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulates clients of one row, and tests how they share it with {@link Requester}. The clients reserve one block after
 * the other, almost without a pause. The simulated coordinator makes the changes of the row one after the other, as
 * Cassandra does under its lock of the partition. Posts and plain reads do not wait for changes. With faults, a plain
 * read may return the row as it was before the last change. The test fails if an integer is used twice.
 */
class SharedRowTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long CHANGE_NANOS = 2 * MILLI;
    private static final long WRITE_NANOS = MILLI / 2;
    private static final long LOOKS_AFTER_NANOS = 16 * CHANGE_NANOS;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SEEDS = 8;
    private static final int SIZE = 10;

    /** A row, the clients that reserve from it, and the simulated time. */
    private static final class Row {
        private final RandomGenerator random;
        /**
         * The probability that a request is lost, in thousandths. With the same probability, a request is executed up
         * to a second late, and with the same probability, a request is not answered.
         */
        private final int faults;

        private final List<Client> clients = new ArrayList<>();
        private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::atNanos));
        private final Set<Long> used = new HashSet<>();
        private final Map<UUID, Long> expireNanos = new TreeMap<>();
        private long nowNanos;
        private long freeNanos;
        private State state = new State(0, Requests.NONE);
        private State before = state;
        private long attempts;
        private long applied;
        private long looks;

        private record Event(long atNanos, Runnable action) {}

        private record State(long next, Requests requests) {}

        Row(long seed, int faults) {
            this.random = new SplittableRandom(seed);
            this.faults = faults;
        }

        Client add() {
            Client client = new Client();
            clients.add(client);
            in(random.nextLong(CHANGE_NANOS), client::begin);
            return client;
        }

        void runUntil(long endNanos) {
            while (!events.isEmpty() && events.element().atNanos < endNanos) {
                Event next = events.remove();
                nowNanos = next.atNanos;
                next.action.run();
            }
            nowNanos = endNanos;
        }

        private void in(long nanos, Runnable action) {
            events.add(new Event(nowNanos + nanos, action));
        }

        private long about(long nanos) {
            return nanos * 3 / 4 + random.nextLong(nanos / 2);
        }

        private boolean isFault() {
            return random.nextInt(1_000) < faults;
        }

        private void post(UUID client, List<Long> request) {
            expireNanos.put(client, nowNanos + Requests.SECONDS * SECOND);
            Map<UUID, List<Long>> posted = new TreeMap<>(state.requests.posted());
            posted.put(client, request);
            state = new State(state.next, new Requests(posted, state.requests.granted()));
        }

        private State present() {
            Map<UUID, List<Long>> posted = new TreeMap<>(state.requests.posted());
            posted.keySet().removeIf(client -> expireNanos.getOrDefault(client, 0L) < nowNanos);
            state = new State(state.next, new Requests(posted, state.requests.granted()));
            return state;
        }

        private boolean change(State seen, Requests.Grants grants) {
            State present = present();
            boolean isSame = present.next == seen.next;
            if (isSame) {
                before = present;
                state = new State(grants.next(), new Requests(present.requests.posted(), grants.all()));
            }
            return isSame;
        }

        /** A client that uses the row as {@link SharedRow} does. */
        private final class Client {
            private final UUID id = new UUID(random.nextLong(), random.nextLong());
            private final Requester requester = new Requester(id);
            private @Nullable State known = state;
            private long blocks;
            private long lastNanos = nowNanos;
            private long longestNanos;
            private long lookedNanos = nowNanos;
            private boolean isDead;
            /** The number of the last request. Answers to earlier requests are ignored. */
            private long step;

            private void begin() {
                if (!isDead) {
                    requester.begin(SIZE);
                    reserve();
                }
            }

            private void reserve() {
                if (known == null) {
                    look(this::see);
                } else {
                    see(known);
                }
            }

            private interface Answer {
                void of(State state);
            }

            private void look(Answer answer) {
                lookedNanos = nowNanos;
                looks++;
                State[] seen = new State[1];
                send(
                        WRITE_NANOS,
                        () -> seen[0] = faults > 0 && random.nextInt(4) == 0 ? before : present(),
                        () -> answer.of(seen[0]));
            }

            /** Sends a request. With faults, the request may be lost, executed late or not answered. */
            private void send(long nanos, Runnable request, Runnable answer) {
                if (isDead) {
                    return;
                }
                long mine = ++step;
                boolean isLost = isFault();
                boolean isLate = isFault();
                long took = about(nanos);
                if (!isLost) {
                    in(isLate ? random.nextLong(SECOND) : took * 3 / 4, request);
                }
                Runnable next = isLost || isLate || isFault() ? this::forget : answer;
                in(took + (next == answer ? 0 : SECOND / 10), () -> {
                    if (mine == step) {
                        next.run();
                    }
                });
            }

            private void forget() {
                known = null;
                reserve();
            }

            private void see(State present) {
                known = present;
                Optional<Requests.Grant> granted = requester.saw(present.requests);
                if (granted.isPresent()) {
                    reserved(granted.get());
                    return;
                }
                List<Long> request = new ArrayList<>();
                if (nowNanos - lookedNanos > LOOKS_AFTER_NANOS) {
                    look(this::see);
                } else if (!requester.waits((client, newRequest) -> request.addAll(newRequest))) {
                    take(present);
                } else if (request.isEmpty()) {
                    lookSoon();
                } else {
                    send(WRITE_NANOS, () -> post(id, request), this::lookSoon);
                }
            }

            private void lookSoon() {
                in(about(requester.postsToWait() * WRITE_NANOS), () -> look(this::see));
            }

            private void take(State seen) {
                Requests.Grants grants = requester.grants(seen.next, Long.MAX_VALUE - seen.next);
                boolean[] isApplied = new boolean[1];
                attempts++;
                freeNanos = Math.max(freeNanos, nowNanos) + about(CHANGE_NANOS);
                send(
                        freeNanos - nowNanos,
                        () -> {
                            isApplied[0] = change(seen, grants);
                            applied += isApplied[0] ? 1 : 0;
                        },
                        () -> {
                            if (isApplied[0]) {
                                see(new State(grants.next(), seen.requests.with(grants)));
                            } else {
                                requester.met();
                                look(this::see);
                            }
                        });
            }

            private void reserved(Requests.Grant grant) {
                for (long i = 0; i < grant.count(); i++) {
                    assertThat(used.add(grant.first() + i))
                            .as("%d, used before", grant.first() + i)
                            .isTrue();
                }
                blocks++;
                longestNanos = longestNanos();
                lastNanos = nowNanos;
                in(about(MILLI / 10), this::begin);
            }

            private long longestNanos() {
                return Math.max(longestNanos, nowNanos - lastNanos);
            }
        }

        private LongSummaryStatistics blocks() {
            return clients.stream().mapToLong(client -> client.blocks).summaryStatistics();
        }

        private long longestMillis() {
            return clients.stream()
                    .filter(client -> !client.isDead)
                    .mapToLong(client -> TimeUnit.NANOSECONDS.toMillis(client.longestNanos()))
                    .max()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "10"})
    void clientsShareARowFairlyAndNearlyEveryChangeServesSeveral(int count) {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, 0);
            IntStream.range(0, count).forEach(i -> row.add());
            row.runUntil(5 * SECOND);
            LongSummaryStatistics blocks = row.blocks();
            String what =
                    "seed %d: %d clients: longest time without a block %d ms, %d to %d blocks, %d changes, %d made, %d looks"
                            .formatted(
                                    seed,
                                    count,
                                    row.longestMillis(),
                                    blocks.getMin(),
                                    blocks.getMax(),
                                    row.attempts,
                                    row.applied,
                                    row.looks);
            assertThat(blocks.getMin()).as(what).isGreaterThan(1_100);
            assertThat(blocks.getMin() / blocks.getAverage()).as(what).isGreaterThan(0.8);
            assertThat(row.longestMillis()).as(what).isLessThan(500);
            assertThat((double) row.applied / row.attempts).as(what).isGreaterThan(0.9);
            assertThat((double) blocks.getSum() / row.attempts).as(what).isGreaterThan(0.95 * count);
            assertThat((double) row.looks / blocks.getSum()).as(what).isLessThan(1.75);
            assertThat((double) row.used.size() / row.state.next)
                    .as("share of the integers that was used; %s", what)
                    .isGreaterThan(0.97);
        }
    }

    @Test
    void whoComesLaterIsLetInAtOnce() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, 0);
            row.add();
            row.runUntil(SECOND);
            assertThat(row.expireNanos).as("posted, by one client alone").isEmpty();
            assertThat(row.attempts - row.applied)
                    .as("changes that failed or are under way, of one client alone")
                    .isLessThanOrEqualTo(1);
            Row.Client later = row.add();
            row.runUntil(2 * SECOND);
            assertThat(later.blocks).as("seed %d", seed).isPositive();
            assertThat(TimeUnit.NANOSECONDS.toMillis(later.longestNanos()))
                    .as("seed %d: milliseconds without a block", seed)
                    .isLessThan(100);
        }
    }

    @Test
    void aClientThatIsAloneAgainPostsNoMore() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, 0);
            row.add();
            Row.Client other = row.add();
            row.runUntil(SECOND);
            assertThat(row.expireNanos).as("seed %d: posted", seed).hasSize(2);
            other.isDead = true;
            other.step++;
            row.runUntil((3 + 2 * Requests.SECONDS) * SECOND);
            assertThat(row.expireNanos.values())
                    .as("seed %d: the ends of requests", seed)
                    .allMatch(end -> end < row.nowNanos);
        }
    }

    @Test
    void grantsEndWithTheRow() {
        List<UUID> clients = IntStream.range(0, 3).mapToObj(i -> new UUID(0, i)).toList();
        Map<UUID, List<Long>> posted = new TreeMap<>();
        clients.forEach(client -> posted.put(client, List.of(7L, 4L)));
        Requests.Grants grants = new Requests(posted, Map.of()).grant(clients.get(0), 7, 4, 100, 8);
        assertThat(grants)
                .isEqualTo(new Requests.Grants(
                        Map.of(clients.get(0), List.of(7L, 100L, 4L), clients.get(1), List.of(7L, 104L, 4L)), 108));
        // The third client gets its grant. The others keep theirs, and get no new ones.
        assertThat(new Requests(posted, grants.all()).grant(clients.get(2), 7, 4, 108, 100))
                .isEqualTo(new Requests.Grants(
                        Map.of(
                                clients.get(0),
                                List.of(7L, 100L, 4L),
                                clients.get(1),
                                List.of(7L, 104L, 4L),
                                clients.get(2),
                                List.of(7L, 108L, 4L)),
                        112));
    }

    @Test
    void aClientThatDiesWithItsRequestStopsNobody() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, 0);
            IntStream.range(0, 5).forEach(i -> row.add());
            row.runUntil(SECOND);
            row.clients.stream().min(Comparator.comparing(client -> client.id)).ifPresent(first -> {
                first.isDead = true;
                first.step++;
            });
            row.runUntil(3 * SECOND);
            assertThat(row.longestMillis()).as("seed %d", seed).isLessThan(100);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 20", "3, 50", "5, 200"})
    void noIntegerIsUsedTwiceWhateverIsLostOrLate(int count, int faults) {
        for (long seed = 0; seed < 20; seed++) {
            Row row = new Row(seed, faults);
            IntStream.range(0, count).forEach(i -> row.add());
            row.runUntil(20 * SECOND);
            assertThat(row.blocks().getMin())
                    .as("seed %d: blocks of a client", seed)
                    .isGreaterThan(10);
            assertThat(row.used.size()).as("seed %d", seed).isLessThanOrEqualTo((int) row.state.next);
        }
    }

    /** A node whose clock was ahead has written an earlier request, which hides the new one. */
    @Test
    void aClientWhoseRequestIsHiddenChangesTheRowItself() {
        UUID client = new UUID(0, 2);
        Requests ofAnother = new Requests(Map.of(new UUID(0, 1), List.of(1L, 10L)), Map.of());
        Requester requester = new Requester(client);
        requester.begin(10);
        requester.saw(ofAnother);
        int waits = 0;
        while (requester.waits((id, request) -> assertThat(id).isEqualTo(client))) {
            requester.saw(ofAnother);
            assertThat(++waits).isLessThan(100);
        }
    }
}
