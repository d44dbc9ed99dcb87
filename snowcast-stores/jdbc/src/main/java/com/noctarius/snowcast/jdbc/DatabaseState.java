// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * The stored and the present identity of a database.
 *
 * @param present the present value of {@link Dialect#server(String)}
 * @param started identifies the running process of the server; a constant if the dialect cannot identify it
 */
record DatabaseState(Database known, String present, String started) {
    String id() {
        return known.databaseId();
    }

    /** Returns whether the stored server differs from the present one, for example after a fail-over or a restore. */
    boolean hasChanged() {
        return !known.serverId().equals(present);
    }

    boolean isNew() {
        return known.isNew();
    }

    String change(Shard shard) {
        if (isNew()) {
            return "the tables of " + shard + " were created by a script, and no window agent has run since";
        }
        return "the database of " + shard
                + (known.serverId().equals(SharedLosses.RESTORED)
                        ? " has lost reservations or a change of the shards, and runs on server " + present
                        : " ran on server " + known.serverId() + " and now runs on " + present)
                + ": it failed over or was restored";
    }
}
