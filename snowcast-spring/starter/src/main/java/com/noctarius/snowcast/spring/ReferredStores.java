// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.store.BlockStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.env.Environment;

/** Finds the store of an integer sequence: the bean that {@code store-ref} names, or the default store. */
final class ReferredStores {
    /** The name of the store bean that snowcast declares for the application's database. */
    static final String JDBC = "jdbc";

    private static final String WAYS = "Add the dependency com.noctarius.snowcast:snowcast-jdbc and a"
            + " DataSource (spring.datasource.url): its database is the store then. Or add"
            + " com.noctarius.snowcast:snowcast-cassandra, and declare a CassandraBlockStore bean. Or declare a"
            + " BlockStore bean of your own. For a first try, spring.datasource.url=jdbc:h2:file:./ids;WRITE_DELAY=0 and "
            + PropertyNames.CREATE_TABLES + "=true are enough; for tests, a MemoryBlockStore bean";

    private final ConfigurableListableBeanFactory beanFactory;
    private final Environment environment;
    private final boolean isSlice;

    /** Creates the look-up. In a test slice ({@code isSlice}), stores in memory replace missing stores. */
    ReferredStores(ConfigurableListableBeanFactory beanFactory, Environment environment, boolean isSlice) {
        this.beanFactory = beanFactory;
        this.environment = environment;
        this.isSlice = isSlice;
    }

    /** Creates missing tables and sequences in the store {@value #JDBC}, if {@code create-tables} is true. */
    interface Definitions {
        boolean areWanted();

        void define(IntegerSequenceConfig config);
    }

    /**
     * The store that {@link #find} has found.
     *
     * @param beanName the name of the store bean; null if the store is not a bean
     * @param store the store; null for the database of a {@code JdbcSnowcast}
     */
    record Found(@Nullable String beanName, @Nullable BlockStore store) {
        boolean isOfBoot() {
            return JDBC.equals(beanName);
        }
    }

    /**
     * Returns the store bean that {@code store-ref} names. If the property is not set, returns the database of the
     * {@code Snowcast}, if there is one, or else the only or primary store bean. Throws if there are both, even if the
     * bean is primary: the sequence would move from the bean to the database, and repeat its integers, when
     * {@code snowcast.store} is changed. Makes Spring close the store bean after the sequence.
     */
    Found find(String key, @Nullable String ref, Snowcast snowcast) {
        if (ref == null && NodeIdStore.isDatabase(snowcast)) {
            JdbcIntegerPlaces.requireOnlyTheDatabase(property(key), beanFactory, environment);
            return new Found(null, null);
        }
        try {
            NamedBeanHolder<BlockStore> holder = ref == null
                    ? beanFactory.resolveNamedBean(BlockStore.class)
                    : new NamedBeanHolder<>(ref, beanFactory.getBean(ref, BlockStore.class));
            // Tell Spring that the sequence depends on the store, because the store is not a constructor argument of
            // the bean.
            beanFactory.registerDependentBean(holder.getBeanName(), key);
            return new Found(holder.getBeanName(), holder.getBeanInstance());
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidPropertyException(
                    property(key),
                    "is missing, and there are several BlockStore beans and none is primary: "
                            + String.join(", ", names(BlockStore.class)),
                    "Set it to the name of one, or make one @Primary",
                    e);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            if (isSlice) {
                return new Found(null, memory(key));
            }
            throw ref == null ? missing(key, e) : unknown(key, ref, snowcast, e);
        }
    }

    /** Creates missing tables and sequences through {@link Definitions}, if the store is {@value #JDBC}. */
    void define(Found found, IntegerSequenceConfig config) {
        if (found.isOfBoot()) {
            beanFactory.getBeanProvider(Definitions.class).ifAvailable(definitions -> definitions.define(config));
        }
    }

    /** Returns whether {@link #define} does nothing only because {@code create-tables} is not true. */
    boolean couldDefine(Found found) {
        Definitions definitions = found.isOfBoot()
                ? beanFactory.getBeanProvider(Definitions.class).getIfAvailable()
                : null;
        return definitions != null && !definitions.areWanted();
    }

    private BlockStore memory(String key) {
        SnowcastProperties.Sequence settings = Objects.requireNonNull(
                beanFactory.getBean(SnowcastProperties.class).sequences().get(key));
        return StandaloneSnowcast.memory(settings.nameOr(key), settings.firstValue(), settings.lastValue());
    }

    private InvalidPropertyException missing(String key, Exception cause) {
        if (NodeIdStore.isJdbcPresent() && names(DataSource.class).length > 1) {
            return new InvalidPropertyException(
                    property(key),
                    "is missing, and there are several DataSource beans and none is primary: "
                            + String.join(", ", names(DataSource.class)),
                    "Make the one that keeps the integers @Primary, or declare a JdbcShards bean over it; or declare a"
                            + " BlockStore bean",
                    cause);
        }
        return new InvalidPropertyException(
                property(key), "is missing, and there is no store of integers", WAYS, cause);
    }

    private InvalidPropertyException unknown(String key, String ref, Snowcast snowcast, Exception cause) {
        Set<String> stores = new LinkedHashSet<>(List.of(names(BlockStore.class)));
        if (NodeIdStore.isJdbcPresent() && names(DataSource.class).length == 1) {
            stores.add(JDBC); // It is declared when a sequence names it.
        }
        String right = "Set it to the name of the store that has the integers of this sequence";
        boolean mayBeRemoved = NodeIdStore.isDatabase(snowcast)
                && JdbcIntegerPlaces.others(beanFactory, environment).isEmpty();
        return new InvalidPropertyException(
                property(key),
                "must be " + Setting.STORE_REF.allowed()
                        + (stores.isEmpty() ? ", and there is none: " : " (" + String.join(", ", stores) + "): ") + ref,
                (stores.isEmpty() ? WAYS : right)
                        + (mayBeRemoved
                                ? ". Remove it only if the sequence is new, or has its integers in the database of the"
                                        + " node IDs: without it, a sequence that is not defined there begins at its"
                                        + " first value, and repeats integers that it has in another store"
                                : ""),
                cause);
    }

    private static String property(String key) {
        return PropertyNames.of(PropertyNames.SEQUENCES, key, Setting.STORE_REF);
    }

    private String[] names(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false);
    }
}
