// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;

/** The settings of a datacenter's ranges, as {@link CassandraBlockStore.Builder} takes them. */
record RangeSettings(long rangeSize, double claimThreshold, Duration minAutonomy, Duration callTimeout) {
    static long sizeForAutonomy(double integersPerSecond, Duration autonomy, double claimThreshold) {
        // The worst moment to be cut off is just before the next range is claimed: then only 1 - claimThreshold of one
        // range is left.
        double size = Math.ceil(integersPerSecond * seconds(autonomy) / (1 - claimThreshold));
        return size < 1 ? 1 : (long) size;
    }

    static Duration autonomy(long remaining, double integersPerSecond) {
        double nanos = remaining == 0 ? 0 : remaining / integersPerSecond * 1e9;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
