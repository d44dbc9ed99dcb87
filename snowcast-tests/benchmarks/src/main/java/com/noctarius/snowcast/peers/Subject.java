// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.time.Duration;

/**
 * A generator under test.
 *
 * @param name its name for {@code -Dsubjects=} and the tables
 * @param needs what its processes share
 * @param lease the duration of its leases or guards; pauses last longer
 * @param configuration what is configured, in words
 * @param page its documentation
 * @param promise how its promise is weaker than unique IDs in order; empty if it is not
 * @param starter starts it in a process
 */
record Subject(
        String name, Need needs, Duration lease, String configuration, String page, String promise, Starter starter) {
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Creates a generator with the lease that most generators have. */
    Subject(String name, Need needs, String configuration, String page, String promise, Starter starter) {
        this(name, needs, LEASE, configuration, page, promise, starter);
    }

    /** What processes share. */
    enum Need {
        /**
         * Nothing. Each process name has its own network namespace, with a MAC address, if the machine supports
         * namespaces.
         */
        NOTHING,
        /** A PostgreSQL database; each generator has its own names in the tables. */
        DATABASE,
        /** A Hazelcast cluster. Each process is a member, except for those of a crowd, which are clients. */
        CLUSTER
    }

    @FunctionalInterface
    interface Starter {
        /** Starts the generator. If this throws an exception, the process tries again. */
        Ids start(Setup setup) throws Exception;
    }
}
