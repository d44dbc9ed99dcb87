// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * How a store has fared with a sequence so far. Counts never decrease.
 *
 * @param attempts requests to reserve a block
 * @param applied those that reserved one
 * @param unknown those without an answer, or with one that left open whether they did; what they may have reserved is a gap
 */
public record ReservationStats(long attempts, long applied, long unknown) {
    /**
     * Returns the share of attempts that reserved a block. The others came too late: another process was first.
     *
     * @return 0 to 1; 1 if there was no attempt
     */
    public double successRate() {
        return attempts == 0 ? 1 : (double) applied / attempts;
    }
}
