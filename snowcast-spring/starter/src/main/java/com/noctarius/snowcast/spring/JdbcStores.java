// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcReservationStats;
import com.noctarius.snowcast.jdbc.JdbcStatus;
import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import com.noctarius.snowcast.store.BlockStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The JDBC stores of an application, and the statuses that its monitors have last read. Never calls a database. */
final class JdbcStores implements StoreDetails {
    private final Supplier<? extends Map<String, ? extends BlockStore>> stores;
    private final Supplier<Map<String, ScheduledJdbcMonitor>> monitors;

    private record OfStore(String store, String sequence) {}

    private record OfShard(String monitor, int shard) {}

    private record OfSequence(String monitor, String sequence) {}

    private record OfWindows(String monitor, String sequence, int shard) {}

    /** Uses stores and monitors with their names as keys, and ignores stores that are not JDBC stores. */
    JdbcStores(
            Supplier<? extends Map<String, ? extends BlockStore>> stores,
            Supplier<Map<String, ScheduledJdbcMonitor>> monitors) {
        this.stores = stores;
        this.monitors = monitors;
    }

    static JdbcStores ofBeans(ConfigurableListableBeanFactory beanFactory) {
        return new JdbcStores(
                () -> MadeBeans.of(beanFactory, BlockStore.class),
                () -> MadeBeans.of(beanFactory, ScheduledJdbcMonitor.class));
    }

    List<BoundMeters.Metered> metered() {
        List<BoundMeters.Metered> metered = new ArrayList<>();
        stores.get().forEach((name, store) -> {
            if (store instanceof JdbcBlockStore shards) {
                shards.sequences()
                        .forEach(sequence -> metered.add(new BoundMeters.Metered(
                                new OfStore(name, sequence),
                                store,
                                registry -> JdbcMeters.register(registry, name, sequence, shards))));
            }
        });
        monitors.get()
                .forEach((name, monitor) ->
                        monitor.status().ifPresent(status -> metered.addAll(metered(name, monitor, status))));
        return metered;
    }

    private static List<BoundMeters.Metered> metered(String name, ScheduledJdbcMonitor monitor, JdbcStatus status) {
        List<BoundMeters.Metered> metered = new ArrayList<>();
        for (JdbcStatus.ShardStatus shard : status.shards()) {
            int index = shard.index();
            metered.add(new BoundMeters.Metered(
                    new OfShard(name, index),
                    monitor,
                    registry -> JdbcMeters.register(registry, name, index, monitor)));
            for (JdbcStatus.SequenceStatus sequence : status.sequences()) {
                metered.add(new BoundMeters.Metered(
                        new OfWindows(name, sequence.name(), index),
                        monitor,
                        registry -> JdbcMeters.register(registry, name, sequence.name(), index, monitor)));
            }
        }
        for (JdbcStatus.SequenceStatus sequence : status.sequences()) {
            metered.add(new BoundMeters.Metered(
                    new OfSequence(name, sequence.name()),
                    monitor,
                    registry -> JdbcMeters.register(registry, name, sequence.name(), monitor)));
        }
        return metered;
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        stores.get().forEach((name, store) -> {
            if (store instanceof JdbcBlockStore shards) {
                Map<String, Object> bySequence = new LinkedHashMap<>();
                for (String sequence : new TreeSet<>(shards.sequences())) {
                    shards.stats(sequence).ifPresent(stats -> bySequence.put(sequence, details(stats)));
                }
                details.put(name, bySequence);
            }
        });
        monitors.get()
                .forEach((name, monitor) -> monitor.status().ifPresent(status -> details.put(name, details(status))));
        return details;
    }

    private static Map<String, Object> details(JdbcReservationStats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("reservations", stats.reservations());
        if (!stats.problem().isEmpty()) {
            details.put("problem", stats.problem());
        }
        return details;
    }

    private static Map<String, Object> details(JdbcStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!status.problem().isEmpty()) {
            details.put("problem", status.problem());
        }
        status.shards().forEach(shard -> {
            Map<String, Object> ofShard = new LinkedHashMap<>();
            status.sequences()
                    .forEach(sequence -> sequence.windows().stream()
                            .filter(windows -> windows.shard() == shard.index())
                            .forEach(windows -> ofShard.put(sequence.name(), details(sequence, windows))));
            if (!shard.problem().isEmpty()) {
                ofShard.put("problem", shard.problem());
            }
            details.put("shard " + shard.index(), ofShard);
        });
        return details;
    }

    private static Map<String, Object> details(JdbcStatus.SequenceStatus sequence, JdbcStatus.WindowStatus windows) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("remaining", windows.remaining());
        sequence.autonomy(windows).ifPresent(time -> details.put("autonomy", time.toString()));
        return details;
    }
}
