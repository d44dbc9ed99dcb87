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
 *
 * @param name the sequencer's name
 * @param epoch the epoch
 * @param layout the layout
 * @param counterStart where the counter starts
 * @param lease the lease of this instance, one second to 30 days, or null for the cluster's
 * @param backupCount the number of synchronous backups of the table, 0 to 6, or empty for that of the {@link Snowcast}
 * @param startAbove the ID that all IDs are above, unsigned, or null if they may begin anywhere
 */
public record SequencerConfig(
        String name,
        SnowcastEpoch epoch,
        SnowcastLayout layout,
        CounterStart counterStart,
        @Nullable Duration lease,
        OptionalInt backupCount,
        @Nullable Long startAbove) {
    /** How many synchronous backups there are at most: what Hazelcast allows. */
    public static final int MAX_BACKUP_COUNT = 6;

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_LEASE = Duration.ofDays(30);

    /**
     * Creates a configuration. A later version may have more parts: {@link #builder} needs only those that differ.
     *
     * @param name the sequencer's name, which {@link SequenceName} allows
     * @param epoch an epoch that is not in the future
     * @param layout the layout; in a cluster with at most 13 bits of node IDs
     * @param counterStart where the counter starts
     * @param lease one second to 30 days, or null
     * @param backupCount 0 to 6, or empty
     * @param startAbove an ID that all IDs are above, unsigned, or null
     * @throws NullPointerException if what may not be null is
     * @throws IllegalArgumentException if name, lease or backup count is none that is allowed
     */
    public SequencerConfig {
        SequenceName.require(name);
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(counterStart, "counterStart");
        if (lease != null) {
            requireLease(lease);
        }
        backupCount.ifPresent(SequencerConfig::requireBackupCount);
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

    static int requireBackupCount(int backupCount) {
        if (backupCount < 0 || backupCount > MAX_BACKUP_COUNT) {
            throw new IllegalArgumentException("backupCount must be 0 to " + MAX_BACKUP_COUNT + ": " + backupCount);
        }
        return backupCount;
    }

    private static Duration requireLease(Duration lease) {
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException("lease must be " + MIN_LEASE + " to " + MAX_LEASE + ": " + lease);
        }
        return lease;
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
        private @Nullable Duration lease;
        private OptionalInt backupCount = OptionalInt.empty();
        private @Nullable Long startAbove;

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
         * Sets the layout by the maximum of node IDs; replaces an earlier layout.
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
         * @param layout the layout; in a cluster with at most 13 bits of node IDs
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
         * Sets how long this instance can go on without the cluster, and how long its node ID is kept after it
         * vanished without a word. The default is the cluster's {@code snowcast.lease.millis}, which is also the most
         * that the cluster grants.
         *
         * @param lease one second to 30 days
         * @return this
         */
        public Builder lease(Duration lease) {
            this.lease = requireLease(Objects.requireNonNull(lease, "lease"));
            return this;
        }

        /**
         * Sets the number of synchronous backups of the sequencer's table.
         *
         * @param backupCount 0 to 6; the default is that of the {@link Snowcast}
         * @return this
         */
        public Builder backupCount(int backupCount) {
            this.backupCount = OptionalInt.of(requireBackupCount(backupCount));
            return this;
        }

        /**
         * Sets an ID that every ID is above, as unsigned numbers: the highest one of a generator that this sequencer takes
         * the place of. Part of the definition, as the epoch: the same on all members and clients, for ever.
         *
         * <p>If the sequencer would reach such IDs only in the future, by the epoch and the layout, it cannot be created or
         * attached: that fails with a {@link SnowcastIllegalStateException}, which names the latest epoch that would do.
         *
         * @param id an ID of any generator; none by default
         * @return this
         */
        public Builder startAbove(long id) {
            this.startAbove = id;
            return this;
        }

        /**
         * {@return the configuration}
         *
         * @throws NullPointerException if no epoch was given
         */
        public SequencerConfig build() {
            Objects.requireNonNull(
                    epoch,
                    () -> "sequencer " + name + ": epoch must be set, to an instant that never changes, such as"
                            + " SnowcastEpoch.byInstant(Instant.parse(\"2024-01-01T00:00:00Z\"))");
            return new SequencerConfig(name, epoch, layout, counterStart, lease, backupCount, startAbove);
        }
    }
}
