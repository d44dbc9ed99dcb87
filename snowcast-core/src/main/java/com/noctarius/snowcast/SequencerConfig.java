// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a sequencer. Immutable and thread-safe.
 *
 * <pre>{@code
 * SequencerConfig.builder("orders")
 *     .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
 *     .layout(SnowcastLayout.POSITIVE)
 *     .build();
 * }</pre>
 *
 * @param name the sequencer's name
 * @param epoch the epoch
 * @param layout the layout
 * @param counterStart where the counter starts
 * @param lease how long a lease of this instance lasts, one second to 30 days, or null for the default, see
 *     {@link Builder#lease}
 * @param backupCount the number of synchronous backups of the sequencer's table of node IDs, 0 to 6, or empty for that
 *     of the {@link Snowcast}
 * @param startAbove an ID below all IDs of the sequencer, compared unsigned; null for no lower bound
 */
public record SequencerConfig(
        String name,
        SnowcastEpoch epoch,
        SnowcastLayout layout,
        CounterStart counterStart,
        @Nullable Duration lease,
        OptionalInt backupCount,
        @Nullable Long startAbove) {
    /** The maximum number of synchronous backups in Hazelcast. */
    public static final int MAX_BACKUP_COUNT = 6;

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_LEASE = Duration.ofDays(30);

    /**
     * Creates a configuration. Prefer {@link #builder}: a later version may add parameters here.
     *
     * @param name the sequencer's name, which {@link SequenceName} allows
     * @param epoch an epoch that is not in the future
     * @param layout the layout; in a cluster or database, with at most 13 bits for the node ID
     * @param counterStart where the counter starts
     * @param lease one second to 30 days, or null
     * @param backupCount 0 to 6, or empty
     * @param startAbove an ID below all IDs of the sequencer, compared unsigned; or null
     * @throws NullPointerException if a value other than {@code lease} or {@code startAbove} is null
     * @throws IllegalArgumentException if name, lease or backup count is not allowed, or the epoch is
     *     {@linkplain SnowcastEpoch#byTimestamp a number} that is probably not in milliseconds
     */
    public SequencerConfig {
        SequenceName.require(name);
        requireMilliseconds(name, Objects.requireNonNull(epoch, "epoch"));
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
     * @param name the sequencer's name, 1 to 255 characters that {@link SequenceName} allows
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is not allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Rejects an epoch that is probably a number of seconds or a year. Such an epoch would be close to 1970, so that a
     * layout with 41 bits of time, which lasts 69.7 years, would soon be used up.
     */
    private static void requireMilliseconds(String name, SnowcastEpoch epoch) {
        if (epoch.isNoMilliseconds()) {
            long number = epoch.getEpochOffset();
            throw new IllegalArgumentException("sequencer " + name + ": epoch is given as the number " + number
                    + ", which means milliseconds since 1970 and is " + Instant.ofEpochMilli(number)
                    + "; give milliseconds, not seconds or a year, or an instant such as"
                    + " SnowcastEpoch.byInstant(Instant.parse(\"2024-01-01T00:00:00Z\"));"
                    + " an epoch before 2000 has to be an instant");
        }
    }

    static int requireBackupCount(int backupCount) {
        if (backupCount < 0 || backupCount > MAX_BACKUP_COUNT) {
            throw new IllegalArgumentException("backupCount must be 0 to " + MAX_BACKUP_COUNT + ": " + backupCount);
        }
        return backupCount;
    }

    static Duration requireLease(Duration lease) {
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException("lease must be " + MIN_LEASE + " to " + MAX_LEASE + ": " + lease);
        }
        return lease;
    }

    /**
     * Builds a {@link SequencerConfig}. Not thread-safe. A setter throws {@link NullPointerException} for a null
     * argument. A setter other than {@link #maxLogicalNodeCount} throws {@link IllegalArgumentException} for an
     * argument that is out of range.
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
         * Sets the instant from which IDs count their time. Required; there is no default. It is part of the
         * definition: it must be the same in all processes and cannot change.
         *
         * @param epoch an epoch that is not in the future, such as a first of January
         * @return this
         */
        public Builder epoch(SnowcastEpoch epoch) {
            this.epoch = Objects.requireNonNull(epoch, "epoch");
            return this;
        }

        /**
         * Sets a layout with 41 bits of time that has at least this many node IDs; the counter gets the bits that the
         * node ID does not need. Replaces a layout that was set before.
         *
         * @param maxLogicalNodeCount 128 to 8,192, rounded up to a power of two; 8,192 by default
         * @return this
         * @throws SnowcastMaxLogicalNodeIdOutOfBoundsException if the number is out of range
         */
        public Builder maxLogicalNodeCount(int maxLogicalNodeCount) {
            this.layout = SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount);
            return this;
        }

        /**
         * Sets how many bits of an ID are time, node ID and counter. The layout is part of the definition. Replaces a
         * layout that was set before.
         *
         * @param layout the layout; in a cluster or database, with at most 13 bits for the node ID. The default is
         *     {@link SnowcastLayout#DEFAULT}, whose IDs turn negative after 34.8 years: for signed columns use
         *     {@link SnowcastLayout#POSITIVE}
         * @return this
         */
        public Builder layout(SnowcastLayout layout) {
            this.layout = Objects.requireNonNull(layout, "layout");
            return this;
        }

        /**
         * Sets the counter at which an idle sequencer starts in a new millisecond. With {@link CounterStart#RANDOM},
         * {@code id % n} is distributed evenly at a low rate; with {@link CounterStart#ZERO} the first IDs of each
         * millisecond have the counters 0, 1, 2.
         *
         * @param counterStart {@link CounterStart#RANDOM} by default
         * @return this
         */
        public Builder counterStart(CounterStart counterStart) {
            this.counterStart = Objects.requireNonNull(counterStart, "counterStart");
            return this;
        }

        /**
         * Sets how long this instance can generate IDs without the cluster. After a crash, the node ID stays reserved
         * for at most that time plus the allowed clock skew. A shorter lease frees node IDs sooner, but bridges only
         * shorter outages. After a loss of all replicas of the sequencer's table, a lease can be renewed only while the
         * rest of the lease is longer than the allowed clock skew. A lease is renewed when half of it is left.
         * Therefore choose more than twice the skew: by default, more than 2 minutes.
         *
         * @param lease one second to 30 days, at most the cluster's {@code snowcast.lease.millis} or the lease of the
         *     {@code JdbcSnowcast}, which is the default: 5 minutes unless it was set to another duration
         * @return this
         */
        public Builder lease(Duration lease) {
            this.lease = requireLease(Objects.requireNonNull(lease, "lease"));
            return this;
        }

        /**
         * Sets how many members keep a synchronous backup of the sequencer's table of node IDs. If the owner and all
         * backups are lost at the same time, attaching fails for a while. The backup count is part of the definition. A
         * {@code JdbcSnowcast} ignores it.
         *
         * @param backupCount 0 to 6; that of the {@link Snowcast} by default, which is 1 unless
         *     {@link SnowcastSystem#snowcast(com.hazelcast.core.HazelcastInstance, int)} set another
         * @return this
         */
        public Builder backupCount(int backupCount) {
            this.backupCount = OptionalInt.of(requireBackupCount(backupCount));
            return this;
        }

        /**
         * Sets a lower bound: every ID of this sequencer is above it, compared unsigned. Use the highest ID of the
         * generator that this sequencer replaces. The bound is part of the definition: it must be the same in all
         * processes and cannot change.
         *
         * <p>With the configured epoch and layout, the time of the IDs above the bound may lie in the future. If that
         * time is further ahead than the allowed clock skew, creating and attaching the sequencer fail with a
         * {@link SnowcastIllegalStateException}, whose message says which epoch or layout to take. A
         * {@linkplain SnowcastSystem#standaloneSequencer standalone sequencer} allows one second.
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
         * @throws IllegalArgumentException if the epoch is a number that is probably not in milliseconds
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
