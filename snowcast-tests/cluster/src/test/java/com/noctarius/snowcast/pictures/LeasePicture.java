// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.internal.replica.OwnerContext;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.TableRules;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/** The floor and ceiling that a table gives of its only node ID, to a holder that crashes and to the one after it. */
final class LeasePicture {
    private static final String NAME = "orders";
    private static final long MINUTE = 60_000;
    private static final long LEASE = 5 * MINUTE;
    private static final long CRASH = 6 * MINUTE;
    private static final long END = 16 * MINUTE;
    private static final TableRules ONE_NODE = new TableRules(LEASE, MINUTE / 6, 2 * LEASE, 0, 0);
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
    private static final double LEFT = 70;
    private static final double BOTTOM = 370;

    private final NodeTable table = new NodeTable(NAME, 1);
    private final Svg svg = new Svg(
            880,
            430,
            "A lease with a crash",
            "Wall-clock time to the right, time of IDs upwards. The first holder's ceiling is raised by steps until it"
                    + " crashes. Its ceiling stays. When the clock has reached the ceiling, the next holder gets the node"
                    + " ID, and its floor is where the first one's ceiling was.");

    static String draw() {
        LeasePicture picture = new LeasePicture();
        picture.axes();
        Grant first = picture.attach(1, 0);
        long ceiling = picture.hold(first, 0, CRASH, "blue");
        picture.left(ceiling);
        Grant second = picture.waitForNodeId(CRASH + MINUTE);
        picture.hold(second, second.floor(), END, "green");
        picture.labels(ceiling);
        return picture.svg.toString();
    }

    private Grant attach(int holder, long nowMillis) {
        UUID id = new UUID(0, holder);
        return Objects.requireNonNull(table.attach(
                        new AttachRequest(NAME, DEFINITION, 0, id, 1, nowMillis, 0, -1),
                        new OwnerContext(new UUID(0, 1), List.of(), nowMillis, Long.MAX_VALUE),
                        ONE_NODE)
                .answer()
                .grant());
    }

    /** Extends a grant when half of the lease is used, as holders do; returns the last ceiling. */
    private long hold(Grant grant, long fromMillis, long toMillis, String colour) {
        long ceiling = grant.ceiling();
        StringBuilder shape = new StringBuilder(point("M", fromMillis, fromMillis));
        StringBuilder steps = new StringBuilder(point("M", fromMillis, ceiling));
        shape.append(point("L", fromMillis, ceiling));
        for (long now = fromMillis + LEASE / 2; now < toMillis; now += LEASE / 2) {
            ExtendReply reply = table.extend(
                            new ExtendRequest(
                                    NAME,
                                    DEFINITION,
                                    grant.incarnation(),
                                    grant.logicalNodeId(),
                                    grant.token(),
                                    ceiling,
                                    now,
                                    0),
                            new OwnerContext(new UUID(0, 1), List.of(), now, Long.MAX_VALUE),
                            ONE_NODE)
                    .answer();
            String before = point("L", now, ceiling);
            ceiling = reply.ceiling();
            shape.append(before).append(point("L", now, ceiling));
            steps.append(before).append(point("L", now, ceiling));
        }
        svg.path(shape + point("L", toMillis, ceiling) + point("L", toMillis, toMillis) + "Z", colour);
        svg.path(steps + point("L", toMillis, ceiling), "ceiling");
        return ceiling;
    }

    private void left(long ceiling) {
        svg.path(point("M", CRASH, CRASH) + point("L", CRASH, ceiling) + point("L", ceiling, ceiling) + "Z", "red");
        svg.path(point("M", CRASH, 0) + point("L", CRASH, ceiling), "crash");
    }

    /** Asks every half minute, as another holder would, and marks what is refused. */
    private Grant waitForNodeId(long fromMillis) {
        for (long now = fromMillis; ; now += MINUTE / 2) {
            try {
                Grant grant = attach(2, now);
                svg.path(point("M", now, 0) + point("L", now, now), "now");
                return grant;
            } catch (SnowcastNodeIdsExceededException e) {
                svg.path(String.format(Locale.ROOT, "M%.1f %.1fl8 8m0 -8l-8 8", x(now) - 4, BOTTOM - 14), "crash");
            }
        }
    }

    private void axes() {
        svg.line(LEFT, BOTTOM, 856, BOTTOM, "line").line(LEFT, BOTTOM, LEFT, 30, "line");
        for (int minute = 0; minute <= 16; minute += 2) {
            svg.centred(x(minute * MINUTE), BOTTOM + 18, "small", Integer.toString(minute));
        }
        for (int minute = 0; minute <= 20; minute += 5) {
            svg.endingAt(LEFT - 8, y(minute * MINUTE) + 4, "small", Integer.toString(minute));
        }
        svg.centred(LEFT + 390, BOTTOM + 42, "small", "clock, in minutes");
        svg.text(14, 22, "small", "time in IDs, in minutes");
    }

    private void labels(long ceiling) {
        svg.text(x(MINUTE / 4), y(11 * MINUTE), "small", "ceiling, raised when half of a lease is used");
        svg.text(x(MINUTE), y(3 * MINUTE), "", "holder A");
        svg.text(x(CRASH) + 8, y(ceiling) - 30, "strong", "A crashes:");
        svg.text(x(CRASH) + 8, y(ceiling) - 12, "strong", "its ceiling stays");
        svg.text(x(CRASH) + 12, BOTTOM - 24, "small", "B asks, and is refused");
        svg.text(x(ceiling) + 10, BOTTOM - 24, "small", "B gets the node ID; its floor is A's ceiling");
        svg.text(x(13 * MINUTE), y(15 * MINUTE), "", "holder B");
        svg.text(x(12 * MINUTE), y(9 * MINUTE), "small", "lower edge: the present");
    }

    private static String point(String command, long clockMillis, long idMillis) {
        return String.format(Locale.ROOT, "%s%.1f %.1f", command, x(clockMillis), y(idMillis));
    }

    private static double x(long millis) {
        return LEFT + millis * 48.0 / MINUTE;
    }

    private static double y(long millis) {
        return BOTTOM - millis * 16.0 / MINUTE;
    }
}
