// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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

    private static TableRules rules(int nodeIds) {
        return new TableRules(LEASE, SKEW, LEASE + 2 * SKEW, 0, nodeIds - 1);
    }

    /** Starts a pod, whose clock is ahead of cluster time by less than the skew. */
    private Grant start(TableRules rules) {
        Requester pod = new Requester(++holders, now + SKEW - 1, DEFINITION);
        return Objects.requireNonNull(
                table.attach(pod.attach(1), now, rules).answer().orElse(null));
    }

    private void stop(Grant pod) {
        assertThat(table.detach(Requester.detach(pod, DEFINITION.idTime(now + SKEW - 1)))
                        .answer())
                .isTrue();
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
            stop(start(few));
        }
        assertThat(table.entries()).hasSize(128);
    }
}
