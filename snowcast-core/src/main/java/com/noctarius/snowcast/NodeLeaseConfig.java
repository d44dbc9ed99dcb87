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
 * @param name the lease's name, one for all generators whose IDs must not repeat each other's
 * @param maxNodeCount how many node IDs there are, from 0 on: as many as the generator has room for, 2 to 65,536
 * @param lease for how long this holder may go on without the cluster, one second to 30 days, or null for the cluster's
 *     lease
 * @param backupCount the number of synchronous backups of the table, 0 to 6, or empty for that of the {@link Snowcast}
 */
public record NodeLeaseConfig(
        String name, int maxNodeCount, @Nullable Duration lease, OptionalInt backupCount) {
    /** The greatest number of node IDs. */
    public static final int MAX_NODE_COUNT = 65_536;

    private static final int MIN_NODE_COUNT = 2;

    /**
     * Creates a configuration. A later version may have more parts: {@link #builder} needs only those that differ.
     *
     * @param name the lease's name, which {@link SequenceName} allows
     * @param maxNodeCount 2 to 65,536
     * @param lease one second to 30 days, or null
     * @param backupCount 0 to 6, or empty
     * @throws NullPointerException if what may not be null is
     * @throws IllegalArgumentException if one of them is out of its range
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
     * @param name the lease's name, which {@link SequenceName} allows: 1 to 255 characters, no control characters
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is none that is allowed
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Builds a {@link NodeLeaseConfig}. Not thread-safe. An argument that is null makes a setter throw
     * {@link NullPointerException}, one that is out of its range {@link IllegalArgumentException}.
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
         * Sets how many node IDs there are, from 0 on. Required; there is no default, since a number that is greater
         * than the generator has room for would make IDs repeat. Part of the definition, so it is the same in all
         * processes.
         *
         * @param maxNodeCount 2 to 65,536, such as 1,024 for a generator with 10 bits of node ID
         * @return this
         */
        public Builder maxNodeCount(int maxNodeCount) {
            this.maxNodeCount = requireNodeCount(name, maxNodeCount);
            return this;
        }

        /**
         * Sets for how long this holder can go on without the cluster. After a crash its node ID stays reserved for as
         * long, and the allowed clock skew.
         *
         * @param lease one second to 30 days, at most the cluster's {@code snowcast.lease.millis}, which is the default
         * @return this
         */
        public Builder lease(Duration lease) {
            this.lease = SequencerConfig.requireLease(Objects.requireNonNull(lease, "lease"));
            return this;
        }

        /**
         * Sets how many members have a synchronous copy of who holds what. Part of the definition. A database ignores
         * it.
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
