// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Instant;
import java.util.Locale;

/** One ID of the layout for signed columns, bit by bit. */
final class LayoutPicture {
    private static final double LEFT = 24;
    private static final double BIT = 13;
    private static final double TOP = 84;
    private static final double HEIGHT = 30;

    private LayoutPicture() {}

    static String of(long id, SnowcastEpoch epoch) {
        SnowcastLayout layout = SnowcastLayout.POSITIVE;
        Instant time = Instant.ofEpochMilli(epoch.getEpochOffset() + layout.timestampValue(id));
        int node = layout.logicalNodeId(id);
        int counter = layout.counterValue(id);
        Svg svg = new Svg(
                880,
                190,
                "The layout of an ID",
                "The 64 bits of the ID %d: a sign of 0; %d bits of time, %s; %d bits of logical node, %d; %d bits of counter, %d."
                        .formatted(
                                id,
                                layout.timestampBits(),
                                time,
                                layout.logicalNodeBits(),
                                node,
                                layout.counterBits(),
                                counter));
        svg.text(LEFT, 42, "strong code", Long.toString(id))
                .endingAt(856, 42, "small", "64 bits, a Java long that is never negative");
        int timeFrom = Long.SIZE - layout.timestampBits() - layout.logicalNodeBits() - layout.counterBits();
        svg.box(LEFT, TOP, timeFrom * BIT, HEIGHT, "free");
        svg.centred(LEFT + 0.5 * BIT, TOP + 20, "code", "0");
        int nodeFrom = timeFrom + layout.timestampBits();
        int counterFrom = nodeFrom + layout.logicalNodeBits();
        double years = (layout.maxTimestamp() + 1) / (1000.0 * 60 * 60 * 24 * 365.25);
        field(
                svg,
                id,
                timeFrom,
                nodeFrom,
                "blue",
                "time",
                time.toString(),
                String.format(Locale.ROOT, "ms, %.1f years", years));
        field(
                svg,
                id,
                nodeFrom,
                counterFrom,
                "amber",
                "logical node",
                Integer.toString(node),
                "of " + grouped(layout.logicalNodeCount()));
        field(
                svg,
                id,
                counterFrom,
                Long.SIZE,
                "green",
                "counter",
                Integer.toString(counter),
                "of " + grouped(layout.idsPerMillisecond()) + " per ms");
        return svg.toString();
    }

    private static void field(
            Svg svg, long id, int from, int to, String colour, String name, String value, String range) {
        double left = LEFT + from * BIT;
        svg.text(left, TOP - 10, "small", name + ": " + (to - from) + " bits");
        svg.box(left, TOP, (to - from) * BIT, HEIGHT, colour);
        for (int i = from; i < to; i++) {
            svg.centred(left + (i - from + 0.5) * BIT, TOP + 20, "code", Long.toString(id >>> (63 - i) & 1));
        }
        svg.text(left, TOP + HEIGHT + 24, "strong", value);
        svg.text(left, TOP + HEIGHT + 44, "small", range);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
