// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The property {@code snowcast.store}, which selects whether a Hazelcast cluster or a database grants node IDs. */
final class NodeIdStore implements BeanFactoryPostProcessor {
    private static final Log LOG = LogFactory.getLog(NodeIdStore.class);
    private static final String HAZELCAST = "hazelcast";
    private static final String JDBC = "jdbc";
    /** Says where the login of the database is set, for messages about a database that rejects a call. */
    static final String CORRECT_DATABASE =
            "User and password are those of spring.datasource.*, or of the DataSource bean";

    private static final String OWN_BEAN = "declare a JdbcSnowcast bean";

    private final Environment environment;

    NodeIdStore(Environment environment) {
        this.environment = environment;
    }

    /**
     * Returns whether the property selects a database and there is no fixed node ID. A fixed node ID takes precedence
     * over the property, because tests set one.
     */
    static boolean isJdbc(Environment environment) {
        return of(environment).equals(JDBC) && !environment.containsProperty(PropertyNames.STANDALONE_NODE);
    }

    /** Returns whether Hazelcast is on the class path. An application with node IDs from a database may omit it. */
    static boolean isHazelcastPresent() {
        return ClassUtils.isPresent("com.hazelcast.core.HazelcastInstance", null);
    }

    /** Throws if Hazelcast is not on the class path. Call this if a cluster is to grant node IDs. */
    static void requireHazelcast() {
        if (!isHazelcastPresent()) {
            throw new InvalidPropertyException(
                    PropertyNames.STORE,
                    "is " + HAZELCAST + ", which needs Hazelcast on the class path",
                    "Add the dependency com.hazelcast:hazelcast, or remove what excludes it; or set "
                            + PropertyNames.STORE + "=" + JDBC,
                    null);
        }
    }

    /** Returns whether snowcast-jdbc is on the class path. */
    static boolean isJdbcPresent() {
        return ClassUtils.isPresent("com.noctarius.snowcast.jdbc.JdbcSnowcast", null);
    }

    private static String of(Environment environment) {
        return environment.getProperty(PropertyNames.STORE, HAZELCAST).trim();
    }

    /** Checks the property's value before Spring creates beans. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        String store = of(environment);
        if (!List.of(HAZELCAST, JDBC).contains(store)) {
            throw new InvalidPropertyException(
                    PropertyNames.STORE,
                    "must be " + HAZELCAST + " or " + JDBC + ": '" + store + "'",
                    "Set it to one of these. Without a database, you can leave it out: the default is " + HAZELCAST,
                    null);
        }
    }

    /** Returns whether a {@code Snowcast}, even the application's own, leases its node IDs from a database. */
    static boolean isDatabase(Snowcast snowcast) {
        return isJdbcPresent() && JdbcDefinitions.hasDatabase(snowcast);
    }

    /** Returns the place that grants node IDs, for messages. */
    static String place(Snowcast snowcast) {
        return isDatabase(snowcast) ? "the database" : "the cluster";
    }

    /** Logs a warning if a backup count is set, and a database grants the node IDs. */
    static void adviseOnBackups(String property, @Nullable Integer backupCount, Snowcast snowcast) {
        if (backupCount != null && isDatabase(snowcast)) {
            LOG.warn(property + " has no effect here, because a database grants the node IDs");
        }
    }

    /** Returns the remedy, for messages, if a lease is longer than the maximum. */
    static String shortenLease(Snowcast snowcast) {
        return isDatabase(snowcast)
                ? "Shorten it, or raise " + PropertyNames.LEASE + ", or the lease of the application's JdbcSnowcast"
                : "Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members";
    }

    /** Returns the remedy for a message that contains the reason of the database or cluster. */
    static String followReason(Snowcast snowcast) {
        return isDatabase(snowcast)
                ? "Do what the reason says. " + CORRECT_DATABASE
                : "The reason says what was allowed, and when to try again";
    }

    /** Throws if the property is not set, although snowcast-jdbc and a {@code DataSource} are present. */
    static void requireChoice(Environment environment, ListableBeanFactory beanFactory) {
        if (environment.containsProperty(PropertyNames.STORE) || !isJdbcPresent()) {
            return;
        }
        List<String> databases = Arrays.asList(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DataSource.class, true, false));
        if (!databases.isEmpty()) {
            throw new InvalidPropertyException(
                    PropertyNames.STORE,
                    "is missing, and node IDs can come from the database of the DataSource ("
                            + String.join(", ", databases) + "), with snowcast-jdbc, or from a Hazelcast cluster",
                    "Set it to " + JDBC + " to take node IDs from the database, so that no Hazelcast is started; or to "
                            + HAZELCAST + " to take them from the cluster. All processes of the application need the"
                            + " same value",
                    null);
        }
    }

    /** Returns the exception that says why Spring could not create a {@code Snowcast} with node IDs from a database. */
    static InvalidPropertyException missing(ListableBeanFactory beanFactory) {
        if (!isJdbcPresent()) {
            return missing(
                    "snowcast-jdbc on the class path", "Add the dependency com.noctarius.snowcast:snowcast-jdbc");
        }
        String names = String.join(", ", beanFactory.getBeanNamesForType(DataSource.class, true, false));
        if (names.isEmpty()) {
            return missing(
                    "a DataSource bean, and there is none",
                    "Set spring.datasource.url, with spring-boot-starter-jdbc among the dependencies; or " + OWN_BEAN);
        }
        return missing(
                "one DataSource bean, or a primary one, besides @SnowcastDataSource; there are " + names,
                "Make one DataSource @Primary; or " + OWN_BEAN);
    }

    private static InvalidPropertyException missing(String what, String action) {
        return new InvalidPropertyException(PropertyNames.STORE, "is jdbc, which needs " + what, action, null);
    }
}
