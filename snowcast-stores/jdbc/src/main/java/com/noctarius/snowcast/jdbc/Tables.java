// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The tables of a shard, by name, and the statements on them that more than one class needs. */
record Tables(String windows) {
    String names() {
        return windows + "_names";
    }

    String shard() {
        return windows + "_shard";
    }

    /** Returns all generations, the newest first. */
    List<Generation> generations(Transaction transaction) throws SQLException {
        return transaction.query(
                "SELECT generation, shard_index, shard_count, window_size, adopted, installation FROM " + shard()
                        + " ORDER BY generation DESC",
                Generation::of);
    }

    List<SequenceRow> sequences(Transaction transaction) throws SQLException {
        return transaction.query(selectOfNames() + " ORDER BY sequence_name", SequenceRow::of);
    }

    Optional<SequenceRow> sequence(Transaction transaction, String name) throws SQLException {
        return transaction.query(selectOfNames() + " WHERE sequence_name = ?", SequenceRow::of, name).stream()
                .findFirst();
    }

    private String selectOfNames() {
        return "SELECT sequence_name, lowest_value, highest_value, generation, base_value, announced_value FROM "
                + names();
    }

    /** Inserts a definition, which agents carry to the other shards; returns the number of rows. */
    int define(Transaction transaction, String name, long first, long last) throws SQLException {
        return transaction.update(
                "INSERT INTO " + names() + " (sequence_name, lowest_value, highest_value) VALUES (?, ?, ?)",
                name,
                first,
                last);
    }

    boolean hasWindow(Transaction transaction, String name, long start) throws SQLException {
        return transaction.number(
                        "SELECT COUNT(*) FROM " + windows + " WHERE sequence_name = ? AND window_start_value = ?",
                        name,
                        start)
                > 0;
    }

    /** Returns the end of the highest window; 0 if there is none. */
    long endOfWindows(Transaction transaction, String name) throws SQLException {
        return transaction.number(
                "SELECT COALESCE(MAX(window_end_value), 0) FROM " + windows + " WHERE sequence_name = ?", name);
    }

    long openWindows(Transaction transaction, String name) throws SQLException {
        return transaction.number(
                "SELECT COUNT(*) FROM " + windows + " WHERE sequence_name = ? AND next_hi_value < window_end_value",
                name);
    }

    /** Whether a statement failed because the row was there already. */
    static boolean isDuplicateKey(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("23");
    }

    /** Whether a statement failed because of what it says, such as a table that does not exist. */
    static boolean isSyntaxOrAccess(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("42");
    }
}
