// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * Statistics of a store's attempts to reserve blocks of one sequence, since the store was opened. Immutable.
 *
 * @param attempts how many changes that reserve a block were sent
 * @param applied how many of these changes reserved blocks
 * @param unknown how many of these changes failed or had no answer in time; the integers that they may have reserved
 *     can become a gap
 */
public record ReservationStats(long attempts, long applied, long unknown) {
    /**
     * Returns the share of attempts that reserved a block. The other attempts failed, or another process changed the
     * row first.
     *
     * @return 0 to 1; 1 if there was no attempt
     */
    public double successRate() {
        return attempts == 0 ? 1 : (double) applied / attempts;
    }
}
