// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a {@link NodeLease}. Immutable and thread-safe.
 *
 * <pre>{@code
 * NodeLeaseConfig.builder("tsid").maxNodeCount(1_024).build();
 * }</pre>
 *
 * @param name the lease's name; generators whose IDs must all be different need the same name
 * @param maxNodeCount the number of node IDs, which start at 0: 2 to 65,536, and at most as many as the generator's IDs
 *     have room for
 * @param lease how long this holder can continue without the cluster, one second to 30 days, or null for the default,
 *     see {@link Builder#lease}
 * @param backupCount the number of synchronous backups of the lease's table of node IDs, 0 to 6, or empty for that of
 *     the {@link Snowcast}
 */
public record NodeLeaseConfig(
        String name, int maxNodeCount, @Nullable Duration lease, OptionalInt backupCount) {
    /** The greatest number of node IDs. */
    public static final int MAX_NODE_COUNT = 65_536;

    private static final int MIN_NODE_COUNT = 2;

    /**
     * Creates a configuration. Prefer {@link #builder}: a later version may add parameters here.
     *
     * @param name the lease's name, which {@link SequenceName} allows
     * @param maxNodeCount 2 to 65,536
     * @param lease one second to 30 days, or null
     * @param backupCount 0 to 6, or empty
     * @throws NullPointerException if {@code name} or {@code backupCount} is null
     * @throws IllegalArgumentException if a value is out of range
     */
    public NodeLeaseConfig {
        SequenceName.require(name);
        requireNodeCount(name, maxNodeCount);
        if (lease != null) {
            SequencerConfig.requireLease(lease);
        }
        backupCount.ifPresent(SequencerConfig::requireBackupCount);
    }

    private static int requireNodeCount(String name, int maxNodeCount) {
        if (maxNodeCount < MIN_NODE_COUNT || maxNodeCount > MAX_NODE_COUNT) {
            throw new IllegalArgumentException("node lease " + name + ": maxNodeCount must be " + MIN_NODE_COUNT
                    + " to " + MAX_NODE_COUNT + ", as many node IDs as the generator has room for: " + maxNodeCount);
        }
        return maxNodeCount;
    }

    /**
     * {@return a builder without a number of node IDs}
     *
     * @param name the lease's name, 1 to 255 characters that {@link SequenceName} allows
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is not allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Builds a {@link NodeLeaseConfig}. Not thread-safe. A setter throws {@link NullPointerException} for a null
     * argument and {@link IllegalArgumentException} for one that is out of range.
     */
    public static final class Builder {
        private final String name;
        private int maxNodeCount;
        private @Nullable Duration lease;
        private OptionalInt backupCount = OptionalInt.empty();

        private Builder(String name) {
            this.name = SequenceName.require(name);
        }

        /**
         * Sets how many node IDs there are, starting at 0. Required: there is no default, because IDs would repeat if
         * there were more node IDs than fit into the generator's IDs. The number is part of the definition: it must be
         * the same in all processes.
         *
         * @param maxNodeCount 2 to 65,536, such as 1,024 for a generator with 10 bits of node ID
         * @return this
         */
        public Builder maxNodeCount(int maxNodeCount) {
            this.maxNodeCount = requireNodeCount(name, maxNodeCount);
            return this;
        }

        /**
         * Sets how long this holder can continue without the cluster. After a crash of the holder, its node ID stays
         * reserved for at most that time plus the allowed clock skew.
         *
         * @param lease one second to 30 days, at most the cluster's {@code snowcast.lease.millis} or the lease of the
         *     {@code JdbcSnowcast}, which is the default
         * @return this
         */
        public Builder lease(Duration lease) {
            this.lease = SequencerConfig.requireLease(Objects.requireNonNull(lease, "lease"));
            return this;
        }

        /**
         * Sets how many members keep a synchronous backup of the lease's table of node IDs. The backup count is part of
         * the definition. A {@code JdbcSnowcast} ignores it.
         *
         * @param backupCount 0 to 6; that of the {@link Snowcast} by default
         * @return this
         */
        public Builder backupCount(int backupCount) {
            this.backupCount = OptionalInt.of(SequencerConfig.requireBackupCount(backupCount));
            return this;
        }

        /**
         * {@return the configuration}
         *
         * @throws IllegalArgumentException if no number of node IDs was given
         */
        public NodeLeaseConfig build() {
            return new NodeLeaseConfig(name, maxNodeCount, lease, backupCount);
        }
    }
}
