// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the sequencers and integer sequences of a Spring context, with the names that annotations of entities may use.
 * Use this class to add support for {@code SnowcastId} to a library.
 */
public final class NamedBeans {
    /**
     * Until the bean exists, these methods of its proxy throw an {@link UnsupportedOperationException}, which callers
     * catch.
     */
    private static final List<String> UNKNOWN_BEFORE = List.of("layout", "epoch");

    private static final List<String> NAMES = List.of("getSequencerName", "name");

    private NamedBeans() {}

    /**
     * Returns the beans of a type in a context and its ancestors, and creates the beans that do not exist yet.
     *
     * <p>Spring cannot create a sequencer yet if the sequencer depends on the bean that is currently being created. For
     * example, its {@code HazelcastInstance} has a {@code MapStore} that needs a repository, which needs the sequencer.
     * For such a sequencer, the result contains a proxy, which gets the bean at its first use. While Spring cannot
     * create the bean, the proxy's methods throw an {@link IllegalStateException}, with these exceptions:
     * {@code layout} and {@code epoch} throw an {@link UnsupportedOperationException}, and the methods that return the
     * name return the name of the bean.
     *
     * @param beanFactory the context
     * @param type {@code SnowcastSequencer} or {@code IntegerSequence}
     * @param <T> the type
     * @return the beans by their names
     */
    public static <T> Map<String, T> of(ListableBeanFactory beanFactory, Class<T> type) {
        Map<String, T> beans = new LinkedHashMap<>();
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type)) {
            Later<T> later = new Later<>(beanFactory, name, type);
            try {
                T made = later.find();
                beans.put(name, made != null ? made : later.standIn());
            } catch (BeanNotOfRequiredTypeException e) {
                // The bean's factory method returned null, so there is no bean.
            }
        }
        return beans;
    }

    /** Returns the sequencers of a context and its ancestors, with the names that entities may use as keys. */
    static Map<String, SnowcastSequencer> sequencers(ListableBeanFactory beanFactory) {
        return sequencers(of(beanFactory, SnowcastSequencer.class));
    }

    /** Does for integer sequences what {@link #sequencers(ListableBeanFactory)} does for sequencers. */
    static Map<String, IntegerSequence> sequences(ListableBeanFactory beanFactory) {
        return sequences(of(beanFactory, IntegerSequence.class));
    }

    /**
     * Returns the sequencers, each with its own name and the name of its bean as keys. Several sequencers, of different
     * clusters, may have the same own name; this name is then a key only if it is also the name of a bean. A name may
     * be the own name of exactly one sequencer, and the bean name of another; it then stands for the sequencer with
     * this own name.
     *
     * @param beans the sequencers, with the names of their beans as keys
     */
    static Map<String, SnowcastSequencer> sequencers(Map<String, SnowcastSequencer> beans) {
        return byName(beans, SnowcastSequencer::getSequencerName);
    }

    /** Does for integer sequences what {@link #sequencers(Map)} does for sequencers. */
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

    /** A reference to a bean that may not exist yet; also the handler of the bean's proxy. Thread-safe. */
    private static final class Later<T> implements InvocationHandler {
        private final ListableBeanFactory beanFactory;
        private final String name;
        private final Class<T> type;
        private volatile @Nullable T bean;

        Later(ListableBeanFactory beanFactory, String name, Class<T> type) {
            this.beanFactory = beanFactory;
            this.name = name;
            this.type = type;
        }

        T standIn() {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
        }

        /** Returns the bean, which Spring creates if necessary; null if it depends on a bean that is being created. */
        @Nullable
        T find() {
            T present = bean;
            if (present == null) {
                try {
                    present = beanFactory.getBean(name, type);
                    bean = present;
                } catch (BeanCreationException e) {
                    if (!e.contains(BeanCurrentlyInCreationException.class)) {
                        throw e;
                    }
                }
            }
            return present;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> type.getSimpleName() + " " + name;
                };
            }
            T present = find();
            if (present == null && NAMES.contains(method.getName())) {
                return name;
            }
            if (present == null) {
                String reason = "The bean \"" + name + "\" cannot be made yet: it needs a bean that is being made and"
                        + " that itself needs \"" + name + "\", such as a HazelcastInstance whose MapStore has a"
                        + " repository. Inject an ObjectProvider of the repository into the MapStore, or store nothing"
                        + " before the context has started";
                throw UNKNOWN_BEFORE.contains(method.getName())
                        ? new UnsupportedOperationException(reason)
                        : new IllegalStateException(reason);
            }
            try {
                return method.invoke(present, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }
    }
}
