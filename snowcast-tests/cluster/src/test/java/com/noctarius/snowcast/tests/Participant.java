// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;

/**
 * A member or client in a random schedule of faults.
 *
 * @param number its position in the order of joining
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
