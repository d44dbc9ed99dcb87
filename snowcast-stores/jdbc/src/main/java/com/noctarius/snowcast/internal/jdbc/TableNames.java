// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.jdbc;

/** The names of the tables of a {@code JdbcSnowcast}. */
public final class TableNames {
    /** The default prefix of the tables of node IDs. */
    public static final String LEASE_PREFIX = "snowcast";

    /** The default name of the table of windows. */
    public static final String WINDOWS = "id_sequences";

    private TableNames() {}

    /** Returns the table of windows that belongs to tables of node IDs: the one in the schema of their prefix. */
    public static String windows(String leasePrefix) {
        return leasePrefix.substring(0, leasePrefix.indexOf('.') + 1) + WINDOWS;
    }
}
