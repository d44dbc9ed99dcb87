// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.Map;

/**
 * Micrometer's meters of {@code CassandraBlockStore}s and {@code CassandraStripedBlockStore}s, with the tags
 * {@code store}, {@code sequence} and {@code datacenter}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.cassandra.autonomy}</td><td>how long the datacenter continues without the others, at the present
 * rate; NaN if none are used, or the rate was not watched for a minute</td></tr>
 * <tr><td>{@code snowcast.cassandra.remaining}</td><td>integers that the datacenter has left, the next range included; NaN
 * while unknown</td></tr>
 * <tr><td>{@code snowcast.cassandra.consumption}</td><td>integers per second that the datacenter uses; NaN for the first
 * minute</td></tr>
 * <tr><td>{@code snowcast.cassandra.claims.failing}</td><td>for how long no range could be claimed; 0 if nothing is
 * wrong</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservation.attempts}</td><td>requests to reserve a block</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservations}</td><td>those that reserved one</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservation.unknowns}</td><td>those without an answer</td></tr>
 * </table>
 *
 * <p>Only two-tier stores have the first four. They show what this process saw when it last reserved a block, so they
 * do not change while the process is idle. A sequence has meters within ten seconds after its store was first asked for
 * it. No meter asks Cassandra. Thread-safe.
 */
public final class CassandraStoreMetrics extends BoundMeters {
    /**
     * Makes meters of stores.
     *
     * @param stores by their names, as the first tag shows them; those that are not of Cassandra have no meters
     * @throws NullPointerException if {@code stores}, a name or a store is null
     */
    public CassandraStoreMetrics(Map<String, ? extends BlockStore> stores) {
        this(of(Map.copyOf(stores)), REFRESH_PERIOD);
    }

    CassandraStoreMetrics(CassandraStores stores, Duration refreshPeriod) {
        super(stores::metered, refreshPeriod);
    }

    private static CassandraStores of(Map<String, ? extends BlockStore> stores) {
        return new CassandraStores(() -> stores);
    }
}
