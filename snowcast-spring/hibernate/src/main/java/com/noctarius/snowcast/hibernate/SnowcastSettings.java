// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;

/**
 * The names of the Hibernate settings from which a session factory gets the sequencers of {@link SnowcastId} and the
 * integer sequences of {@link SnowcastSequence}. Like Hibernate's settings, they belong to one session factory, so
 * session factories can use different clusters. A {@code Snowcast} as {@link #SEQUENCERS}, or
 * {@link #HAZELCAST_INSTANCE_NAME} instead, serves both annotations.
 *
 * <p>Without these settings, a session factory takes the {@code Snowcast} from the beans of Hibernate's
 * {@code BeanContainer}, which Quarkus, Micronaut and Spring set. Without a {@code BeanContainer} the session factory
 * can still be built, for tools that only read the mapping, such as an export of the schema; but the first
 * {@code persist} throws.
 */
public final class SnowcastSettings {
    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, SnowcastSequencer>}.
     *
     * <p>The session factory looks up the sequencers and integer sequences of a {@code Snowcast} by their names when it
     * generates the first ID, so you can create them until then. A map is looked up by its keys. If it lacks a name,
     * building the session factory throws a {@link org.hibernate.MappingException}. Closing the session factory does
     * not detach, close or destroy sequencers or integer sequences.
     */
    public static final String SEQUENCERS = "snowcast.sequencers";

    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, IntegerSequence>}, as for
     * {@link #SEQUENCERS}. Not needed if {@link #SEQUENCERS} is a {@code Snowcast}, which also has the integer
     * sequences.
     */
    public static final String SEQUENCES = "snowcast.sequences";

    /**
     * {@value}: in place of the other two settings, the name of a {@code HazelcastInstance}, a member or a client in
     * the same JVM, whose sequencers and integer sequences are used. For configuration that can only be text, such as
     * {@code persistence.xml}. The instance must be running and have the sequencers when the first ID is generated.
     */
    public static final String HAZELCAST_INSTANCE_NAME = "snowcast.hazelcast.instance.name";

    private SnowcastSettings() {}
}
