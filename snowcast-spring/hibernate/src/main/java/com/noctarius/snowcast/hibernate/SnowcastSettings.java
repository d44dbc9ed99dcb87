// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;

/**
 * Settings that say where a session factory finds the sequencers of {@link SnowcastId} and the integer sequences of
 * {@link SnowcastSequence}. Each session factory has settings of its own, as for Hibernate's settings, so session
 * factories can use different clusters. A {@code Snowcast} as {@link #SEQUENCERS}, or {@link #HAZELCAST_INSTANCE_NAME}
 * instead, serves both annotations.
 *
 * <p>Without any of them, the {@code Snowcast} is taken from the beans of Hibernate's {@code BeanContainer}: Quarkus
 * and Micronaut set one, and so does Spring. Where there is none, the session factory can still be built, for tools
 * that only read the mapping, such as those that export a schema; the first {@code persist} fails then.
 */
public final class SnowcastSettings {
    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, SnowcastSequencer>}.
     *
     * <p>The sequencers of a {@code Snowcast}, and its integer sequences, are found by their names when the first ID is
     * generated, so they can be created until then. In a map they are found by its keys, and a name that the map lacks
     * fails when the session factory is built, with a {@link org.hibernate.MappingException}. Closing the session
     * factory detaches, closes or destroys none of them.
     */
    public static final String SEQUENCERS = "snowcast.sequencers";

    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, IntegerSequence>}, as for
     * {@link #SEQUENCERS}. Not needed where {@link #SEQUENCERS} is a {@code Snowcast}: its integer sequences are found
     * without this setting.
     */
    public static final String SEQUENCES = "snowcast.sequences";

    /**
     * {@value}: the name of the {@code HazelcastInstance}, a member or a client in the same JVM, whose sequencers and
     * integer sequences are used, instead of the other two settings. It is for configuration by text only, as in
     * {@code persistence.xml}. The instance must run and have the sequencers when the first ID is generated.
     */
    public static final String HAZELCAST_INSTANCE_NAME = "snowcast.hazelcast.instance.name";

    private SnowcastSettings() {}
}
