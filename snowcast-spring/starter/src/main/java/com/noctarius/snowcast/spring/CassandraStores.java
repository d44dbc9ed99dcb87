// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.cassandra.CassandraStripedBlockStore;
import com.noctarius.snowcast.cassandra.DatacenterRangeStats;
import com.noctarius.snowcast.cassandra.ReservationStats;
import com.noctarius.snowcast.store.BlockStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The Cassandra stores of an application, and the sequences that have had requests. Never calls Cassandra. */
final class CassandraStores implements StoreDetails {
    private final Supplier<? extends Map<String, ? extends BlockStore>> stores;

    private record Key(String store, String sequence) {}

    /** Uses the stores with their names as keys, and ignores stores that are not Cassandra stores. */
    CassandraStores(Supplier<? extends Map<String, ? extends BlockStore>> stores) {
        this.stores = stores;
    }

    /** Uses the store beans that exist already. It creates no lazy bean, because that would call Cassandra. */
    static CassandraStores ofBeans(ConfigurableListableBeanFactory beanFactory) {
        return new CassandraStores(() -> MadeBeans.of(beanFactory, BlockStore.class));
    }

    List<BoundMeters.Metered> metered() {
        List<BoundMeters.Metered> metered = new ArrayList<>();
        stores.get().forEach((name, store) -> {
            if (store instanceof CassandraBlockStore ofRanges) {
                ofRanges.sequences()
                        .forEach(sequence -> metered.add(new BoundMeters.Metered(
                                new Key(name, sequence),
                                store,
                                registry -> CassandraMeters.register(registry, name, sequence, ofRanges))));
            } else if (store instanceof CassandraStripedBlockStore striped) {
                striped.sequences()
                        .forEach(sequence -> metered.add(new BoundMeters.Metered(
                                new Key(name, sequence),
                                store,
                                registry -> CassandraMeters.register(registry, name, sequence, striped))));
            }
        });
        return metered;
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        stores.get().forEach((name, store) -> {
            Map<String, Object> bySequence = new LinkedHashMap<>();
            if (store instanceof CassandraBlockStore ofRanges) {
                for (String sequence : new TreeSet<>(ofRanges.sequences())) {
                    ofRanges.stats(sequence).ifPresent(stats -> bySequence.put(sequence, details(stats)));
                }
                details.put(name, bySequence);
            } else if (store instanceof CassandraStripedBlockStore striped) {
                for (String sequence : new TreeSet<>(striped.sequences())) {
                    striped.stats(sequence)
                            .ifPresent(stats -> bySequence.put(sequence, details(striped, sequence, stats)));
                }
                details.put(name, bySequence);
            }
        });
        return details;
    }

    private static Map<String, Object> details(
            CassandraStripedBlockStore store, String sequence, ReservationStats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("datacenter", store.localDatacenter());
        details.put("reservations", stats.applied());
        store.problem(sequence).ifPresent(problem -> details.put("problem", problem));
        return details;
    }

    static Map<String, Object> details(DatacenterRangeStats stats) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("datacenter", stats.datacenter());
        if (stats.isRangeKnown()) {
            details.put("remaining", stats.remaining());
        }
        if (!stats.problem().isEmpty()) {
            details.put("problem", stats.problem());
        }
        return details;
    }
}
