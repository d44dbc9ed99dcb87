// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

/**
 * The claims of all datacenters on a sequence, as one datacenter reads them.
 *
 * @param last the last integer that any datacenter has claimed; one below the first value if there are no claims
 * @param claimMin the first integer of the range that this datacenter claimed last
 * @param claimMax the last integer of that range; {@link DatacenterRow#NONE} if this datacenter never claimed one
 */
record GlobalRow(long firstValue, long lastValue, long last, long claimMin, long claimMax) {
    /** Whether stores can have written this row: no claim of a datacenter lies above the last claimed integer. */
    boolean isSound() {
        boolean isClaimSound = claimMax == DatacenterRow.NONE
                ? claimMin == DatacenterRow.NONE
                : firstValue <= claimMin && claimMin <= claimMax && claimMax <= last;
        return 0 <= firstValue && firstValue - 1 <= last && last <= lastValue && isClaimSound;
    }

    /** Returns the integer above which the ranges of a new row of the datacenter lie; earlier claims count as used. */
    long base() {
        return Math.max(claimMax, firstValue - 1);
    }

    boolean isAllClaimed() {
        return last >= lastValue;
    }
}
