// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rejects a database that is not the shard that it is configured as. */
final class ShardCheck {
    private static final System.Logger LOGGER = System.getLogger(ShardCheck.class.getName());

    private ShardCheck() {}

    /** Throws if the database may lose commits in a crash of its process, because blocks could then be issued twice. */
    static void requireDurable(Shard shard, Transaction transaction) throws SQLException {
        for (String loss : losses(transaction)) {
            throw new ShardMismatchException(shard + " has " + loss);
        }
    }

    /** Returns the settings that let the database lose commits when its process crashes. */
    static List<String> losses(Transaction transaction) throws SQLException {
        return answers(transaction, transaction.dialect().lossQuery());
    }

    /**
     * Logs a warning if the settings of the database let it lose commits when its machine crashes.
     *
     * @param what what would be issued twice after a loss, in the plural
     */
    static void warnOfRisk(String database, String what, Transaction transaction, Set<String> said)
            throws SQLException {
        for (String risk : answers(transaction, transaction.dialect().riskQuery())) {
            if (said.add(risk)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        database + " has " + risk + ": if its machine crashes, " + what + " are handed out again");
            }
        }
    }

    private static List<String> answers(Transaction transaction, String query) throws SQLException {
        return query.isEmpty() ? List.of() : transaction.query(query, row -> row.getString(1));
    }

    /**
     * Checks a shard that a store wants to use. The store may still have the list of shards from before the last
     * change, because processes do not all restart at the same time. The windows of both lists are disjoint. Whether
     * the shard may have lost data is for {@link Forgetting#wasRecovered}, which knows the last check.
     *
     * @param said the warnings that were logged; each is logged once
     */
    static OfStore forStore(Shard shard, Tables tables, Transaction transaction, Set<String> said) throws SQLException {
        List<Generation> known = generations(shard, tables, transaction);
        // Read the state before the other checks, so that the first reservation detects any later change.
        String state = transaction.text(transaction.dialect().stateQuery(tables));
        requireDurable(shard, transaction);
        DatabaseState database = database(shard, tables, transaction);
        List<Generation> lists = known.stream()
                .limit(2)
                .filter(generation -> generation.isFor(shard) && generation.hasAtItsPlace(database.id()))
                .toList();
        if (lists.isEmpty()) {
            throw isAnother(shard, known.get(0));
        }
        warnOfRisk(shard.toString(), "integers", transaction, said);
        return new OfStore(known.get(0), lists, state, database);
    }

    /**
     * The result of {@link #forStore}.
     *
     * @param lists the generations that fit the store's list, the newest first
     * @param state the state that each reservation has to return
     */
    record OfStore(Generation generation, List<Generation> lists, String state, DatabaseState database) {}

    /**
     * Rejects a shard of another installation, because its windows may contain the same integers as the windows of this
     * installation.
     */
    static void requireSameInstallation(Shard shard, String found, String ofOthers) {
        if (!found.equals(ofOthers)) {
            throw new ShardMismatchException("the database of " + shard + " belongs to the installation " + found
                    + ", other shards of the list to " + ofOthers + ": are addresses of two installations mixed?");
        }
    }

    /** Rejects two shards that record different lists, because both lists may have windows with the same integers. */
    static void requireSameList(Shard one, Generation first, Shard other, Generation second) {
        if (!first.isOf(second.databaseIds()) && !second.databaseIds().isEmpty()) {
            throw new ShardMismatchException("there are two lists of shards: " + one + " is " + first + ", " + other
                    + " is " + second + "; use one of the lists, or change one into the other with changeShards");
        }
    }

    /** Checks a shard that an agent wants to use. The agent's list of shards must be the present one. */
    static ShardState forAgent(Shard shard, Tables tables, Transaction transaction) throws SQLException {
        requireDurable(shard, transaction);
        List<Generation> known = generations(shard, tables, transaction);
        DatabaseState database = database(shard, tables, transaction);
        Generation newest = known.get(0);
        if (!newest.isFor(shard)) {
            throw isAnother(shard, newest);
        }
        if (!newest.hasAtItsPlace(database.id())) {
            throw new ShardMismatchException("the database of " + shard + " has the ID " + database.id()
                    + ", but the list has another database at this place: " + newest);
        }
        return new ShardState(shard, known, database);
    }

    /**
     * Reads upper bounds from a shard. Throws if the shard may have lost data, because its values may then be too low,
     * or if the shard was recovered during the read.
     */
    static <T> T unforgotten(Shard shard, Tables tables, Transaction transaction, Shard.Work<T> reading)
            throws SQLException {
        DatabaseState before = database(shard, tables, transaction);
        T known = reading.in(transaction);
        DatabaseState after = database(shard, tables, transaction);
        if (after.hasChanged()) {
            throw new ShardMismatchException(after.change(shard));
        }
        if (!before.equals(after)) {
            throw new ShardMismatchException(shard + " was recovered while its tables were read: try again");
        }
        return known;
    }

    /** Throws if these are other tables than known. */
    static void requireSame(Shard shard, Tables tables, Transaction transaction, Database known) throws SQLException {
        String id = tables.database(transaction).map(Database::databaseId).orElse("none");
        if (!id.equals(known.databaseId())) {
            throw new ShardMismatchException(otherTables(shard, id, known));
        }
    }

    static String otherTables(Shard shard, String id, Database known) {
        return "the database of " + shard + " has the ID " + id + ", and had the ID " + known.databaseId()
                + " before: does the address, schema or catalog of the connection lead to other tables?";
    }

    /** Reads the stored and the present identity of the database. */
    static DatabaseState database(Shard shard, Tables tables, Transaction transaction) throws SQLException {
        Database known = tables.database(transaction)
                .orElseThrow(() -> new ShardMismatchException(
                        shard + " has no row in " + tables.database() + ": run JdbcSchema.create"));
        return transaction
                .query(
                        transaction.dialect().serverQuery(tables.database()),
                        row -> new DatabaseState(known, row.getString(1), row.getString(2)))
                .get(0);
    }

    private static ShardMismatchException isAnother(Shard shard, Generation found) {
        return new ShardMismatchException("the database of " + shard + " is " + found
                + ": are addresses in another order, or is the list of shards not the present one?");
    }

    private static List<Generation> generations(Shard shard, Tables tables, Transaction transaction)
            throws SQLException {
        List<Generation> known;
        try {
            known = tables.generations(transaction);
        } catch (SQLException e) {
            Optional<String> advice = PermanentFailure.advice(e);
            if (advice.isPresent()) {
                throw new ShardMismatchException(
                        shard + " has no table " + tables.shard() + " that can be read; " + advice.get(), e);
            }
            throw e;
        }
        if (known.isEmpty()) {
            throw new ShardMismatchException(
                    shard + " has no record of which shard it is: " + tables.shard() + " is empty");
        }
        return known;
    }
}
