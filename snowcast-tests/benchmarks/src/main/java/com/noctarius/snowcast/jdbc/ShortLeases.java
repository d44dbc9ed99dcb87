// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * Opens a {@link JdbcSnowcast} with a lease and a clock skew of seconds, so that a run has many leases. This class is
 * in this package because the builder's method for the skew is package-private.
 */
public final class ShortLeases {
    private static final Duration SKEW = Duration.ofSeconds(1);

    private ShortLeases() {}

    /** Returns a {@link JdbcSnowcast} whose clocks may differ by one second instead of one minute. */
    public static JdbcSnowcast open(DataSource dataSource, String process, Duration lease) {
        return JdbcSnowcast.builder(dataSource)
                .processName(process)
                .lease(lease)
                .maxClockSkew(SKEW)
                .build();
    }
}
