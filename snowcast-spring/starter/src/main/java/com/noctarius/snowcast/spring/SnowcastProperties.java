// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code snowcast} of a Spring Boot application. A value that is not set is null. There are three
 * exceptions: {@code enabled} is then true, {@code startDetached} is false, and the maps are empty. Immutable and
 * thread-safe.
 *
 * @param enabled whether the auto-configuration of snowcast is enabled
 * @param standaloneNode the fixed node ID of an application without a cluster: a number, or a host name that ends in a
 *     hyphen and a number, such as {@code orders-3}
 * @param lease the default lease of sequencers and node leases; by default the lease of the cluster or database
 * @param backupCount the default backup count of sequencers and node leases, 0 to 6; by default 1
 * @param hazelcastInstanceRef the name of the {@code HazelcastInstance} bean to use; by default the only or primary one
 * @param attachTimeout for how long the start waits for a cluster or database that cannot serve yet; by default two
 *     minutes, plus the time that the application's own member waits after a full restart
 * @param startDetached whether the application starts even if the cluster or database cannot attach its sequencers yet
 * @param sequencers the sequencers, with the names of their beans as keys
 * @param sequences the integer sequences, with the names of their beans as keys
 * @param nodeLeases the node leases, with the names of their beans as keys
 */
@ConfigurationProperties(SnowcastProperties.PREFIX)
public record SnowcastProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String standaloneNode,
        @Nullable Duration lease,
        @Nullable Integer backupCount,
        @Nullable String hazelcastInstanceRef,
        @Nullable Duration attachTimeout,
        @DefaultValue("false") boolean startDetached,
        @DefaultValue Map<String, Sequencer> sequencers,
        @DefaultValue Map<String, Sequence> sequences,
        @DefaultValue Map<String, Node> nodeLeases) {
    static final String PREFIX = "snowcast";

    /**
     * Creates properties. Snowcast checks the values later, when it creates the beans.
     *
     * @param enabled whether the auto-configuration of snowcast is enabled
     * @param standaloneNode the fixed node ID of an application without a cluster: a number, or a host name that ends
     *     in a hyphen and a number, such as {@code orders-3}
     * @param lease the default lease of sequencers and node leases; by default the lease of the cluster or database
     * @param backupCount the default backup count of sequencers and node leases, 0 to 6; by default 1
     * @param hazelcastInstanceRef the name of the {@code HazelcastInstance} bean to use; by default the only or primary
     *     one
     * @param attachTimeout for how long the start waits for a cluster or database that cannot serve yet; by default two
     *     minutes, plus the time that the application's own member waits after a full restart
     * @param startDetached whether the application starts even if the cluster or database cannot attach its sequencers
     *     yet
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param sequences the integer sequences, with the names of their beans as keys
     * @param nodeLeases the node leases, with the names of their beans as keys
     * @throws NullPointerException if one of the maps is null
     */
    public SnowcastProperties {
        sequencers = Collections.unmodifiableMap(new LinkedHashMap<>(sequencers));
        sequences = Collections.unmodifiableMap(new LinkedHashMap<>(sequences));
        nodeLeases = Collections.unmodifiableMap(new LinkedHashMap<>(nodeLeases));
    }

    /**
     * The properties of a sequencer. A value that is not set is null.
     *
     * @param name the name in the cluster or database; by default the name of the bean
     * @param epoch the instant at which the time in the IDs begins; required
     * @param layout {@code default}, {@code positive}, {@code javascript}, or the bits of time, node ID and counter,
     *     such as {@code 41/13/10}
     * @param maxLogicalNodes how many node IDs the sequencer has, 128 to 8,192; set it in place of a layout
     * @param counterStart the value at which the counter starts in a new millisecond
     * @param lease for how long this process can generate IDs without renewing its lease, 1 second to 30 days; by
     *     default {@code snowcast.lease}
     * @param backupCount the number of synchronous backups, 0 to 6
     * @param startAbove an unsigned number below all IDs of the sequencer, such as the highest ID of existing rows
     */
    public record Sequencer(
            @Nullable String name,
            @Nullable Instant epoch,
            @Nullable String layout,
            @Nullable Integer maxLogicalNodes,
            @Nullable CounterStart counterStart,
            @Nullable Duration lease,
            @Nullable Integer backupCount,
            @Nullable String startAbove) {
        String nameOr(String beanName) {
            return name == null ? beanName : name;
        }

        /** Returns the configuration. A null {@code defaultLease} stands for the lease of the cluster or database. */
        SequencerConfig toConfig(String beanName, @Nullable Duration defaultLease) {
            String clusterName = nameOr(beanName);
            if (clusterName.isBlank()) {
                throw new InvalidSettingException(Setting.NAME, "'" + clusterName + "'");
            }
            SequencerConfig.Builder config =
                    SequencerConfig.builder(clusterName).epoch(snowcastEpoch()).layout(snowcastLayout());
            Setting.COUNTER_START.set(counterStart, config::counterStart);
            Setting.LEASE.set(lease == null ? defaultLease : lease, config::lease);
            Setting.BACKUP_COUNT.set(backupCount, config::backupCount);
            Setting.START_ABOVE.set(startAbove, id -> config.startAbove(Long.parseUnsignedLong(id)));
            return config.build();
        }

        private SnowcastEpoch snowcastEpoch() {
            if (epoch == null) {
                throw new InvalidSettingException(
                        Setting.EPOCH, "is missing; must be " + Setting.EPOCH.allowed(), null);
            }
            return Setting.EPOCH.checked(epoch, () -> SnowcastEpoch.byInstant(epoch));
        }

        private SnowcastLayout snowcastLayout() {
            if (layout != null && maxLogicalNodes != null) {
                throw new InvalidSettingException(
                        Setting.MAX_LOGICAL_NODES,
                        "must not be set together with " + Setting.LAYOUT.key() + " (" + layout + "): "
                                + maxLogicalNodes,
                        null);
            }
            if (maxLogicalNodes != null) {
                return Setting.MAX_LOGICAL_NODES.checked(
                        maxLogicalNodes, () -> SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodes));
            }
            return layout == null
                    ? SnowcastLayout.DEFAULT
                    : Setting.LAYOUT.checked(layout, () -> requireCluster(SnowcastLayout.parse(layout.trim())));
        }

        private static SnowcastLayout requireCluster(SnowcastLayout wanted) {
            if (wanted.logicalNodeCount() > SnowcastLayout.MAX_LOGICAL_NODE_COUNT) {
                throw new IllegalArgumentException(
                        "logicalNodeBits must be 1 to 13 in a cluster: " + wanted.logicalNodeBits());
            }
            return wanted;
        }
    }

    /**
     * The properties of a node lease. A value that is not set is null.
     *
     * @param name the name in the cluster or database; by default the name of the bean
     * @param maxNodes how many node IDs the generator that uses the lease has room for, 2 to 65,536; required
     * @param lease for how long this process can use the node ID without renewing its lease, 1 second to 30 days; by
     *     default {@code snowcast.lease}
     * @param backupCount the number of synchronous backups, 0 to 6
     */
    public record Node(
            @Nullable String name,
            @Nullable Integer maxNodes,
            @Nullable Duration lease,
            @Nullable Integer backupCount) {
        String nameOr(String beanName) {
            return name == null ? beanName : name;
        }

        /** Returns the configuration. A null {@code defaultLease} stands for the lease of the cluster or database. */
        NodeLeaseConfig toConfig(String beanName, @Nullable Duration defaultLease) {
            String clusterName = nameOr(beanName);
            if (clusterName.isBlank()) {
                throw new InvalidSettingException(Setting.NAME, "'" + clusterName + "'");
            }
            NodeLeaseConfig.Builder config = NodeLeaseConfig.builder(clusterName);
            Setting.MAX_NODES.set(Setting.MAX_NODES.required(maxNodes, "for a node lease"), config::maxNodeCount);
            Setting.LEASE.set(lease == null ? defaultLease : lease, config::lease);
            Setting.BACKUP_COUNT.set(backupCount, config::backupCount);
            return config.build();
        }
    }

    /**
     * The properties of an integer sequence. A value that is not set is null.
     *
     * @param name the name in the store; by default the name of the bean
     * @param firstValue the lowest integer, 0 or more, above all integers that are in use
     * @param lastValue the highest integer
     * @param blockSize how many integers are reserved at a time, 1 or more
     * @param minBlockSize the minimum of an adaptive block size, 1 or more; set it together with the maximum and the
     *     block duration, in place of a block size
     * @param maxBlockSize the maximum of an adaptive block size, at least the minimum
     * @param blockDuration for how long a block of an adaptive size should last, up to 365 days
     * @param prefetchThreshold the used share of a block at which the next block is reserved: above 0, at most 1
     * @param maxWait for how long a call waits for a block at most, up to 365 days
     * @param storeRef the name of the {@code BlockStore} bean in which blocks are reserved; by default the database of
     *     the node IDs, if a database grants them, or else the only or primary store bean. With snowcast-jdbc and a
     *     {@code DataSource}, snowcast declares a store bean, unless there is a {@code JdbcBlockStore}
     */
    public record Sequence(
            @Nullable String name,
            @Nullable Long firstValue,
            @Nullable Long lastValue,
            @Nullable Long blockSize,
            @Nullable Long minBlockSize,
            @Nullable Long maxBlockSize,
            @Nullable Duration blockDuration,
            @Nullable Double prefetchThreshold,
            @Nullable Duration maxWait,
            @Nullable String storeRef) {
        String nameOr(String beanName) {
            return name == null ? beanName : name;
        }

        /** Returns the configuration. A null {@code store} stands for the database of the {@code Snowcast}. */
        IntegerSequenceConfig toConfig(String beanName, @Nullable BlockStore store) {
            String storedName = nameOr(beanName);
            if (storedName.isBlank()) {
                throw new InvalidSettingException(Setting.NAME, "'" + storedName + "'");
            }
            IntegerSequenceConfig.Builder config = IntegerSequenceConfig.builder(storedName);
            Setting.FIRST_VALUE.set(firstValue, config::firstValue);
            Setting.LAST_VALUE.set(lastValue, config::lastValue);
            setBlockSize(config);
            Setting.PREFETCH_THRESHOLD.set(prefetchThreshold, config::prefetchThreshold);
            Setting.MAX_WAIT.set(maxWait, config::maxWait);
            if (store != null) {
                config.store(store);
            }
            return Setting.LAST_VALUE.checked(lastValue, config::build);
        }

        private void setBlockSize(IntegerSequenceConfig.Builder config) {
            if (minBlockSize == null && maxBlockSize == null && blockDuration == null) {
                Setting.BLOCK_SIZE.set(blockSize, config::blockSize);
                return;
            }
            Setting.BLOCK_SIZE.requireAbsent(blockSize, "with those of an adaptive block size");
            String together = "for an adaptive block size";
            long min = Setting.MIN_BLOCK_SIZE.required(minBlockSize, together);
            long max = Setting.MAX_BLOCK_SIZE.required(maxBlockSize, together);
            Duration duration = Setting.BLOCK_DURATION.required(blockDuration, together);
            Setting.MIN_BLOCK_SIZE.checked(min, () -> config.blockSize(min));
            Setting.MAX_BLOCK_SIZE.checked(max, () -> config.adaptiveBlockSize(min, max, Duration.ofSeconds(1)));
            Setting.BLOCK_DURATION.checked(duration, () -> config.adaptiveBlockSize(min, max, duration));
        }
    }
}
