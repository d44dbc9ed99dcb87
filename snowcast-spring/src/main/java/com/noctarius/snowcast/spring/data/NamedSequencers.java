// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.SnowcastSequencer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The names under which entities know sequencers. */
final class NamedSequencers {
    private NamedSequencers() {}

    /** Returns the sequencers of a context and its ancestors; makes those that are not made yet. */
    static Map<String, SnowcastSequencer> of(ListableBeanFactory beanFactory) {
        return of(BeanFactoryUtils.beansOfTypeIncludingAncestors(beanFactory, SnowcastSequencer.class));
    }

    /**
     * Returns sequencers by their own names and, where these leave it open, by the names of their beans: a name that
     * several have, in different clusters, means none of them.
     *
     * @param beans by the names of the beans
     */
    static Map<String, SnowcastSequencer> of(Map<String, SnowcastSequencer> beans) {
        Map<String, SnowcastSequencer> byName = new TreeMap<>();
        Set<String> ambiguous = new HashSet<>();
        for (SnowcastSequencer sequencer : beans.values()) {
            String name = sequencer.getSequencerName();
            SnowcastSequencer other = byName.putIfAbsent(name, sequencer);
            if (other != null && other != sequencer) {
                ambiguous.add(name);
            }
        }
        byName.keySet().removeAll(ambiguous);
        beans.forEach(byName::putIfAbsent);
        return byName;
    }
}
