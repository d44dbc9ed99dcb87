// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Sets the clock of a cluster, which nothing but a test does. */
public final class ClusterClocks {
    private ClusterClocks() {}

    public static void startAt(ClusterClock clock, long millis) {
        clock.startAt(millis);
    }
}
