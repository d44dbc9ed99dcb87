// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * The stored identity of a database, and the server and history on which the database is now.
 *
 * @param started identifies the process of the server
 */
record DatabaseState(Database known, String present, String started) {
    /** Stored as the server of a database that was set back, that is, lost committed data; no server has this name. */
    static final String SET_BACK = "set back";

    String id() {
        return known.databaseId();
    }

    /** Returns whether the database has failed over or was restored since its server was stored. */
    boolean hasChanged() {
        return !known.serverId().equals(present);
    }

    /** Returns whether a migration script created the row, which has a placeholder in place of the server. */
    boolean isNew() {
        return known.serverId().equals(LeaseTables.NEW);
    }

    String change(Shard shard) {
        if (isNew()) {
            return "the database of " + shard + " was made by a script, and no window agent has run since";
        }
        return "the database of " + shard
                + (known.serverId().equals(SET_BACK)
                        ? " has forgotten reservations, or a change of the shards, and is on " + present
                        : " was " + known.serverId() + " and is " + present)
                + ": it failed over or was restored";
    }
}
