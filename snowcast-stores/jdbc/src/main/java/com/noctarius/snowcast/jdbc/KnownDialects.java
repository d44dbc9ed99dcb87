// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/** The built-in dialects. */
final class KnownDialects {
    private static final String LOCK = "SELECT window_start_value, window_end_value, next_hi_value, give_backs, {state}"
            + " FROM id_sequences WHERE sequence_name = :sequence AND next_hi_value < window_end_value"
            + " AND window_start_value >= :from ORDER BY window_start_value LIMIT 1 FOR UPDATE{skip locked}";

    /**
     * The timeline of the server; the expression fails on a standby. The expression does not use
     * pg_control_checkpoint(), which shows the former timeline for a while after a promotion.
     */
    private static final String TIMELINE = "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

    /**
     * When the server's process started. This distinguishes two promoted standbys of one primary, which have the same
     * timeline, and whose tables may have the same rows.
     */
    private static final String STARTED = "CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) AS TEXT)";

    /**
     * The stored identity. It is part of the state so that a store checks the shard again when another process has
     * recorded a loss or a recovery, or when the connection leads to other tables. In some databases, CONCAT has two
     * parameters only.
     */
    static final String KNOWN = "(SELECT CONCAT(CONCAT(CONCAT(CONCAT(database_id, ' '), server_id), ' '), recoveries)"
            + " FROM id_sequences_database)";

    /** The OID of the database, which differs in a copy that CREATE DATABASE makes from a template. */
    private static final String DATABASE = "(SELECT oid FROM pg_database WHERE datname = current_database())";

    /** The state contains the OID of a table, because a table that is restored from a dump has another OID. */
    private static final String POSTGRES_STATE = TIMELINE + " || ' ' || " + DATABASE
            + " || ' ' || (SELECT CONCAT(tableoid, ' ', database_id, ' ', server_id, ' ', recoveries)"
            + " FROM id_sequences_database)";

    /**
     * When the table was created or rebuilt, as by ALTER TABLE or OPTIMIZE TABLE, or, in MariaDB, when its file was
     * last moved, copied or given to another user, mode or label. In seconds since 1970, whatever the time zone of the
     * session; 0 if the server does not know the time.
     */
    private static final String CREATED =
            "COALESCE((SELECT UNIX_TIMESTAMP(t.CREATE_TIME) FROM information_schema.TABLES t"
                    + " WHERE t.TABLE_SCHEMA = SUBSTRING_INDEX(SUBSTRING_INDEX(CONCAT_WS('.', DATABASE(), '{table}'), '.', -2), '.', 1)"
                    + " AND t.TABLE_NAME = SUBSTRING_INDEX('{table}', '.', -1)), 0)";

    /**
     * The stored identity if it still fits, or else the present one. It fits if the table was created at the stored
     * time, and the server has the stored ID or the stored address; a restart may change one of these two. The
     * expression does not use server_uid, because it depends on the network card's address, which a restart in a
     * container may change.
     */
    private static final String MARIA_SERVER = "(SELECT CASE WHEN d.server_id LIKE CONCAT('%/', c.created)"
            + " AND (d.server_id LIKE CONCAT(@@server_id, '/%')"
            + " OR LOCATE(CONCAT('/', @@hostname, ':', @@port, '/'), d.server_id) > 0) THEN d.server_id"
            + " ELSE CONCAT(@@server_id, '/', @@hostname, ':', @@port, '/', c.created) END"
            + " FROM (SELECT " + CREATED + " AS created) c LEFT JOIN {table} d ON 1 = 1)";

    private static final String IS_SYNCHRONOUS = "current_setting('synchronous_commit') IN ('on', 'remote_apply')";
    private static final String SYNCHRONOUS =
            "CASE WHEN " + IS_SYNCHRONOUS + " THEN 'on' ELSE set_config('synchronous_commit', 'on', true) END";

    private static final String ONE_ROW = " FETCH FIRST 1 ROW ONLY";

    private KnownDialects() {}

