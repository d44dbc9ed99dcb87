// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The names by which entities refer to sequencers and integer sequences. */
final class NamedBeans {
    private NamedBeans() {}

    /** Returns the sequencers of a context and its ancestors; makes those that are not made yet. */
    static Map<String, SnowcastSequencer> sequencers(ListableBeanFactory beanFactory) {
        return sequencers(BeanFactoryUtils.beansOfTypeIncludingAncestors(beanFactory, SnowcastSequencer.class));
    }

    /** Returns the integer sequences of a context and its ancestors; makes those that are not made yet. */
    static Map<String, IntegerSequence> sequences(ListableBeanFactory beanFactory) {
        return sequences(BeanFactoryUtils.beansOfTypeIncludingAncestors(beanFactory, IntegerSequence.class));
    }

    /**
     * Returns sequencers by their own names and by the names of their beans. An own name comes before a bean name,
     * unless several sequencers, of different clusters, have that own name.
     *
     * @param beans by the names of the beans
     */
    static Map<String, SnowcastSequencer> sequencers(Map<String, SnowcastSequencer> beans) {
        return byName(beans, SnowcastSequencer::getSequencerName);
    }

    /** Returns integer sequences by name, in the same way. */
    static Map<String, IntegerSequence> sequences(Map<String, IntegerSequence> beans) {
        return byName(beans, IntegerSequence::name);
    }

    private static <T> Map<String, T> byName(Map<String, T> beans, Function<T, String> nameOf) {
        Map<String, T> byName = new TreeMap<>();
        Set<String> ambiguous = new HashSet<>();
        for (T bean : beans.values()) {
            String name = nameOf.apply(bean);
            T other = byName.putIfAbsent(name, bean);
            if (other != null && other != bean) {
                ambiguous.add(name);
            }
        }
        byName.keySet().removeAll(ambiguous);
        beans.forEach(byName::putIfAbsent);
        return byName;
    }
}
