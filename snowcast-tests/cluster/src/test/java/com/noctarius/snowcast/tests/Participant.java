// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;

/**
 * A member or client that takes part in a schedule.
 *
 * @param number in the order in which they joined
 * @param isMember whether it is a member
 * @param instance of Hazelcast
 * @param clock its wall clock
 */
record Participant(int number, boolean isMember, HazelcastInstance instance, OffsetClock clock) {

    boolean isRunning() {
        return instance.getLifecycleService().isRunning();
    }

    @Override
    public String toString() {
        return (isMember ? "member " : "client ") + number;
    }
}
