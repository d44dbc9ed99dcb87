// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are read and changed at one serial consistency only, which keeps them linearizable: {@code SERIAL} and
 * {@code LOCAL_SERIAL} changes of the same row would not see each other. Thread-safe.
 */
final class SerialTable {
    private static final int MAX_ROWS = 100;

    private final Coordinators coordinators;
    private final DefaultConsistencyLevel serial;
    private final DefaultConsistencyLevel quorum;

    /** Whether a conditional change was made, and else the row that prevented it; null if there is no row. */
    record Outcome(boolean isApplied, @Nullable Row present) {}

    private SerialTable(Coordinators coordinators, DefaultConsistencyLevel serial, DefaultConsistencyLevel quorum) {
        this.coordinators = coordinators;
        this.serial = serial;
        this.quorum = quorum;
    }

    static SerialTable overAllDatacenters(Coordinators coordinators) {
        return new SerialTable(coordinators, DefaultConsistencyLevel.SERIAL, DefaultConsistencyLevel.QUORUM);
    }

    static SerialTable withinTheDatacenter(Coordinators coordinators) {
        return new SerialTable(
                coordinators, DefaultConsistencyLevel.LOCAL_SERIAL, DefaultConsistencyLevel.LOCAL_QUORUM);
    }

    PreparedStatement prepare(String cql) {
        return coordinators.session().prepare(cql);
    }

    /** Reads rows of a key in one linearizable read: it sees all changes that were made before. */
    List<Row> read(String key, BoundStatement select, Deadline deadline) {
        // In one page, whatever page size the session has: a second page would be a second read.
        return coordinators
                .execute(key, select.setConsistencyLevel(serial).setPageSize(MAX_ROWS), deadline)
                .all();
    }

    Outcome change(String key, BoundStatement change, Deadline deadline) {
        return outcome(coordinators.execute(
                key, change.setSerialConsistencyLevel(serial).setConsistencyLevel(quorum), deadline));
    }

    /** Makes all changes, or none. */
    Outcome changeTogether(String key, List<? extends BatchableStatement<?>> changes, Deadline deadline) {
        BatchStatement batch = BatchStatement.newInstance(BatchType.LOGGED).addAll(changes);
        return outcome(coordinators.execute(
                key, batch.setSerialConsistencyLevel(serial).setConsistencyLevel(quorum), deadline));
    }

    private static Outcome outcome(ResultSet result) {
        boolean isApplied = result.wasApplied();
        Row row = isApplied ? null : result.one();
        // Without a row, the answer has the column [applied] only.
        return new Outcome(isApplied, row == null || row.getColumnDefinitions().size() == 1 ? null : row);
    }
}