    static Dialect postgreSql() {
        return Dialect.builder("PostgreSQL")
                .firstRowOnly(" LIMIT 1")
                .begin("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE")
                .script(Dialect.resource("postgresql.sql"))
                .leases(
                        Dialect.resource("postgresql/R__snowcast_leases.sql"),
                        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)")
                .reserve("WITH free AS (SELECT sequence_name, window_start_value, next_hi_value FROM id_sequences"
                        + " WHERE sequence_name = :sequence AND next_hi_value < window_end_value"
                        + " AND window_start_value >= :from"
                        + " ORDER BY window_start_value LIMIT 1 FOR UPDATE{skip locked})"
                        + " UPDATE id_sequences AS w SET next_hi_value = w.next_hi_value"
                        + " + LEAST(:size, w.window_end_value - w.next_hi_value) FROM free"
                        + " WHERE w.sequence_name = free.sequence_name"
                        + " AND w.window_start_value = free.window_start_value RETURNING w.window_start_value,"
                        + " w.window_end_value, free.next_hi_value, w.next_hi_value, w.give_backs, {state}, "
                        + SYNCHRONOUS)
                // This statement is about half as much work for the server as that of reserve(). It returns no row if
                // the window has too few integers left, or if the commit would not be durable; the store then executes
                // the statement of reserve().
                .advance("UPDATE id_sequences SET next_hi_value = next_hi_value + :size"
                        + " WHERE sequence_name = :sequence AND window_start_value = :from"
                        + " AND next_hi_value <= window_end_value - :size AND " + IS_SYNCHRONOUS
                        + " RETURNING window_start_value, window_end_value, next_hi_value - :size, next_hi_value,"
                        + " give_backs, {state}")
                .server("(SELECT system_identifier FROM pg_control_system()) || '/' || " + TIMELINE + " || '/' || "
                        + DATABASE + " || '/' || CAST(CAST('{table}' AS regclass) AS oid)")
                .started(STARTED)
                .state(POSTGRES_STATE)
                .durable("(" + SYNCHRONOUS + ") IS NOT NULL")
                .endedWhenIdle("set_config('idle_in_transaction_session_timeout', '{millis}', true) IS NOT NULL")
                .riskQuery("SELECT 'fsync = off' WHERE current_setting('fsync') = 'off'")
                .warnsOfUnconfirmedCommits()
                .build();
    }

    static Dialect mariaDb() {
        return mySqlLike("MariaDB", MARIA_SERVER);
    }

    static Dialect mySql() {
        return mySqlLike("MySQL", "CONCAT(@@server_uuid, '/', " + CREATED + ")");
    }

    private static Dialect mySqlLike(String name, String server) {
        return Dialect.builder(name)
                .firstRowOnly(" LIMIT 1")
                // This statement need not set the access mode. The drivers reject writes on a read-only connection, so
                // snowcast calls Connection.setReadOnly(false) on it anyway.
                .begin("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                .script(Dialect.resource("mariadb.sql"))
                .leases(
                        Dialect.resource("mariadb/R__snowcast_leases.sql"),
                        // UNIX_TIMESTAMP(NOW(3)) would convert local time, in which one hour may occur twice a year.
                        "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000")
                .lock(LOCK)
                .server(server)
                .state("CONCAT(" + server
                        + ", ' ', @@innodb_flush_log_at_trx_commit, ' ', @@log_bin, ' ', @@sync_binlog, ' ', " + KNOWN
                        + ")")
                .dual(" FROM DUAL")
                .lossQuery("SELECT 'innodb_flush_log_at_trx_commit = 0: a crash takes back what was committed; set it"
                        + " to 1' FROM DUAL WHERE @@innodb_flush_log_at_trx_commit = 0")
                .riskQuery("SELECT CONCAT('innodb_flush_log_at_trx_commit = ', @@innodb_flush_log_at_trx_commit,"
                        + " CASE WHEN @@log_bin = 1 THEN CONCAT(', sync_binlog = ', @@sync_binlog) ELSE '' END)"
                        + " FROM DUAL WHERE @@innodb_flush_log_at_trx_commit = 2"
                        + " OR (@@log_bin = 1 AND @@sync_binlog <> 1)")
                // Lock wait time-out, deadlock, statement time-out (two codes), lock not available with NOWAIT.
                .busyCodes(1205, 1213, 1969, 3024, 3572)
                .build();
    }

    static Dialect h2() {
        // This SQL works in all compatibility modes of H2. The modes of Oracle and SQL Server do not support LIMIT.
        return Dialect.builder("H2")
                .firstRowOnly(ONE_ROW)
                .script(Dialect.resource("postgresql.sql"))
                .leases(
                        Dialect.resource("postgresql/R__snowcast_leases.sql"),
                        "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)")
                .lock(LOCK.replace(" LIMIT 1", ONE_ROW))
                .server("'H2'")
                .state(KNOWN)
                .lossQuery("SELECT 'a WRITE_DELAY: a crash takes back what was committed; add ;WRITE_DELAY=0 to its"
                        + " URL' WHERE DATABASE_PATH() IS NOT NULL AND NOT EXISTS (SELECT * FROM"
                        + " INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY' AND SETTING_VALUE = '0')")
                .build();
    }
}
