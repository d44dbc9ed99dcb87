// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * What all datacenters together have of a sequence, as one of them sees it.
 *
 * @param firstValue the lowest integer of the sequence
 * @param lastValue the highest
 * @param last how far integers are claimed
 * @param claimMin the first of the range that this datacenter has claimed last
 * @param claimMax the last of it, or {@link DatacenterRow#NONE} if it has never claimed one
 */
record GlobalRow(long firstValue, long lastValue, long last, long claimMin, long claimMax) {
    /** Whether it can be what stores have written: nothing is claimed beyond what all have claimed. */
    boolean isSound() {
        boolean isClaimSound = claimMax == DatacenterRow.NONE
                ? claimMin == DatacenterRow.NONE
                : firstValue <= claimMin && claimMin <= claimMax && claimMax <= last;
        return 0 <= firstValue && firstValue - 1 <= last && last <= lastValue && isClaimSound;
    }

    /** Above what the ranges of a new datacenter row lie: what was claimed before counts as used. */
    long base() {
        return Math.max(claimMax, firstValue - 1);
    }

    boolean isAllClaimed() {
        return last >= lastValue;
    }
}
