// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.jspecify.annotations.Nullable;

/** Finds the sequencers, or the integer sequences, of a session factory by their names. */
interface Lookup<T> {
    /**
     * Returns the sequencer or integer sequence with this name.
     *
     * @throws HibernateException if no sequencer or integer sequence has this name, if the {@code HazelcastInstance}
     *     that the settings name is not running, or if neither the settings nor the beans determine where to find it
     */
    T find(String name);

    /**
     * Returns the sequencer or integer sequence if it is known to exist already. Throws if a map in the settings lacks
     * the name.
     */
    Optional<T> present(String name);

    /**
     * Creates the look-up that the settings of a session factory select. Without a setting for this kind, the look-up
     * uses the {@code Snowcast} bean of the session factory's bean container. Without the setting and without a
     * container, {@link #find} throws.
     */
    static <T> Lookup<T> of(Kind<T> kind, Map<String, Object> settings, @Nullable BeanContainer beans) {
        Object instanceName = settings.get(SnowcastSettings.HAZELCAST_INSTANCE_NAME);
        for (String setting : new String[] {SnowcastSettings.SEQUENCERS, SnowcastSettings.SEQUENCES}) {
            Object value = settings.get(setting);
            if (value != null && instanceName != null) {
                throw new HibernateException("Only one of the settings " + setting + " and "
                        + SnowcastSettings.HAZELCAST_INSTANCE_NAME + " may be set: " + value + " and "
                        + instanceName);
            }
        }
        Object own = settings.get(kind.setting());
        if (own == null && settings.get(SnowcastSettings.SEQUENCERS) instanceof Snowcast snowcast) {
            own = snowcast; // A Snowcast has sequencers and integer sequences.
        }
        if (own instanceof Snowcast snowcast) {
            return new OfSnowcast<>(kind, snowcast);
        }
        if (own instanceof Map<?, ?> map) {
            return new OfMap<>(kind, map);
        }
        if (own != null) {
            throw new HibernateException("Setting " + kind.setting() + " must be a Snowcast or a Map of names to "
                    + kind.type().getSimpleName() + "s: " + own.getClass().getName() + " " + own);
        }
        if (instanceName != null) {
            return new OfInstance<>(kind, instanceName.toString());
        }
        return beans == null ? new OfNothing<>(kind) : new OfBeans<>(kind, beans);
    }

    private static <T> T find(Kind<T> kind, Snowcast snowcast, String name) {
        return kind.find(snowcast, name)
                .orElseThrow(() -> new HibernateException("There is no " + kind.noun() + " \"" + name
                        + "\" yet; create it before the first persist. There are: " + kind.names(snowcast)));
    }

    private static HibernateException noSetting(Kind<?> kind) {
        return new HibernateException("No setting says where the " + kind.noun() + "s are: set " + kind.setting()
                + " to a Snowcast or a Map of names to " + kind.type().getSimpleName() + "s, or "
                + SnowcastSettings.HAZELCAST_INSTANCE_NAME + " to the name of a HazelcastInstance");
    }

    record OfNothing<T>(Kind<T> kind) implements Lookup<T> {
        @Override
        public T find(String name) {
            throw noSetting(kind);
        }

        @Override
        public Optional<T> present(String name) {
            return Optional.empty();
        }
    }

    /** Gets the {@code Snowcast} bean only at the first ID, because the bean may need the session factory itself. */
    record OfBeans<T>(Kind<T> kind, BeanContainer beans) implements Lookup<T> {
        private static final BeanContainer.LifecycleOptions OF_THE_CONTAINER = new BeanContainer.LifecycleOptions() {
            @Override
            public boolean canUseCachedReferences() {
                return false;
            }

            @Override
            public boolean useJpaCompliantCreation() {
                return false;
            }
        };

        @Override
        public T find(String name) {
            Snowcast snowcast = beans.getBean(Snowcast.class, OF_THE_CONTAINER, new None(kind))
                    .getBeanInstance();
            return Lookup.find(kind, snowcast, name);
        }

        @Override
        public Optional<T> present(String name) {
            return Optional.empty();
        }

        /** Always throws. Hibernate calls it only if the container cannot provide the {@code Snowcast} bean. */
        private record None(Kind<?> kind) implements BeanInstanceProducer {
            @Override
            public <B> B produceBeanInstance(Class<B> type) {
                throw noSetting(kind);
            }

            @Override
            public <B> B produceBeanInstance(String name, Class<B> type) {
                throw noSetting(kind);
            }
        }
    }

    record OfSnowcast<T>(Kind<T> kind, Snowcast snowcast) implements Lookup<T> {
        @Override
        public T find(String name) {
            return Lookup.find(kind, snowcast, name);
        }

        @Override
        public Optional<T> present(String name) {
            return kind.find(snowcast, name);
        }
    }

    record OfMap<T>(Kind<T> kind, Map<?, ?> byName) implements Lookup<T> {
        @Override
        public T find(String name) {
            Object found = byName.get(name);
            if (kind.type().isInstance(found)) {
                return kind.type().cast(found);
            }
            throw new MappingException("There is no " + kind.noun() + " \"" + name + "\"; "
                    + (found == null
                            ? "there are: " + new TreeSet<>(byName.keySet())
                            : "under that name there is a " + found.getClass().getName()));
        }

        @Override
        public Optional<T> present(String name) {
            return Optional.of(find(name));
        }
    }

    record OfInstance<T>(Kind<T> kind, String instanceName) implements Lookup<T> {
        @Override
        public T find(String name) {
            HazelcastInstance member = Hazelcast.getHazelcastInstanceByName(instanceName);
            HazelcastInstance hazelcast =
                    member != null ? member : HazelcastClient.getHazelcastClientByName(instanceName);
            if (hazelcast == null) {
                throw new HibernateException("There is no HazelcastInstance \"" + instanceName
                        + "\" in this JVM, which the setting " + SnowcastSettings.HAZELCAST_INSTANCE_NAME
                        + " names; start it before the first persist. There are: " + running());
            }
            return Lookup.find(kind, SnowcastSystem.snowcast(hazelcast), name);
        }

        @Override
        public Optional<T> present(String name) {
            return Optional.empty();
        }

        private static TreeSet<String> running() {
            TreeSet<String> names = new TreeSet<>();
            Hazelcast.getAllHazelcastInstances().forEach(instance -> names.add(instance.getName()));
            HazelcastClient.getAllHazelcastClients().forEach(instance -> names.add(instance.getName()));
            return names;
        }
    }
}
