// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * The claims on a two-tier sequence: how far all datacenters have claimed it, and the last claim of this datacenter.
 *
 * @param last the last integer that a datacenter has claimed or a recovery has skipped; one below the first value if
 *     there is no such integer
 * @param claimMin the first integer of the range that this datacenter claimed last
 * @param claimMax the last integer of the range that this datacenter claimed last; {@link DatacenterRow#NONE} if it
 *     never claimed a range
 */
record GlobalRow(long firstValue, long lastValue, long last, long claimMin, long claimMax) {
    /** Returns whether the values are consistent. */
    boolean isSound() {
        boolean isClaimSound = claimMax == DatacenterRow.NONE
                ? claimMin == DatacenterRow.NONE
                : firstValue <= claimMin && claimMin <= claimMax && claimMax <= last;
        return 0 <= firstValue && firstValue - 1 <= last && last <= lastValue && isClaimSound;
    }

    /**
     * Returns the integer above which a new row of the datacenter begins. All earlier claims of the datacenter count as
     * used.
     */
    long base() {
        return Math.max(claimMax, firstValue - 1);
    }

    boolean isAllClaimed() {
        return last >= lastValue;
    }
}
