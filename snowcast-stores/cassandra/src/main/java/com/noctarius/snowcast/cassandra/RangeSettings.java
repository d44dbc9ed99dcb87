// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;

/** The settings of a datacenter's ranges, from {@link CassandraBlockStore.Builder}. */
record RangeSettings(
        long rangeSize, long maxRangeSize, double claimThreshold, Duration minAutonomy, Duration callTimeout) {
    /** Lost claims never enlarge the next claim to more than 1/{@value} of the unclaimed integers. */
    private static final int MAX_PART_OF_REST = 16;

    private static final int MAX_DOUBLINGS = 30;

    /**
     * Returns how many integers to claim after {@code lostInARow} lost claims. From the second lost claim on, each one
     * doubles the size, up to a limit: a datacenter that seldom wins then needs fewer claims.
     */
    long claimSize(int lostInARow, long left) {
        int doublings = Math.min(Math.max(lostInARow - 1, 0), MAX_DOUBLINGS);
        long size = rangeSize;
        long max = Math.min(maxRangeSize, left / MAX_PART_OF_REST);
        for (int i = 0; i < doublings && size <= max / 2; i++) {
            size *= 2;
        }
        return Math.min(size, left);
    }

    static long sizeForAutonomy(double integersPerSecond, Duration autonomy, double claimThreshold) {
        // Just before the next range is claimed, only 1 - claimThreshold of the current range is left.
        double size = Math.ceil(integersPerSecond * seconds(autonomy) / (1 - claimThreshold));
        return size < 1 ? 1 : (long) size;
    }

    /**
     * Returns the range size that lets the datacenter continue alone for {@code minAutonomy}, at least the configured
     * size.
     */
    long suggestedSize(double integersPerSecond) {
        return Math.max(rangeSize, sizeForAutonomy(integersPerSecond, minAutonomy, claimThreshold));
    }

    static Duration autonomy(long remaining, double integersPerSecond) {
        double nanos = remaining == 0 ? 0 : remaining / integersPerSecond * 1e9;
        return nanos >= Long.MAX_VALUE ? IntegerSequence.Stats.ENDLESS : Duration.ofNanos((long) nanos);
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
