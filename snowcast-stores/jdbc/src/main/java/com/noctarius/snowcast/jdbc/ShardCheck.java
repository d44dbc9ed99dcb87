// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.List;

/** Refuses a database that is not the shard that it is configured as. */
final class ShardCheck {
    private ShardCheck() {}

    /**
     * Checks a shard for a store. A store may still have the list of shards before the last change, since processes do
     * not all restart at the same time; windows are disjoint, whichever list their user has.
     */
    static Generation forStore(Shard shard, Tables tables, Transaction transaction) throws SQLException {
        List<Generation> known = generations(shard, tables, transaction);
        if (known.stream().limit(2).noneMatch(generation -> generation.isFor(shard))) {
            throw isAnother(shard, known.get(0));
        }
        Dialect.of(transaction).warnOfRisk(shard, transaction);
        return known.get(0);
    }

    /** Refuses a mix of two installations: their shards look alike and have the same windows. */
    static void requireSameInstallation(Shard shard, String found, String ofOthers) {
        if (!found.equals(ofOthers)) {
            throw new ShardMismatchException("the database of " + shard + " is of the installation " + found
                    + ", others of the list are of " + ofOthers + ": are addresses of two installations mixed?");
        }
    }

    /** Checks a shard for an agent, whose list of shards must be the present one. */
    static Generation forAgent(Shard shard, Tables tables, Transaction transaction) throws SQLException {
        Generation newest = generations(shard, tables, transaction).get(0);
        if (!newest.isFor(shard)) {
            throw isAnother(shard, newest);
        }
        return newest;
    }

    private static ShardMismatchException isAnother(Shard shard, Generation found) {
        return new ShardMismatchException("the database of " + shard + " is " + found
                + ": are addresses in another order, or is the list of shards not the present one?");
    }

    private static List<Generation> generations(Shard shard, Tables tables, Transaction transaction)
            throws SQLException {
        Dialect.of(transaction).requireDurable(shard, transaction);
        List<Generation> known;
        try {
            known = tables.generations(transaction);
        } catch (SQLException e) {
            if (Tables.isSyntaxOrAccess(e)) {
                throw new ShardMismatchException(
                        shard + " has no table " + tables.shard() + " that can be read: " + e.getMessage(), e);
            }
            throw e;
        }
        if (known.isEmpty()) {
            throw new ShardMismatchException(
                    shard + " does not know which shard it is: " + tables.shard() + " is empty");
        }
        return known;
    }
}
