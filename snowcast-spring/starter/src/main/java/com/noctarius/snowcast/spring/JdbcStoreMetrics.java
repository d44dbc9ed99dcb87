// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.Map;

/**
 * Micrometer meters of JDBC stores and their shards. The first three meters count the reservations of the
 * {@code JdbcBlockStore}s, and have the tags {@code store} and {@code sequence}. The other meters show what a
 * {@code ScheduledJdbcMonitor} has read, and have the tag {@code monitor}. The meter {@code consumption} also has the
 * tag {@code sequence}, {@code shard.up} has {@code shard}, and the remaining three have both:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.jdbc.reservations}</td><td>blocks that this process reserved</td></tr>
 * <tr><td>{@code snowcast.jdbc.reservation.failures}</td><td>reservations for which no shard could serve</td></tr>
 * <tr><td>{@code snowcast.jdbc.reservations.failing}</td><td>for how long reservations have been failing; 0 if nothing
 * is wrong</td></tr>
 * <tr><td>{@code snowcast.jdbc.windows.open}</td><td>windows of a shard that have integers left</td></tr>
 * <tr><td>{@code snowcast.jdbc.remaining}</td><td>integers left in these windows</td></tr>
 * <tr><td>{@code snowcast.jdbc.autonomy}</td><td>for how long these integers last if this shard alone serves all
 * processes</td></tr>
 * <tr><td>{@code snowcast.jdbc.consumption}</td><td>integers that all processes reserve, per second</td></tr>
 * <tr><td>{@code snowcast.jdbc.shard.up}</td><td>1 if a shard answers and is the configured one, else 0</td></tr>
 * </table>
 *
 * <p>The meters of a monitor show the status that it last read from the database, not the state of this process. They
 * do not exist before the monitor's first reading has ended. A sequence gets its meters within ten seconds after its
 * first request to the store, or after a monitor has first read it. Reading a meter never calls a database.
 * Thread-safe.
 */
public final class JdbcStoreMetrics extends BoundMeters {
    /**
     * Creates a binder of the meters of stores and monitors.
     *
     * @param stores the stores; each key becomes the value of the tag "store"; only JDBC stores get meters
     * @param monitors the monitors; each key becomes the value of the tag "monitor"
     * @throws NullPointerException if an argument, a name, a store or a monitor is null
     */
    public JdbcStoreMetrics(Map<String, ? extends BlockStore> stores, Map<String, ScheduledJdbcMonitor> monitors) {
        this(of(Map.copyOf(stores), Map.copyOf(monitors)), REFRESH_PERIOD);
    }

    JdbcStoreMetrics(JdbcStores stores, Duration refreshPeriod) {
        super(stores::metered, refreshPeriod);
    }

    private static JdbcStores of(Map<String, ? extends BlockStore> stores, Map<String, ScheduledJdbcMonitor> monitors) {
        return new JdbcStores(() -> stores, () -> monitors);
    }
}
