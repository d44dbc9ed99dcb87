// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

/**
 * A generator under test.
 *
 * @param name for {@code -Dsubjects=} and the tables
 * @param needs what it shares with the other processes
 * @param configuration what is configured, in words
 * @param page its documentation
 * @param promise what it promises less than that no ID comes twice, or nothing
 * @param starter starts it in a process
 */
record Subject(String name, Need needs, String configuration, String page, String promise, Starter starter) {
    /** What processes share. */
    enum Need {
        /** Nothing; each process has a network namespace, and so a MAC address, of its own where root allows. */
        NOTHING,
        /** A PostgreSQL database. */
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
