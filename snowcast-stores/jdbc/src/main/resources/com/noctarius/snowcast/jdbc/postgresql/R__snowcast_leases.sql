-- The tables of a JdbcSnowcast, for PostgreSQL and H2. They record which process holds which node ID of which sequencer
-- or node lease. JdbcSnowcast.createTables runs this file. You can instead run it from the jar as a migration: with
-- Flyway as a repeatable migration, with Liquibase as a sqlFile. See docs/sql.md. Running it again changes nothing.
-- After a restore that does not change the identity of the database, run this before any process connects:
--     UPDATE snowcast_database SET server_id = 'restored'
-- To list the attached node IDs:
--     SELECT name, node_id, held_by, ceiling_millis FROM snowcast_nodes WHERE attached = 1
-- All times except used_up_to are milliseconds since 1970. A process decides by the median of three times: the clock of
-- the database, its own clock, and the time of its last decision plus the time that has elapsed since by its monotonic
-- clock.

-- Sequencers and node leases. The row stays when a sequencer or node lease is destroyed.
--   epoch_millis to start_above: the definition. max_node_count is 0 for a sequencer.
--   incarnation: the latest incarnation. All incarnations up to destroyed_up_to are destroyed.
--   change_number: the number of the last change.
--   table_id: a random number, which is part of the fencing token of each grant. It changes after a loss of data.
--   recovered_millis: after a loss of data, no node ID is granted before this time, or for earlier times.
--   highest_destroyed: the highest ID, as an unsigned number, that destroyed incarnations may have issued.
--   used_up_to: no lease of a node ID without a row begins before this time, in milliseconds since epoch_millis.
--   losses: the value of snowcast_database.losses that was last applied to this row.
CREATE TABLE IF NOT EXISTS snowcast_names (
    name VARCHAR(255) NOT NULL,
    epoch_millis BIGINT NOT NULL,
    timestamp_bits INT NOT NULL,
    node_bits INT NOT NULL,
    counter_bits INT NOT NULL,
    max_node_count INT NOT NULL,
    start_above BIGINT,
    incarnation BIGINT NOT NULL,
    destroyed_up_to BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    table_id BIGINT NOT NULL,
    recovered_millis BIGINT NOT NULL,
    highest_destroyed BIGINT NOT NULL,
    used_up_to BIGINT NOT NULL,
    losses BIGINT NOT NULL,
    PRIMARY KEY (name)
);

-- Node IDs that were granted.
--   attached: if it is 1, the holder may issue IDs with times from floor_millis on and below ceiling_millis. If it is
--       0, the next lease begins at floor_millis or later.
--   version: the number of the change that wrote the row. See snowcast_names.change_number.
CREATE TABLE IF NOT EXISTS snowcast_nodes (
    name VARCHAR(255) NOT NULL,
    node_id INT NOT NULL,
    attached INT NOT NULL,
    held_by VARCHAR(255) NOT NULL,
    floor_millis BIGINT NOT NULL,
    ceiling_millis BIGINT NOT NULL,
    holder VARCHAR(36) NOT NULL,
    request_number BIGINT NOT NULL,
    table_id BIGINT NOT NULL,
    token_sequence BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (name, node_id),
    UNIQUE (name, holder, node_id),
    UNIQUE (name, attached, ceiling_millis, node_id)
);

-- The database: one row.
--   server_id: the identity of the database when a process last checked it. If the present identity differs, the
--       database may have lost grants, and no node ID is granted until recovered_millis.
--   losses: each loss raises it to the next multiple of 4294967296 plus a random number below 4294967296.
--   lease_millis: the longest lease of all processes.
CREATE TABLE IF NOT EXISTS snowcast_database (
    one INT NOT NULL,
    server_id VARCHAR(200) NOT NULL,
    losses BIGINT NOT NULL,
    recovered_millis BIGINT NOT NULL,
    lease_millis BIGINT NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
);

-- Inserts the row. The first process replaces 'new' by the identity of the database.
INSERT INTO snowcast_database (one, server_id, losses, recovered_millis, lease_millis)
    SELECT 1, 'new', 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM snowcast_database);
