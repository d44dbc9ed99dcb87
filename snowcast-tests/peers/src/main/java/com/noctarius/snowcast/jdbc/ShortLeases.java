// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import javax.sql.DataSource;

/** Opens what tests of other packages may not: leases and clock skews of seconds, so that a run sees many of them. */
public final class ShortLeases {
    private static final Duration SKEW = Duration.ofSeconds(1);

    private ShortLeases() {}

    /** Returns a {@link JdbcSnowcast} whose clocks may be one second apart, in place of one minute. */
    public static JdbcSnowcast open(DataSource dataSource, String process, Duration lease) {
        return JdbcSnowcast.builder(dataSource)
                .processName(process)
                .lease(lease)
                .maxClockSkew(SKEW)
                .build();
    }
}
