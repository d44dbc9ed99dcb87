// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.replica.OwnerContext;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableRules;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What the tables of two sides grant of one node ID, what their merge reports, and where the next grant begins. */
final class SplitPicture {
    private static final String NAME = "orders";
    private static final long MINUTE = 60_000;
    private static final long SKEW = MINUTE / 2;
    private static final TableRules ONE_NODE = new TableRules(5 * MINUTE, SKEW, 12 * MINUTE, 0, 0);
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
    private static final long START = 60 * MINUTE;
    private static final long SPLIT = START + 3 * MINUTE;
    private static final long MERGE = START + 8 * MINUTE;
    private static final double LEFT = 150;

    private final Svg svg = new Svg(
            880,
            340,
            "A split without protection, and its merge",
            "Both sides of a split grant one node ID. The merge reports the stretch of time in which both may have"
                    + " issued IDs. The next grant begins above both.");

    static String draw() {
        return new SplitPicture().picture();
    }

    private String picture() {
        NodeTable one = new NodeTable(NAME, 1);
        Grant common = attach(one, 1, START);
        one.detach(new DetachRequest(NAME, common.logicalNodeId(), common.token(), START + 2 * MINUTE));
        NodeTable other = NodeTable.of(one.snapshotFor(1));
        other.promoted(1, new UUID(0, 1), 2, SPLIT, ONE_NODE);
        Grant mine = attach(one, 2, SPLIT + MINUTE);
        Grant theirs = attach(other, 3, SPLIT + 2 * MINUTE);
        List<Overlap> report = one.merge(other.snapshotFor(0), MERGE).answer();
        one.detach(new DetachRequest(NAME, mine.logicalNodeId(), mine.token(), mine.ceiling() - 1));
        Grant next = attach(one, 4, START + 11 * MINUTE);

        axis();
        bar(60, START, START + 2 * MINUTE, "blue", "before");
        bar(60, SPLIT + MINUTE, mine.ceiling(), "blue", "granted to A");
        bar(130, SPLIT + 2 * MINUTE, theirs.ceiling(), "amber", "granted to B");
        for (Overlap overlap : report) {
            bar(200, overlap.fromMillis(), overlap.toMillis(), "red", "reported");
            svg.text(x(overlap.fromMillis()), 260, "small", "IDs may exist twice");
        }
        bar(200, next.floor(), next.ceiling(), "green", "next grant");
        lane(60, "one side");
        lane(130, "the other side");
        lane(200, "after the merge");
        return svg.toString();
    }

    private static Grant attach(NodeTable table, int holder, long nowMillis) {
        return Objects.requireNonNull(table.attach(
                        new AttachRequest(NAME, DEFINITION, 0, new UUID(0, holder), 1, nowMillis, 0, -1),
                        new OwnerContext(new UUID(0, 1), List.of(), nowMillis, Long.MAX_VALUE),
                        ONE_NODE)
                .answer()
                .grant());
    }

    private void axis() {
        svg.line(LEFT, 284, 856, 284, "line");
        for (int minute = 0; minute <= 16; minute += 2) {
            svg.centred(x(START + minute * MINUTE), 302, "small", Integer.toString(minute));
        }
        svg.centred(LEFT + 353, 324, "small", "time in IDs of one logical node, in minutes");
        marker(SPLIT, "split");
        marker(MERGE, "merge");
    }

    private void marker(long millis, String name) {
        svg.line(x(millis), 38, x(millis), 284, "now");
        svg.centred(x(millis), 28, "strong", name);
    }

    private void lane(double y, String name) {
        svg.endingAt(LEFT - 14, y + 26, "", name);
    }

    private void bar(double y, long fromMillis, long toMillis, String colour, String name) {
        svg.box(x(fromMillis), y, x(toMillis) - x(fromMillis), 40, colour);
        svg.text(x(fromMillis) + 8, y + 25, "", name);
    }

    private static double x(long millis) {
        return LEFT + (millis - START) * 43.0 / MINUTE;
    }
}
