// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a sequencer. Immutable and thread-safe.
 *
 * <pre>{@code
 * SequencerConfig.builder("orders")
 *     .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
 *     .maxLogicalNodeCount(128)
 *     .build();
 * }</pre>
 */
public final class SequencerConfig {
    /** How many synchronous backups there are at most: what Hazelcast allows. */
    public static final int MAX_BACKUP_COUNT = 6;

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_LEASE = Duration.ofDays(30);

    private final String name;
    private final SnowcastEpoch epoch;
    private final SnowcastLayout layout;
    private final CounterStart counterStart;
    private final Ordering ordering;
    private final @Nullable Duration lease;
    private final @Nullable Integer backupCount;

    private SequencerConfig(Builder builder) {
        this.name = builder.name;
        this.epoch = Objects.requireNonNull(
                builder.epoch,
                () -> "sequencer " + builder.name + ": epoch must be set, to an instant that never changes, such as"
                        + " SnowcastEpoch.byInstant(Instant.parse(\"2024-01-01T00:00:00Z\"))");
        this.layout = builder.layout;
        this.counterStart = builder.counterStart;
        this.ordering = builder.ordering;
        this.lease = builder.lease;
        this.backupCount = builder.backupCount;
    }

    /**
     * {@return a builder with the default layout and a random counter start, without an epoch}
     *
     * @param name the sequencer's name, which {@link SequenceName} allows: 1 to 255 characters, no control characters
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is none that is allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** {@return the sequencer's name} */
    public String name() {
        return name;
    }

    /** {@return the epoch} */
    public SnowcastEpoch epoch() {
        return epoch;
    }

    /** {@return the layout} */
    public SnowcastLayout layout() {
        return layout;
    }

    /** {@return where the counter starts} */
    public CounterStart counterStart() {
        return counterStart;
    }

    /** {@return the order in which IDs come} */
    public Ordering ordering() {
        return ordering;
    }

    /** {@return the lease of this instance, or null for the cluster's} */
    public @Nullable Duration lease() {
        return lease;
    }

    /** {@return the number of synchronous backups of the table, 0 to 6; or empty for that of the {@link Snowcast}} */
    public OptionalInt backupCount() {
        return backupCount == null ? OptionalInt.empty() : OptionalInt.of(backupCount);
    }

    static int requireBackupCount(int backupCount) {
        if (backupCount < 0 || backupCount > MAX_BACKUP_COUNT) {
            throw new IllegalArgumentException("backupCount must be 0 to " + MAX_BACKUP_COUNT + ": " + backupCount);
        }
        return backupCount;
    }

    @Override
    public String toString() {
        return "SequencerConfig{name=" + name + ", epoch=" + epoch + ", layout=" + layout + ", counterStart="
                + counterStart + ", ordering=" + ordering + ", lease=" + lease + ", backupCount=" + backupCount + '}';
    }

    /**
     * Builds a {@link SequencerConfig}. Not thread-safe. An argument that is null makes a setter throw {@link
     * NullPointerException}, one that is out of its range {@link IllegalArgumentException}.
     */
    public static final class Builder {
        private final String name;
        private @Nullable SnowcastEpoch epoch;
        private SnowcastLayout layout = SnowcastLayout.DEFAULT;
        private CounterStart counterStart = CounterStart.RANDOM;
        private Ordering ordering = Ordering.STRICT;
        private @Nullable Duration lease;
        private @Nullable Integer backupCount;

        private Builder(String name) {
            this.name = SequenceName.require(name);
        }

        /**
         * Sets the epoch; required.
         *
         * @param epoch an epoch that is not in the future
         * @return this
         */
        public Builder epoch(SnowcastEpoch epoch) {
            this.epoch = Objects.requireNonNull(epoch, "epoch");
            return this;
        }

        /**
         * Sets the layout by the maximum of logical nodes; replaces an earlier layout.
         *
         * @param maxLogicalNodeCount 128 to 8,192 (the default), rounded up to a power of two
         * @return this
         * @throws SnowcastMaxLogicalNodeIdOutOfBoundsException if the number is out of range
         */
        public Builder maxLogicalNodeCount(int maxLogicalNodeCount) {
            this.layout = SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount);
            return this;
        }

        /**
         * Sets the layout; replaces an earlier one.
         *
         * @param layout the layout; in a cluster with at most 13 bits of logical nodes
         * @return this
         */
        public Builder layout(SnowcastLayout layout) {
            this.layout = Objects.requireNonNull(layout, "layout");
            return this;
        }

        /**
         * Sets where the counter starts when an idle sequencer moves to a new millisecond.
         *
         * @param counterStart {@link CounterStart#RANDOM} by default
         * @return this
         */
        public Builder counterStart(CounterStart counterStart) {
            this.counterStart = Objects.requireNonNull(counterStart, "counterStart");
            return this;
        }

        /**
         * Sets the order in which the IDs of this instance come.
         *
         * @param ordering {@link Ordering#STRICT} by default
         * @return this
         */
        public Builder ordering(Ordering ordering) {
            this.ordering = Objects.requireNonNull(ordering, "ordering");
            return this;
        }

        /**
         * Sets how long this instance can go on without the cluster, and how long its logical node ID is kept after it
         * vanished without a word. The default is the cluster's {@code snowcast.lease.millis}, which is also the most
         * that the cluster grants.
         *
         * @param lease one second to 30 days
         * @return this
         */
        public Builder lease(Duration lease) {
            Objects.requireNonNull(lease, "lease");
            if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
                throw new IllegalArgumentException("lease must be " + MIN_LEASE + " to " + MAX_LEASE + ": " + lease);
            }
            this.lease = lease;
            return this;
        }

        /**
         * Sets the number of synchronous backups of the sequencer's table.
         *
         * @param backupCount 0 to 6; the default is that of the {@link Snowcast}
         * @return this
         */
        public Builder backupCount(int backupCount) {
            this.backupCount = requireBackupCount(backupCount);
            return this;
        }

        /**
         * {@return the configuration}
         *
         * @throws NullPointerException if no epoch was given
         */
        public SequencerConfig build() {
            return new SequencerConfig(this);
        }
    }
}
