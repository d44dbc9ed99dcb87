// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.time.Duration;

/**
 * A generator under test.
 *
 * @param name for {@code -Dsubjects=} and the tables
 * @param needs what it shares with the other processes
 * @param lease how long its leases or guards are; pauses last longer
 * @param configuration what is configured, in words
 * @param page its documentation
 * @param promise what it promises less than that no ID comes twice, or nothing
 * @param starter starts it in a process
 */
record Subject(
        String name, Need needs, Duration lease, String configuration, String page, String promise, Starter starter) {
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** One whose leases are as short as those of most. */
    Subject(String name, Need needs, String configuration, String page, String promise, Starter starter) {
        this(name, needs, LEASE, configuration, page, promise, starter);
    }

    /** What processes share. */
    enum Need {
        /** Nothing; each process has a network namespace, and so a MAC address, of its own where root allows. */
        NOTHING,
        /** A PostgreSQL database; each generator has its own names in the tables. */
        DATABASE,
        /** A Hazelcast cluster, of which each process is a member. */
        CLUSTER
    }

    /** Starts a generator. */
    @FunctionalInterface
    interface Starter {
        /** Starts it, or throws; then it is tried again. */
        Ids start(Setup setup) throws Exception;
    }
}
