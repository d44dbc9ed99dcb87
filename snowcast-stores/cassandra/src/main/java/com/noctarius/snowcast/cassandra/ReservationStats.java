// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * Counts of a store's requests to reserve blocks of one sequence. Counts never decrease.
 *
 * @param attempts requests to reserve a block
 * @param applied requests that reserved one
 * @param unknown requests without an answer, or whose answer left the outcome open; what they may have reserved is a
 *     gap
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
