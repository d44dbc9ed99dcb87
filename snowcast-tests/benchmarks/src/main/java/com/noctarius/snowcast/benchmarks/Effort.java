// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.time.Duration;

/**
 * Scales the durations of measurements.
 *
 * @param factor 1 for reliable figures, less to check that everything runs
 */
record Effort(double factor) {
    Duration of(Duration full) {
        return Duration.ofNanos(Math.max(Math.round(full.toNanos() * factor), 1_000_000));
    }
}
