// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an integer sequence. Immutable and thread-safe.
 *
 * <pre>{@code
 * IntegerSequenceConfig.builder("products")
 *     .firstValue(5_000_001)
 *     .blockSize(1_000)
 *     .build();
 * }</pre>
 */
public final class IntegerSequenceConfig {
    /** How many integers a block has at most: one that is lost, or that one process holds, is not the whole sequence. */
    public static final long MAX_BLOCK_SIZE = 1L << 24;

    private static final Duration MAX_DURATION = Duration.ofDays(365);

    private final String name;
    private final long firstValue;
    private final long lastValue;
    private final BlockSize blockSize;
    private final double prefetchThreshold;
    private final Duration maxWait;
    private final Ordering ordering;
    private final @Nullable BlockStore store;
    private final OptionalInt backupCount;
    private final @Nullable ParentStore parentStore;

    /**
     * A store from which the Hazelcast cluster takes ranges.
     *
     * @param store where ranges are reserved
     * @param rangeSize how many integers a range has, 1 or more
     */
    public record ParentStore(BlockStore store, long rangeSize) {}

    /** Fixed if a block need not last. */
    private record BlockSize(long min, long max, Duration lasting) {}

    private IntegerSequenceConfig(Builder builder) {
        this.name = builder.name;
        this.firstValue = builder.firstValue;
        this.lastValue = builder.lastValue;
        long usualSize = builder.ordering == Ordering.CLUSTER ? 1 : 1_000;
        this.blockSize =
                Objects.requireNonNullElse(builder.blockSize, new BlockSize(usualSize, usualSize, Duration.ZERO));
        this.prefetchThreshold = Objects.requireNonNullElse(builder.prefetchThreshold, 0.5);
        this.maxWait = builder.maxWait;
        this.ordering = builder.ordering;
        this.store = builder.store;
        this.backupCount = builder.backupCount;
        this.parentStore = builder.parentStore;
        if (store != null && parentStore != null) {
            throw refused(
                    name,
                    "store and parentStore must not both be set: a parent store is for the" + " Hazelcast cluster, "
                            + store + " takes its place");
        }
        if (ordering == Ordering.CLUSTER) {
            requireUnset("store", store);
            requireUnset("parentStore", parentStore);
            requireUnset("a block size", builder.blockSize);
            requireUnset("prefetchThreshold", builder.prefetchThreshold);
            if (maxWait.isZero()) {
                throw refused(
                        name, "maxWait must be above zero with Ordering.CLUSTER, where every call waits: " + maxWait);
            }
        }
        if (lastValue < firstValue) {
            throw refused(name, "lastValue must be at least firstValue, " + firstValue + ": " + lastValue);
        }
    }

    private void requireUnset(String what, @Nullable Object value) {
        if (value != null) {
            throw refused(
                    name,
                    what + " must not be set with Ordering.CLUSTER, where each call asks the Hazelcast cluster"
                            + " for its integer: " + value);
        }
    }

    private static IllegalArgumentException refused(String name, String why) {
        return new IllegalArgumentException("integer sequence " + name + ": " + why);
    }

    /**
     * {@return a builder for integers from 1 to {@code Integer.MAX_VALUE}, in blocks of 1,000, reserved in the Hazelcast
     * cluster}
     *
     * @param name the sequence's name, which {@link SequenceName} allows: 1 to 255 characters, no control characters
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is none that is allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** {@return the sequence's name} */
    public String name() {
        return name;
    }

    /** {@return the lowest integer, 0 or more} */
    public long firstValue() {
        return firstValue;
    }

    /** {@return the highest integer, at least {@link #firstValue()}} */
    public long lastValue() {
        return lastValue;
    }

    /** {@return the size of the first block, and of all where it is fixed; 1 with {@link Ordering#CLUSTER}} */
    public long minBlockSize() {
        return blockSize.min;
    }

    /** {@return the size that no block exceeds; {@link #minBlockSize()} where the size is fixed} */
    public long maxBlockSize() {
        return blockSize.max;
    }

