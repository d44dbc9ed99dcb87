// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** Spares a test the ten seconds. */
public final class MeterRefresh {
    private MeterRefresh() {}

    /** Brings meters up to date. */
    public static void now(CassandraStoreMetrics metrics) {
        metrics.refresh();
    }
}
