// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the formula and the table of docs/operate/kubernetes.md: how many node IDs a deployment needs if some of its
 * processes are killed.
 */
class NodeTableChurnTest {
    private static final long START = 1_700_000_000_000L;
    private static final long LEASE = 300_000;
    private static final long SKEW = 60_000;
    /** The longest time, in milliseconds, for which the node ID of a killed process stays reserved. */
    private static final long EXPIRING = LEASE + SKEW;

    private static final Definition DEFINITION = new Definition(START - 100_000_000, SnowcastLayout.DEFAULT, 1, null);

    private final NodeTable table = new NodeTable(Requester.NAME, 1);
    private int holders;
    private long now = START;

    /**
     * A row of the table in the document.
     *
     * @param pods the number of pods
     * @param surge the number of additional pods during a rolling update
     * @param killed the number of pods killed within the expiring time
     * @param nodeIds the number of node IDs that these pods need
     * @param layout a layout with enough node IDs, whose IDs are never negative
     * @param maxLogicalNodes the setting for a layout whose IDs may turn negative
     */
    record Row(int pods, int surge, int killed, int nodeIds, SnowcastLayout layout, int maxLogicalNodes) {
        static Row of(MatchResult match) {
            int[] numbers = IntStream.of(1, 2, 3, 4, 6)
                    .map(group -> Integer.parseInt(match.group(group).replace(",", "")))
                    .toArray();
            return new Row(numbers[0], numbers[1], numbers[2], numbers[3], layout(match.group(5)), numbers[4]);
        }

        private static SnowcastLayout layout(String text) {
            if (text.equals("positive")) {
                return SnowcastLayout.POSITIVE;
            }
            int[] bits = Pattern.compile("/")
                    .splitAsStream(text)
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new SnowcastLayout(bits[0], bits[1], bits[2]);
        }
    }

    static Stream<Row> rows() throws IOException {
        List<Row> rows = Pattern.compile(
                        "(?m)^\\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+)[^|]*\\| ([\\d,]+) \\| `([\\w/]+)` \\| ([\\d,]+) \\|$")
                .matcher(Files.readString(Path.of("../docs/operate/kubernetes.md")))
                .results()
                .map(Row::of)
                .toList();
        assertThat(rows).as("rows of the document's table").hasSizeGreaterThan(3);
        return rows.stream();
    }

    /** A process with a node ID, which renews its lease. Its clock is ahead of cluster time by less than the skew. */
    private final class Pod {
        final Requester requester;
        final long aheadMillis;
        Grant grant;

        Pod(long aheadMillis, TableRules rules) {
            this.aheadMillis = aheadMillis;
            this.requester = new Requester(++holders, now + aheadMillis, DEFINITION);
            this.grant = Objects.requireNonNull(
                    table.attach(requester.attach(1), now, rules).answer().orElse(null));
        }

        private long idTime() {
            return DEFINITION.idTime(now + aheadMillis);
        }

        void renewIfDue(TableRules rules) {
            if (grant.ceiling() - idTime() <= LEASE / 2) {
                RenewReply reply = table.renew(requester.at(now + aheadMillis).renew(grant), now, rules)
                        .answer();
                assertThat(reply.outcome()).isEqualTo(RenewReply.Outcome.RENEWED);
                grant = new Grant(
                        grant.incarnation(),
                        grant.logicalNodeId(),
                        grant.token(),
                        grant.floor(),
                        reply.ceiling(),
                        grant.leaseMillis());
            }
        }

        void stop() {
            assertThat(table.detach(Requester.detach(grant, idTime())).answer()).isTrue();
        }
    }

    private static TableRules rules(int nodeIds) {
        return new TableRules(LEASE, SKEW, LEASE + 2 * SKEW, 0, nodeIds - 1);
    }

    private Pod start(TableRules rules) {
        return new Pod(SKEW - 1, rules);
    }

    private void startMany(int count, TableRules rules) {
        for (int i = 0; i < count; i++) {
            start(rules);
        }
    }

    /** In the worst case, the maximum number of pods is killed at once, during a rolling update. */
    @ParameterizedTest
    @MethodSource("rows")
    void rowIsEnoughAndNoneIsToSpare(Row row) {
        assertThat(row.nodeIds).isEqualTo(row.pods + row.surge + row.killed);
        assertThat(row.maxLogicalNodes)
                .isEqualTo(SnowcastLayout.forMaxLogicalNodeCount(Math.max(128, row.nodeIds))
                        .logicalNodeCount());
        assertThat(row.layout.logicalNodeCount()).isGreaterThanOrEqualTo(row.nodeIds);
        assertThat(row.layout.timestampBits() + row.layout.logicalNodeBits() + row.layout.counterBits())
                .isLessThan(Long.SIZE);
        TableRules rules = rules(row.nodeIds);
        startMany(row.pods, rules);
        startMany(row.killed, rules); // These pods replace the killed pods.
        startMany(row.surge, rules);
        assertThatThrownBy(() -> start(rules)).isInstanceOf(SnowcastNodeIdsExceededException.class);
    }

    @Test
    void nodeIdOfAKilledProcessIsKeptForTheLeaseAndAsFarAsItsClockWasAhead() {
        TableRules one = rules(1);
        start(one);
        now = START + EXPIRING - 2;
        assertThatThrownBy(() -> start(one)).isInstanceOf(SnowcastNodeIdsExceededException.class);
        now++;
        start(one);
    }

    @Test
    void replacedProcessesLeaveNoMoreBehindThanTheNodeIds() {
        TableRules few = rules(128);
        for (int i = 0; i < 10_000; i++) {
            now++;
            start(few).stop();
        }
        assertThat(table.entries()).hasSize(128);
    }

    /** Kills and updates pods at random. Within the expiring time, at most as many are killed as the formula allows. */
    @Test
    void theFormulaIsEnoughForAnyScheduleOfKills() {
        for (int seed = 1; seed <= 50; seed++) {
            new Schedule(new Random(seed)).run();
        }
    }

    private final class Schedule {
        private static final int STEPS = 1_000;
        private static final int MAX_STEP_MILLIS = 5_000;

        private final NodeTableChurnTest own = new NodeTableChurnTest();
        private final Random random;
        private final int killed;
        private final int surge;
        private final TableRules rules;
        private final List<Pod> living = new ArrayList<>();
        private final Deque<Long> kills = new ArrayDeque<>();

        Schedule(Random random) {
            this.random = random;
            int pods = 1 + random.nextInt(8);
            this.killed = random.nextInt(6);
            this.surge = random.nextInt(3);
            this.rules = rules(pods + surge + killed);
            for (int i = 0; i < pods; i++) {
                living.add(start());
            }
        }

        private Pod start() {
            return own.new Pod(random.nextInt((int) SKEW), rules);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                own.now += 1 + random.nextInt(MAX_STEP_MILLIS);
                living.forEach(process -> process.renewIfDue(rules));
                while (!kills.isEmpty() && own.now - kills.getFirst() >= EXPIRING) {
                    kills.removeFirst();
                }
                int index = random.nextInt(living.size());
                if (random.nextBoolean() && kills.size() < killed) {
                    kills.addLast(own.now);
                    living.set(index, start());
                } else {
                    replaceWithSurge(index);
                }
            }
        }

        private void replaceWithSurge(int first) {
            List<Pod> extra = new ArrayList<>();
            for (int i = 0; i < Math.min(surge, living.size()); i++) {
                extra.add(start());
            }
            for (int i = 0; i < extra.size(); i++) {
                living.set((first + i) % living.size(), extra.get(i)).stop();
            }
        }
    }
}
