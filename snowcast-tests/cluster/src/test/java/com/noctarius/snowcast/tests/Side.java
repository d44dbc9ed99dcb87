// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;

/** Where a sequencer is used. What a test says of the one holds for the other. */
enum Side {
    MEMBER,
    CLIENT;

    /** Returns the first member, or a new client. */
    HazelcastInstance in(TestCluster cluster) {
        return this == MEMBER ? cluster.member(0) : cluster.addClient();
    }
}
