// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.Map;

/**
 * Micrometer's meters of {@code JdbcBlockStore}s, with the tags {@code store} and {@code sequence}, and of what
 * {@code ScheduledJdbcMonitor}s read of the shards, with the tags {@code monitor}, {@code sequence} and {@code shard}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.jdbc.reservations}</td><td>blocks that this process reserved</td></tr>
 * <tr><td>{@code snowcast.jdbc.reservation.failures}</td><td>reservations for which no shard could serve</td></tr>
 * <tr><td>{@code snowcast.jdbc.reservations.failing}</td><td>for how long none could; 0 if nothing is wrong</td></tr>
 * <tr><td>{@code snowcast.jdbc.windows.open}</td><td>windows of a shard with integers left</td></tr>
 * <tr><td>{@code snowcast.jdbc.remaining}</td><td>integers that these have left</td></tr>
 * <tr><td>{@code snowcast.jdbc.autonomy}</td><td>how long these last if the shard alone serves all processes</td></tr>
 * <tr><td>{@code snowcast.jdbc.consumption}</td><td>integers that all processes reserve, per second</td></tr>
 * <tr><td>{@code snowcast.jdbc.shard.up}</td><td>1 if a shard answers and is the one it is taken for, else 0</td></tr>
 * </table>
 *
 * <p>What a monitor shows is of its last reading, the same in every process; it is NaN while it is not known. A
 * sequence has meters within ten seconds after its store was first asked for it, or a monitor first read it. No meter
 * asks a database. Thread-safe.
 */
public final class JdbcStoreMetrics extends BoundMeters {
    /**
     * Makes meters of stores and monitors.
     *
     * @param stores by their names, as the first tag shows them; those that are not of JDBC have no meters
     * @param monitors by their names, as the first tag shows them
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
