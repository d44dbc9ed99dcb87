// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Computes the share of new rows in the busiest of 100 shards, for different forms of keys. Each shard has a range of
 * keys. The table contains the rows of 30 days, and the new rows are those of the next ten minutes. The random seed is
 * fixed, so the shares are constant, and {@code docs/dev/evidence.md} shows them.
 */
class ScatteredKeysTest {
    private static final SnowcastLayout LAYOUT = SnowcastLayout.DEFAULT;
    private static final int SHARDS = 100;
    private static final int ROWS_BEFORE = 50_000;
    private static final int NEW_ROWS = 50_000;
    private static final int NODES = 8;
    private static final long NOW_MILLIS = 91_165_337_123L;
    private static final long THIRTY_DAYS_MILLIS = 30 * 24 * 3_600_000L;
    private static final long TEN_MINUTES_MILLIS = 600_000;

    private static final IdCipher CIPHER = new IdCipher("orders", Map.of(1, key()), 1);

    private final Random random = new Random(42);

    private static byte[] key() {
        byte[] key = new byte[32];
        new Random(1).nextBytes(key);
        return key;
    }

    /**
     * Returns the percentage of new rows in the busiest shard, for a form of keys and a number of IDs per node and
     * millisecond. With one ID per millisecond, the counter is always 0.
     */
    private double share(LongUnaryOperator form, int idsPerMillisecond, boolean splitByRows) {
        long[] before = keys(form, NOW_MILLIS - THIRTY_DAYS_MILLIS, THIRTY_DAYS_MILLIS, idsPerMillisecond, ROWS_BEFORE);
        long[] bounds = splitByRows ? boundsOfEqualRows(before) : boundsOfEqualNumbers();
        int[] rows = new int[SHARDS];
        for (long key : keys(form, NOW_MILLIS, TEN_MINUTES_MILLIS, idsPerMillisecond, NEW_ROWS)) {
            rows[shardOf(key, bounds)]++;
        }
        return 100.0 * Arrays.stream(rows).max().orElseThrow() / NEW_ROWS;
    }

    private long[] keys(LongUnaryOperator form, long fromMillis, long stretchMillis, int idsPerMillisecond, int count) {
        return LongStream.range(0, count)
                .map(i -> LAYOUT.compose(
                        fromMillis + (long) (random.nextDouble() * stretchMillis),
                        random.nextInt(NODES),
                        random.nextInt(idsPerMillisecond)))
                .map(form)
                .toArray();
    }

    /** Returns the bounds of shards with equally many rows, as in a store that splits shards that are too large. */
    private static long[] boundsOfEqualRows(long[] keys) {
        long[] sorted = Arrays.stream(keys)
                .map(key -> key ^ Long.MIN_VALUE)
                .sorted()
                .map(key -> key ^ Long.MIN_VALUE)
                .toArray();
        return IntStream.range(1, SHARDS)
                .mapToLong(i -> sorted[(int) ((long) i * sorted.length / SHARDS)])
                .toArray();
    }

    /** Returns the bounds of shards with equal ranges of keys, as in a store whose shards exist before the rows. */
    private static long[] boundsOfEqualNumbers() {
        BigInteger numbers = BigInteger.TWO.pow(Long.SIZE);
        return IntStream.range(1, SHARDS)
                .mapToLong(i -> numbers.multiply(BigInteger.valueOf(i))
                        .divide(BigInteger.valueOf(SHARDS))
                        .longValue())
                .toArray();
    }

    private static int shardOf(long key, long[] bounds) {
        int shard = 0;
        while (shard < bounds.length && Long.compareUnsigned(key, bounds[shard]) >= 0) {
            shard++;
        }
        return shard;
    }

    private String row(String name, LongUnaryOperator form) {
        return String.format(
                Locale.ROOT,
                "| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% |",
                name,
                share(form, 1, true),
                share(form, 128, true),
                share(form, 1, false),
                share(form, 128, false));
    }

    @Test
    void documentShowsTheShareOfTheBusiestShard() throws IOException {
        String table = String.join(
                "\n",
                row("the ID", id -> id),
                row("reversed bits", Long::reverse),
                row("`IdCipher`", id -> CIPHER.encrypt(id).value()));
        System.out.println(table);
        assertThat(Files.readString(Path.of("../docs/dev/evidence.md"))).contains(table);
    }
}
