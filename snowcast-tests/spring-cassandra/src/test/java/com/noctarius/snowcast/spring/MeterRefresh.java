// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** Refreshes meters on request, so that a test need not wait for the refresh every ten seconds. */
public final class MeterRefresh {
    private MeterRefresh() {}

    /** Adds the meters of sequences that the stores have begun to serve. */
    public static void now(CassandraStoreMetrics metrics) {
        metrics.refresh();
    }
}
