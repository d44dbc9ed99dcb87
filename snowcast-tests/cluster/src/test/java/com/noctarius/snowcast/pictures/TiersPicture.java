// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import com.noctarius.snowcast.internal.integers.IntegerPool;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/** Ranges that the pools of two clusters took from one parent store, and blocks that processes took from the pools. */
final class TiersPicture {
    private static final String NAME = "orders";
    private static final long FIRST = 5_000_001;
    private static final long RANGE = 100_000;
    private static final long BLOCK = 10_000;
    private static final PoolDefinition DEFINITION = new PoolDefinition(FIRST, Integer.MAX_VALUE, 1, true, false);
    private static final double LEFT = 130;
    private static final double WIDTH = 726;

    private final MemoryBlockStore parent = new MemoryBlockStore(FIRST, Integer.MAX_VALUE);
    private final Svg svg = new Svg(
            880,
            320,
            "Two tiers of integers",
            "A parent store gives ranges of integers to two clusters. Each cluster hands out blocks of its range to"
                    + " processes, from memory.");

    static String draw() {
        return new TiersPicture().picture();
    }

    private String picture() {
        tier(40, "parent store", "durable, shared");
        tier(130, "cluster", "in memory");
        tier(220, "process", "in memory");
        svg.box(LEFT, 40, WIDTH, 44, "free");
        cluster("cluster 1", "blue", 1, 3);
        cluster("cluster 2", "amber", 101, 2);
        svg.text(LEFT + 2 * WIDTH / 3 + 12, 67, "small", "left for all");
        svg.box(LEFT, 286, 16, 16, "free").text(LEFT + 24, 299, "small", "not handed out yet");
        svg.text(
                LEFT + 190,
                299,
                "small",
                String.format(Locale.ROOT, "a range: %,d, now and then; a block: %,d, often", RANGE, BLOCK));
        return svg.toString();
    }

    private void tier(double y, String name, String kind) {
        svg.text(20, y + 20, "strong", name).text(20, y + 38, "small", kind);
    }

    private void cluster(String name, String colour, int firstHolder, int blocks) {
        IntegerPool pool = new IntegerPool(NAME);
        Reservation told = answer(pool, ReserveRequest.toOpen(NAME, DEFINITION, new UUID(0, firstHolder), -1, null));
        Block range = parent.reserve(NAME, RANGE);
        svg.box(x(range.first()), 40, width(range), 44, colour);
        svg.text(x(range.first()) + 10, 67, "", "range of " + name);
        svg.box(x(range.first()), 130, width(range), 44, "free");
        line(range.first(), 84, 130);
        line(range.last() + 1, 84, 130);
        for (int i = 0; i < blocks; i++) {
            ReserveRequest request = new ReserveRequest(
                    NAME,
                    DEFINITION,
                    told.incarnation(),
                    new UUID(0, firstHolder + i),
                    1,
                    BLOCK,
                    -1,
                    told.installs(),
                    i == 0 ? range : null,
                    null);
            Block block = Objects.requireNonNull(answer(pool, request).block());
            svg.box(x(block.first()), 130, width(block), 44, colour);
            double left = x(range.first()) + i * 80;
            svg.line(x(block.first()) + width(block) / 2, 174, left + 36, 220, "line");
            svg.box(left, 220, 72, 44, colour);
            svg.centred(left + 36, 240, "small code", Long.toString(block.first()));
            svg.centred(left + 36, 256, "small code", "\u2026 " + block.last());
        }
    }

    private static Reservation answer(IntegerPool pool, ReserveRequest request) {
        return Objects.requireNonNull(pool.reserve(request, 0));
    }

    private void line(long value, double fromY, double toY) {
        svg.line(x(value), fromY, x(value), toY, "now");
    }

    private static double width(Block block) {
        return x(block.last() + 1) - x(block.first());
    }

    private static double x(long value) {
        return LEFT + (value - FIRST) * WIDTH / (3 * RANGE);
    }
}
