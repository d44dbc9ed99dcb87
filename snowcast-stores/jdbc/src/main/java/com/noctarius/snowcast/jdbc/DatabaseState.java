// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * What a database knows of itself, and the server, with its history, that it is on now.
 *
 * @param started names the process of the server
 */
record DatabaseState(Database known, String present, String started) {
    /** Stands for the server of a database that was set back: it is no server's name. */
    static final String SET_BACK = "set back";

    String id() {
        return known.databaseId();
    }

    /** Whether it has failed over, or was restored, since the windows in it were last known to be all there were. */
    boolean hasChanged() {
        return !known.serverId().equals(present);
    }

    /** Whether a script made its row, which does not know the name of the server. */
    boolean isNew() {
        return known.serverId().equals(LeaseTables.NEW);
    }

    /** Says of a shard what has changed. */
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
