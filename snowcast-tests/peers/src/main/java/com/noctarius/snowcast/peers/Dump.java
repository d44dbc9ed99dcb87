// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The tables of a database as they were once, as {@code pg_dump --clean} writes them: loading it drops each table,
 * creates it again and copies the rows.
 */
record Dump(String url, List<Table> tables) {
    /** A table with its rows in the form of COPY. */
    record Table(String name, String rows) {}

    static Dump of(String url) throws SQLException, IOException {
        try (Connection connection = connect(url)) {
            // All tables as of one moment.
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            List<Table> tables = new ArrayList<>();
            for (String name : names(connection)) {
                StringWriter rows = new StringWriter();
                copies.copyOut("COPY " + name + " TO STDOUT", rows);
                tables.add(new Table(name, rows.toString()));
            }
            return new Dump(url, tables);
        }
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "postgres", "");
    }

    private static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    /** Puts the tables back, in one transaction. */
    void load() throws SQLException, IOException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            for (Table table : tables) {
                String restored = "restored_" + table.name();
                statement.execute("CREATE TABLE " + restored + " (LIKE " + table.name() + " INCLUDING ALL)");
                copies.copyIn("COPY " + restored + " FROM STDIN", new StringReader(table.rows()));
                statement.execute("DROP TABLE " + table.name());
                statement.execute("ALTER TABLE " + restored + " RENAME TO " + table.name());
            }
            connection.commit();
        }
    }
}
