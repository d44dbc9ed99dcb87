// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * Counts of a store's requests to reserve blocks of one sequence, since the store was opened. Immutable.
 *
 * @param attempts how many requests were sent to reserve a block
 * @param applied how many of them reserved a block
 * @param unknown how many of them failed or had no answer in time; the integers that they may have reserved are a gap
 */
public record ReservationStats(long attempts, long applied, long unknown) {
    /**
     * Returns the share of attempts that reserved a block. Others failed, or another process changed the row first.
     *
     * @return 0 to 1; 1 if there was no attempt
     */
    public double successRate() {
        return attempts == 0 ? 1 : (double) applied / attempts;
    }
}
