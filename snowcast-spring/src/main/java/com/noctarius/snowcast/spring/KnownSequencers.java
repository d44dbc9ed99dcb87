// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The sequencers that an application is asked about: those of its {@code Snowcast} beans, also when they were not made by
 * Spring, and those that are beans, also when they were destroyed.
 */
final class KnownSequencers {
    private final Map<String, Snowcast> snowcasts;
    private final Supplier<? extends Collection<SnowcastSequencer>> beans;

    /**
     * Makes a view.
     *
     * @param snowcasts by the names of their beans
     */
    KnownSequencers(Map<String, Snowcast> snowcasts, Supplier<? extends Collection<SnowcastSequencer>> beans) {
        this.snowcasts = Map.copyOf(snowcasts);
        this.beans = beans;
    }

    /**
     * Returns the present ones by their names. With several {@code Snowcast}s, which may have sequencers of one name, the
     * name of the bean and a dot come before it.
     */
    Map<String, SnowcastSequencer> byName() {
        Map<String, SnowcastSequencer> byName = new LinkedHashMap<>();
        snowcasts.forEach((beanName, snowcast) -> {
            String prefix = snowcasts.size() == 1 ? "" : beanName + ".";
            snowcast.getSequencers().stream()
                    .sorted(Comparator.comparing(SnowcastSequencer::getSequencerName))
                    .forEach(sequencer -> byName.put(prefix + sequencer.getSequencerName(), sequencer));
        });
        for (SnowcastSequencer bean : beans.get()) {
            if (!byName.containsValue(bean)) {
                byName.putIfAbsent(bean.getSequencerName(), bean);
            }
        }
        return byName;
    }
}