    /** {@return how long a block of an adaptive size is to last; zero where the size is fixed} */
    public Duration blockDuration() {
        return blockSize.lasting;
    }

    /** {@return the share of a block after whose use the next one is reserved; above 0, at most 1} */
    public double prefetchThreshold() {
        return prefetchThreshold;
    }

    /** {@return how long a call waits for a block, zero or more} */
    public Duration maxWait() {
        return maxWait;
    }

    /** {@return the order in which integers come} */
    public Ordering ordering() {
        return ordering;
    }

    /** {@return where blocks are reserved, or null for the Hazelcast cluster} */
    public @Nullable BlockStore store() {
        return store;
    }

    /** {@return the number of synchronous backups of the pool, 0 to 6; or empty for that of the {@link Snowcast}} */
    public OptionalInt backupCount() {
        return backupCount;
    }

    /** {@return where the Hazelcast cluster takes its ranges from, or null if it counts by itself} */
    public @Nullable ParentStore parentStore() {
        return parentStore;
    }

    @Override
    public String toString() {
        return "IntegerSequenceConfig{name=" + name + ", firstValue=" + firstValue + ", lastValue=" + lastValue
                + ", blockSize=" + blockSize.min + (blockSize.lasting.isZero() ? "" : "-" + blockSize.max)
                + ", blockDuration=" + blockSize.lasting + ", prefetchThreshold=" + prefetchThreshold + ", maxWait="
                + maxWait + ", ordering=" + ordering + ", store=" + store + ", backupCount=" + backupCount
                + ", parentStore=" + parentStore + '}';
    }

    /**
     * Builds an {@link IntegerSequenceConfig}. Not thread-safe. An argument that is null makes a setter throw {@link
     * NullPointerException}, one that is out of its range {@link IllegalArgumentException}.
     */
    public static final class Builder {
        private final String name;
        private long firstValue = 1;
        private long lastValue = Integer.MAX_VALUE;
        private @Nullable BlockSize blockSize;
        private @Nullable Double prefetchThreshold;
        private Duration maxWait = Duration.ofSeconds(10);
        private Ordering ordering = Ordering.STRICT;
        private @Nullable BlockStore store;
        private OptionalInt backupCount = OptionalInt.empty();
        private @Nullable ParentStore parentStore;

        private Builder(String name) {
            this.name = SequenceName.require(name);
        }

