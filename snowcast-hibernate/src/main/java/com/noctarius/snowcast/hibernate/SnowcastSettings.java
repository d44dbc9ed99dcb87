// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

/**
 * The settings that say where a session factory finds the sequencers of {@link SnowcastId}. They are settings like
 * Hibernate's own, of one session factory each, so session factories can use different clusters. One of the two is set.
 *
 * <p>A session factory without either can be built, since tools that only read the mapping, such as those that export a
 * schema, have no cluster; the first {@code persist} fails then.
 */
public final class SnowcastSettings {
    /**
     * {@value}: a {@link com.noctarius.snowcast.Snowcast}, or a {@code Map<String, SnowcastSequencer>}.
     *
     * <p>The sequencers of a {@code Snowcast} are found by their names when the first ID is generated, so they can be
     * created until then. Those of a map are found by the map's keys, and a name that the map lacks fails when the
     * session factory is built, with a {@link org.hibernate.MappingException}. Neither is detached or destroyed when the
     * session factory is closed.
     */
    public static final String SEQUENCERS = "snowcast.sequencers";

    /**
     * {@value}: the name of the {@code HazelcastInstance}, a member or a client in the same JVM, whose sequencers are
     * used. For those who configure by text only, as in {@code persistence.xml}. The instance must run, and have the
     * sequencers, when the first ID is generated.
     */
    public static final String HAZELCAST_INSTANCE_NAME = "snowcast.hazelcast.instance.name";

    private SnowcastSettings() {}
}
