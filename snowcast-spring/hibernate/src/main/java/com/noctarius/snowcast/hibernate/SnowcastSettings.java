// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;

/**
 * The names of the Hibernate settings from which a session factory gets the sequencers of {@link SnowcastId} and the
 * integer sequences of {@link SnowcastSequence}. Like all Hibernate settings, they apply to one session factory, so
 * session factories can use different clusters. Two of the settings serve both annotations: {@link #SEQUENCERS} with a
 * {@code Snowcast}, and {@link #HAZELCAST_INSTANCE_NAME}.
 *
 * <p>Without these settings, a session factory takes the {@code Snowcast} from the beans of Hibernate's
 * {@code BeanContainer}, which Quarkus, Micronaut and Spring set. Without a {@code BeanContainer}, building the session
 * factory succeeds, because tools such as a schema export need only the mapping. But the first {@code persist} that
 * needs an ID throws.
 */
public final class SnowcastSettings {
    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, SnowcastSequencer>}.
     *
     * <p>In a {@code Snowcast}, the session factory looks up a sequencer or integer sequence by its name when it
     * generates the first ID, so you can create sequencers and sequences after the session factory is built. In a map,
     * the name is the key. If the map lacks the name of an annotation, building the session factory throws a
     * {@link org.hibernate.MappingException}. Closing the session factory does not detach, close or destroy sequencers
     * or integer sequences.
     */
    public static final String SEQUENCERS = "snowcast.sequencers";

    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, IntegerSequence>}, as for
     * {@link #SEQUENCERS}. Not needed if {@link #SEQUENCERS} is a {@code Snowcast}, which also has the integer
     * sequences.
     */
    public static final String SEQUENCES = "snowcast.sequences";

    /**
     * {@value}: the name of a {@code HazelcastInstance} (a member or a client in the same JVM) whose sequencers and
     * integer sequences the session factory uses. It replaces the other two settings where a configuration can hold
     * only text, such as {@code persistence.xml}. When the first ID is generated, the instance must be running and must
     * have the sequencer or integer sequence.
     */
    public static final String HAZELCAST_INSTANCE_NAME = "snowcast.hazelcast.instance.name";

    private SnowcastSettings() {}
}
