// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;

/** Where the sequencers of a session factory are. */
sealed interface SequencerSource {
    /**
     * Returns the sequencer of a name.
     *
     * @throws HibernateException if there is none; says what there is instead, and what to do
     */
    SnowcastSequencer find(String name);

    /** Fails if it is known already that there is not, and never will be, a sequencer of that name. */
    default void check(String name) {}

    /** Reads the settings of a session factory. */
    static SequencerSource of(Map<String, Object> settings) {
        Object sequencers = settings.get(SnowcastSettings.SEQUENCERS);
        Object instanceName = settings.get(SnowcastSettings.HAZELCAST_INSTANCE_NAME);
        if (sequencers != null && instanceName != null) {
            throw new HibernateException("Of the settings " + SnowcastSettings.SEQUENCERS + " and "
                    + SnowcastSettings.HAZELCAST_INSTANCE_NAME + " only one may be set: " + sequencers + " and "
                    + instanceName);
        }
        if (sequencers instanceof Snowcast snowcast) {
            return new OfSnowcast(snowcast);
        }
        if (sequencers instanceof Map<?, ?> map) {
            return new OfMap(map);
        }
        if (sequencers != null) {
            throw new HibernateException("Setting " + SnowcastSettings.SEQUENCERS
                    + " must be a Snowcast or a Map of names to SnowcastSequencers: "
                    + sequencers.getClass().getName() + " " + sequencers);
        }
        return instanceName == null ? new Missing() : new OfInstance(instanceName.toString());
    }

    private static SnowcastSequencer find(Snowcast snowcast, String name) {
        // A destroyed one may go and a new one come, in the meantime: the list is read each time.
        return snowcast.getSequencers().stream()
                .filter(sequencer -> sequencer.getSequencerName().equals(name))
                .findAny()
                .orElseThrow(() -> new HibernateException(
                        "There is no sequencer \"" + name + "\" yet; create it before the first persist. There are: "
                                + snowcast.getSequencers().stream()
                                        .map(SnowcastSequencer::getSequencerName)
                                        .collect(Collectors.toCollection(TreeSet::new))));
    }

    record OfSnowcast(Snowcast snowcast) implements SequencerSource {
        @Override
        public SnowcastSequencer find(String name) {
            return SequencerSource.find(snowcast, name);
        }
    }

    record OfMap(Map<?, ?> sequencers) implements SequencerSource {
        @Override
        public SnowcastSequencer find(String name) {
            Object found = sequencers.get(name);
            if (found instanceof SnowcastSequencer sequencer) {
                return sequencer;
            }
            throw new MappingException("There is no sequencer \"" + name + "\"; "
                    + (found == null
                            ? "there are: " + new TreeSet<>(sequencers.keySet())
                            : "under that name there is a " + found.getClass().getName()));
        }

        @Override
        public void check(String name) {
            find(name);
        }
    }

    record OfInstance(String instanceName) implements SequencerSource {
        @Override
        public SnowcastSequencer find(String name) {
            HazelcastInstance member = Hazelcast.getHazelcastInstanceByName(instanceName);
            HazelcastInstance hazelcast =
                    member != null ? member : HazelcastClient.getHazelcastClientByName(instanceName);
            if (hazelcast == null) {
                throw new HibernateException("There is no HazelcastInstance \"" + instanceName
                        + "\" in this JVM, of which the setting " + SnowcastSettings.HAZELCAST_INSTANCE_NAME
                        + " speaks; start it before the first persist. There are: " + running());
            }
            return SequencerSource.find(SnowcastSystem.snowcast(hazelcast), name);
        }

        private static TreeSet<String> running() {
            TreeSet<String> names = new TreeSet<>();
            Hazelcast.getAllHazelcastInstances().forEach(instance -> names.add(instance.getName()));
            HazelcastClient.getAllHazelcastClients().forEach(instance -> names.add(instance.getName()));
            return names;
        }
    }

    record Missing() implements SequencerSource {
        @Override
        public SnowcastSequencer find(String name) {
            throw new HibernateException("It is not said where the sequencers are: set "
                    + SnowcastSettings.SEQUENCERS + " to a Snowcast or a Map of names to SnowcastSequencers, or "
                    + SnowcastSettings.HAZELCAST_INSTANCE_NAME + " to the name of a HazelcastInstance");
        }
    }
}
