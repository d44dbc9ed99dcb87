// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * The stored identity of a database, and the server, with its history, that it is on now.
 *
 * @param started identifies the process of the server
 */
record DatabaseState(Database known, String present, String started) {
    /** The stored server of a database that was set back; it is no server's name. */
    static final String SET_BACK = "set back";

    String id() {
        return known.databaseId();
    }

    /** Returns whether it has failed over, or was restored, since its windows were last known to be complete. */
    boolean hasChanged() {
        return !known.serverId().equals(present);
    }

    /** Returns whether a script created its row, without the name of the server. */
    boolean isNew() {
        return known.serverId().equals(LeaseTables.NEW);
    }

    /** Describes the change of a shard. */
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
