// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an integer sequence. Immutable and thread-safe.
 *
 * <pre>{@code
 * IntegerSequenceConfig.builder("products")
 *     .firstValue(5_000_001)
 *     .blockSize(1_000)
 *     .store(new JdbcBlockStore(shards))
 *     .build();
 * }</pre>
 *
 * @param name the sequence's name
 * @param firstValue the lowest integer, 0 or more
 * @param lastValue the highest integer, at least {@code firstValue}
 * @param minBlockSize the size of the first block, and of all blocks if the size is fixed
 * @param maxBlockSize the size that no block exceeds; {@code minBlockSize} if the size is fixed
 * @param blockDuration how long a block of an adaptive size should last; zero if the size is fixed
 * @param prefetchThreshold the used share of a block at which the sequence reserves the next block; above 0, at most 1
 * @param maxWait how long a call waits for a block at most, zero to 365 days
 * @param store the store that reserves the blocks; null only for a {@code JdbcSnowcast}, which then uses its own
 *     database
 */
public record IntegerSequenceConfig(
        String name,
        long firstValue,
        long lastValue,
        long minBlockSize,
        long maxBlockSize,
        Duration blockDuration,
        double prefetchThreshold,
        Duration maxWait,
        @Nullable BlockStore store) {
    /** The maximum size of a block: one reservation takes at most this many integers. */
    public static final long MAX_BLOCK_SIZE = 1L << 24;

    private static final Duration MAX_DURATION = Duration.ofDays(365);

    /**
     * Creates a configuration. Prefer {@link #builder}: a later version may add parameters here.
     *
     * @param name the sequence's name, which {@link SequenceName} allows
     * @param firstValue 0 or more
     * @param lastValue at least {@code firstValue}
     * @param minBlockSize 1 to {@link #MAX_BLOCK_SIZE}
     * @param maxBlockSize {@code minBlockSize} to {@link #MAX_BLOCK_SIZE}
     * @param blockDuration zero to 365 days; above zero if the sizes differ
     * @param prefetchThreshold above 0, at most 1
     * @param maxWait zero to 365 days
     * @param store a store, or null
     * @throws NullPointerException if a value other than {@code store} is null
     * @throws IllegalArgumentException if a value is out of range
     */
    public IntegerSequenceConfig {
        SequenceName.require(name);
        requireRange(name, "firstValue", firstValue, 0, Long.MAX_VALUE);
        requireRange(name, "lastValue", lastValue, 0, Long.MAX_VALUE);
        require(name, "lastValue must be at least firstValue, " + firstValue, lastValue, lastValue >= firstValue);
        requireBlockSize(name, minBlockSize, maxBlockSize, blockDuration);
        requireShare(name, prefetchThreshold);
        requireRange(name, "maxWait", maxWait);
    }

    private static void requireBlockSize(String name, long min, long max, Duration lasting) {
        requireRange(name, "minBlockSize", min, 1, MAX_BLOCK_SIZE);
        requireRange(name, "maxBlockSize", max, min, MAX_BLOCK_SIZE);
        requireRange(name, "blockDuration", lasting);
        String zero = "blockDuration of an adaptive block size must be above zero";
        require(name, zero, lasting, min == max || !lasting.isZero());
    }

    /** Checks the length of a new array, because an array of {@code Integer.MAX_VALUE} numbers would need 16 GB. */
    static int requireCount(int count) {
        if (count < 0 || count > MAX_BLOCK_SIZE) {
            throw new IllegalArgumentException("count must be 0 to " + MAX_BLOCK_SIZE + ": " + count);
        }
        return count;
    }

    private static double requireShare(String name, double share) {
        require(name, "prefetchThreshold must be above 0 and at most 1", share, share > 0 && share <= 1);
        return share;
    }

    private static long requireRange(String name, String what, long value, long min, long max) {
        require(name, what + " must be " + min + " to " + max, value, value >= min && value <= max);
        return value;
    }

    private static Duration requireRange(String name, String what, Duration value) {
        boolean isIn = !value.isNegative() && value.compareTo(MAX_DURATION) <= 0;
        require(name, what + " must be zero to " + MAX_DURATION, value, isIn);
        return value;
    }

    private static void require(String name, String what, @Nullable Object value, boolean isAllowed) {
        if (!isAllowed) {
            throw new IllegalArgumentException("integer sequence " + name + ": " + what + ": " + value);
        }
    }

    /**
     * {@return a builder for integers from 1 to {@code Integer.MAX_VALUE}, in blocks of 1,000}
     *
     * @param name the sequence's name, 1 to 255 characters that {@link SequenceName} allows
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is not allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Builds an {@link IntegerSequenceConfig}. Not thread-safe. A setter throws {@link NullPointerException} for a null
     * argument and {@link IllegalArgumentException} for one that is out of range.
     */
    public static final class Builder {
        private final String name;
        private long firstValue = 1;
        private long lastValue = Integer.MAX_VALUE;
        private long minBlockSize = 1_000;
        private long maxBlockSize = 1_000;
        private Duration blockDuration = Duration.ZERO;
        private double prefetchThreshold = 0.5;
        private Duration maxWait = Duration.ofSeconds(10);
        private @Nullable BlockStore store;

        private Builder(String name) {
            this.name = SequenceName.require(name);
        }

        /**
         * Sets the lowest integer. Choose a value above all identifiers that exist already. If the store defines the
         * first integer of the sequence itself, that integer must not be below this value.
         *
         * @param firstValue 0 or more; 1 by default
         * @return this
         */
        public Builder firstValue(long firstValue) {
            this.firstValue = requireRange(name, "firstValue", firstValue, 0, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets the highest integer.
         *
         * @param lastValue 0 to {@code Long.MAX_VALUE}; {@code Integer.MAX_VALUE} by default
         * @return this
         */
        public Builder lastValue(long lastValue) {
            this.lastValue = requireRange(name, "lastValue", lastValue, 0, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets how many integers the sequence reserves at a time. When a process crashes, the unused integers of its
         * blocks are a gap.
         *
         * @param size 1 to {@link #MAX_BLOCK_SIZE}; 1,000 by default
         * @return this
         */
        public Builder blockSize(long size) {
            return adaptiveBlockSize(size, size, Duration.ZERO);
        }

        /**
         * Adapts the block size to the rate at which integers are used. Each measurement of the rate changes the size
         * by at most a factor of two.
         *
         * @param minSize the minimum, and the size of the first block; 1 to {@link #MAX_BLOCK_SIZE}
         * @param maxSize the maximum; {@code minSize} to {@link #MAX_BLOCK_SIZE}
         * @param duration how long a block should last; above zero, at most 365 days
         * @return this
         */
        public Builder adaptiveBlockSize(long minSize, long maxSize, Duration duration) {
            requireBlockSize(name, minSize, maxSize, duration);
            this.minBlockSize = minSize;
            this.maxBlockSize = maxSize;
            this.blockDuration = duration;
            return this;
        }

        /**
         * Sets the used share of a block at which the sequence reserves the next one in the background. Usually the
         * sequence prefetches one block. At a high rate, the rest of a block may last for less than four reservations
         * plus 20 milliseconds. The sequence then prefetches more blocks, but at most four. With a share of 1, it
         * reserves the next block only after the last integer was taken, and never holds a second block.
         *
         * @param share above 0, at most 1; 0.5 by default
         * @return this
         */
        public Builder prefetchThreshold(double share) {
            this.prefetchThreshold = requireShare(name, share);
            return this;
        }

        /**
         * Sets how long a call waits at most for a block when no reserved integer is left.
         *
         * @param maxWait zero to 365 days; 10 seconds by default
         * @return this
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = requireRange(name, "maxWait", maxWait);
            return this;
        }

        /**
         * Sets the store that reserves the blocks: a {@code JdbcBlockStore}, a {@code CassandraBlockStore}, or your
         * own. Closing the sequence does not close the store. Integers are unique only as long as the store keeps its
         * data.
         *
         * @param store a store; required, except by a {@code JdbcSnowcast}, whose default is its own database
         * @return this
         */
        public Builder store(BlockStore store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * {@return the configuration}
         *
         * @throws IllegalArgumentException if the last value is below the first
         */
        public IntegerSequenceConfig build() {
            return new IntegerSequenceConfig(
                    name,
                    firstValue,
                    lastValue,
                    minBlockSize,
                    maxBlockSize,
                    blockDuration,
                    prefetchThreshold,
                    maxWait,
                    store);
        }
    }
}
