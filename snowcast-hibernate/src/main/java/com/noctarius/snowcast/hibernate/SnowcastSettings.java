// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

/**
 * The settings that say where a session factory finds the sequencers of {@link SnowcastId} and the integer sequences of
 * {@link SnowcastSequence}. They are settings like Hibernate's own, of one session factory each, so session factories can
 * use different clusters. A {@code Snowcast} as {@link #SEQUENCERS}, or {@link #HAZELCAST_INSTANCE_NAME} instead, serves
 * both annotations.
 *
 * <p>A session factory without any can be built, since tools that only read the mapping, such as those that export a
 * schema, have no cluster; the first {@code persist} fails then.
 */
public final class SnowcastSettings {
    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, SnowcastSequencer>}.
     *
     * <p>The sequencers of a {@code Snowcast}, and its integer sequences, are found by their names when the first ID is
     * generated, so they can be created until then. Those of a map are found by the map's keys, and a name that the map
     * lacks fails when the session factory is built, with a {@link org.hibernate.MappingException}. None is detached,
     * closed or destroyed when the session factory is closed.
     */
    public static final String SEQUENCERS = "snowcast.sequencers";

    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, IntegerSequence>}, as for
     * {@link #SEQUENCERS}. For integer sequences of a map; those of the {@code Snowcast} that {@link #SEQUENCERS} may be
     * are found without it.
     */
    public static final String SEQUENCES = "snowcast.sequences";

    /**
     * {@value}: the name of the {@code HazelcastInstance}, a member or a client in the same JVM, whose sequencers and
     * integer sequences are used; instead of the other settings. For those who configure by text only, as in
     * {@code persistence.xml}. The instance must run, and have the sequencers, when the first ID is generated.
     */
    public static final String HAZELCAST_INSTANCE_NAME = "snowcast.hazelcast.instance.name";

    private SnowcastSettings() {}
}
