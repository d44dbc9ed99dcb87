// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.Map;

/**
 * Micrometer meters of {@code CassandraBlockStore}s and {@code CassandraStripedBlockStore}s, with the tags
 * {@code store}, {@code sequence} and {@code datacenter}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.cassandra.autonomy}</td><td>for how long the datacenter can issue integers without the other
 * datacenters, at the current rate; 0 if no integers are left; NaN while the remaining integers or the rate are
 * unknown, or if no integers are used</td></tr>
 * <tr><td>{@code snowcast.cassandra.remaining}</td><td>integers that the datacenter has left, including those of its
 * next range; NaN while unknown</td></tr>
 * <tr><td>{@code snowcast.cassandra.consumption}</td><td>integers per second that the datacenter uses; NaN for the
 * first minute of the measurement</td></tr>
 * <tr><td>{@code snowcast.cassandra.claims.failing}</td><td>for how long no range could be claimed; 0 if nothing is
 * wrong</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservation.attempts}</td><td>requests to reserve a block</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservations}</td><td>requests that reserved a block</td></tr>
 * <tr><td>{@code snowcast.cassandra.reservation.unknowns}</td><td>requests that failed or had no answer</td></tr>
 * </table>
 *
 * <p>Only a {@code CassandraBlockStore} has the first four meters. {@code remaining} is the number that this process
 * knew after it last reserved a block or claimed a range, so the number does not change while the process is idle. A
 * sequence gets its meters within ten seconds after its first request to the store. Reading a meter never calls
 * Cassandra. Thread-safe.
 */
public final class CassandraStoreMetrics extends BoundMeters {
    /**
     * Creates a binder of the meters of stores.
     *
     * @param stores the stores; each key becomes the value of the tag "store"; only Cassandra stores get meters
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
