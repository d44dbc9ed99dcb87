// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;

/** The kind of instance that a test uses. */
enum Side {
    MEMBER,
    CLIENT;

    /** Returns the first member, or a new client. */
    HazelcastInstance in(TestCluster cluster) {
        return this == MEMBER ? cluster.member(0) : cluster.addClient();
    }
}