        /**
         * Sets the lowest integer: above all identifiers that exist already. The Hazelcast cluster keeps what was
         * handed out in memory, so after a restart of the whole cluster it begins here again. In a store that has a
         * start of its own, its start must not be below this one.
         *
         * @param firstValue 0 or more; 1 by default
         * @return this
         */
        public Builder firstValue(long firstValue) {
            this.firstValue = require("firstValue", firstValue, 0, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets the highest integer.
         *
         * @param lastValue 0 to {@code Long.MAX_VALUE}; {@code Integer.MAX_VALUE} by default
         * @return this
         */
        public Builder lastValue(long lastValue) {
            this.lastValue = require("lastValue", lastValue, 0, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets how many integers are reserved at a time. What is left of a block when a process ends is a gap.
         *
         * @param size 1 to {@link #MAX_BLOCK_SIZE}; 1,000 by default
         * @return this
         */
        public Builder blockSize(long size) {
            this.blockSize = new BlockSize(require("blockSize", size, 1, MAX_BLOCK_SIZE), size, Duration.ZERO);
            return this;
        }

        /**
         * Lets the number of integers that are reserved at a time follow the rate at which they are used. It grows and
         * shrinks by at most a factor of two from block to block.
         *
         * @param minSize the least, and the size of the first block; 1 to {@link #MAX_BLOCK_SIZE}
         * @param maxSize the most; {@code minSize} to {@link #MAX_BLOCK_SIZE}
         * @param duration how long a block is to last; above zero, at most 365 days
         * @return this
         */
        public Builder adaptiveBlockSize(long minSize, long maxSize, Duration duration) {
            require("minSize of adaptiveBlockSize", minSize, 1, MAX_BLOCK_SIZE);
            require("maxSize of adaptiveBlockSize", maxSize, minSize, MAX_BLOCK_SIZE);
            if (duration.isZero() || duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) {
                throw refused(
                        name,
                        "duration of adaptiveBlockSize must be above zero and at most " + MAX_DURATION + ": "
                                + duration);
            }
            this.blockSize = new BlockSize(minSize, maxSize, duration);
            return this;
        }

        /**
         * Sets the share of a block after whose use the next one is reserved in the background. Mostly that one is all
         * that is in hand beside the block in use; where blocks are used up nearly as fast as they can be reserved, as
         * many as last for four reservations, and at most four. With 1 the next block is reserved when the last
         * integer is taken, and there is never a further one.
         *
         * @param share above 0, at most 1; 0.5 by default
         * @return this
         */
        public Builder prefetchThreshold(double share) {
            if (!(share > 0 && share <= 1)) {
                throw refused(name, "prefetchThreshold must be above 0 and at most 1: " + share);
            }
            this.prefetchThreshold = share;
            return this;
        }

        /**
         * Sets how long a call waits for a block when none is left.
         *
         * @param maxWait zero to 365 days; 10 seconds by default
         * @return this
         */
        public Builder maxWait(Duration maxWait) {
            if (maxWait.isNegative() || maxWait.compareTo(MAX_DURATION) > 0) {
                throw refused(name, "maxWait must be zero to " + MAX_DURATION + ": " + maxWait);
            }
            this.maxWait = maxWait;
            return this;
        }

        /**
         * Sets the order in which the integers of this instance come; with {@link Ordering#CLUSTER} those of all instances,
         * which have it, too. It goes with no store, parent store, block size and prefetch threshold.
         *
         * @param ordering {@link Ordering#STRICT} by default
         * @return this
         */
        public Builder ordering(Ordering ordering) {
            this.ordering = Objects.requireNonNull(ordering, "ordering");
            return this;
        }

        /**
         * Sets where blocks are reserved. The store stays open when the sequence is closed.
         *
         * @param store a store; by default the Hazelcast cluster
         * @return this
         */
        public Builder store(BlockStore store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Sets the number of synchronous backups of the pool in the Hazelcast cluster.
         *
         * @param backupCount 0 to 6; by default the number that the {@code Snowcast} was made with
         * @return this
         */
        public Builder backupCount(int backupCount) {
            this.backupCount = OptionalInt.of(SequencerConfig.requireBackupCount(backupCount));
            return this;
        }

        /**
         * Puts the Hazelcast cluster between the processes and a store: the cluster holds ranges that were reserved
         * there, and hands out blocks of them from memory. When half of a range is used, one of the processes reserves
         * the next one. What the cluster loses is a gap: after a loss, or a restart of the whole cluster, it goes on
         * with a new range. All instances of a sequence have a parent store, the same one, or none has.
         *
         * @param store where ranges are reserved; it stays open when the sequence is closed
         * @param rangeSize how many integers a range has, 1 or more: many blocks
         * @return this
         */
        public Builder parentStore(BlockStore store, long rangeSize) {
            require("rangeSize of parentStore", rangeSize, 1, Long.MAX_VALUE);
            this.parentStore = new ParentStore(Objects.requireNonNull(store, "store"), rangeSize);
            return this;
        }

        private long require(String what, long value, long min, long max) {
            if (value < min || value > max) {
                throw refused(name, what + " must be " + min + " to " + max + ": " + value);
            }
            return value;
        }

        /**
         * {@return the configuration}
         *
         * @throws IllegalArgumentException if the last value is below the first, or settings exclude each other
         */
        public IntegerSequenceConfig build() {
            return new IntegerSequenceConfig(this);
        }
    }
}
