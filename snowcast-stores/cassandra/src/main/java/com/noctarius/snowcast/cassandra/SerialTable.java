// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;

/**
 * Uses one serial consistency for all conditional changes and serial reads of its rows. If {@code SERIAL} and
 * {@code LOCAL_SERIAL} were mixed, a change with {@code SERIAL} might not see a change of the same row with
 * {@code LOCAL_SERIAL}, and vice versa. Thread-safe.
 */
final class SerialTable {
    private static final int MAX_ROWS = 100;

    private final Coordinators coordinators;
    private final DefaultConsistencyLevel serial;
    private final DefaultConsistencyLevel quorum;

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

    /** Reads the rows of a key in one linearizable read, which sees all changes that were answered before. */
    List<Row> read(String key, BoundStatement select, Deadline deadline) {
        // Set the page size, because that of the session may be too small, and a second page would be a second read.
        return coordinators
                .execute(key, select.setConsistencyLevel(serial).setPageSize(MAX_ROWS), deadline)
                .all();
    }

    /** Reads the rows of a key from a quorum. The result contains only committed changes, but may lack recent ones. */
    List<Row> look(String key, BoundStatement select, Deadline deadline) {
        return coordinators
                .execute(key, select.setConsistencyLevel(quorum), deadline)
                .all();
    }

    /** Writes without a condition. Use this only for columns that no conditional change writes. */
    void write(String key, BoundStatement write, Deadline deadline) {
        coordinators.execute(key, write.setConsistencyLevel(quorum), deadline);
    }

    /** Makes a change if its condition is met; returns whether the condition was met. */
    boolean change(String key, BoundStatement change, Deadline deadline) {
        return coordinators
                .execute(key, change.setSerialConsistencyLevel(serial).setConsistencyLevel(quorum), deadline)
                .wasApplied();
    }

    /** Makes all changes if all their conditions are met; returns whether the conditions were met. */
    boolean changeTogether(String key, List<? extends BatchableStatement<?>> changes, Deadline deadline) {
        BatchStatement batch = BatchStatement.newInstance(BatchType.LOGGED).addAll(changes);
        return coordinators
                .execute(key, batch.setSerialConsistencyLevel(serial).setConsistencyLevel(quorum), deadline)
                .wasApplied();
    }
}
