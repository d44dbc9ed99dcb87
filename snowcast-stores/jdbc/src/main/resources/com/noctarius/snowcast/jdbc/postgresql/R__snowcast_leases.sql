-- The tables of a JdbcSnowcast, for PostgreSQL and H2: which process holds which node ID of which sequencer or node lease.
-- JdbcSnowcast.createTables runs this file. Flyway runs it from the jar as a repeatable migration, and Liquibase as a sqlFile: see
-- docs/sql.md. To run it again changes nothing.
-- After a restore that leaves the identity as it was: UPDATE snowcast_database SET server_id = 'restored'. All times except
-- used_up_to are milliseconds since 1970. A process decides by the median of the database's clock, its own clock, and its last
-- decision plus the time that its monotonic clock measured since.
-- What is attached now: SELECT name, node_id, held_by, ceiling_millis FROM snowcast_nodes WHERE attached = 1;

-- A sequencer or node lease; rows stay when it is destroyed. definition: epoch, bits, max_node_count (0 of a sequencer), start_above.
-- incarnation is the last one; those up to destroyed_up_to are destroyed. change_number counts its changes. recovered_millis:
-- nothing is granted before or below it, since the database has forgotten something. losses: as snowcast_database had it then.
-- table_id: random, another one after each loss; each grant's token contains it. highest_destroyed: the highest ID, as a number, that
-- destroyed incarnations may have issued. used_up_to: grants of node IDs without a row begin at or above it, in milliseconds since
-- the epoch of the sequencer.
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

-- A node ID that was granted at least once. Attached: its holder may use IDs from floor_millis on and below ceiling_millis. Not
-- attached: the next holder begins at floor_millis or later. version is the number of the change that made the row.
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

-- One row. server_id is the identity of the database that the tables are in; when it differs from what the server says of itself,
-- the database may have forgotten grants: each loss raises losses by 4294967296 and a random number below that, and until recovered_millis
-- no node ID is granted. lease_millis is the longest lease that any process has granted by.
CREATE TABLE IF NOT EXISTS snowcast_database (
    one INT NOT NULL,
    server_id VARCHAR(200) NOT NULL,
    losses BIGINT NOT NULL,
    recovered_millis BIGINT NOT NULL,
    lease_millis BIGINT NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
);

-- The one row. The first process writes the identity of the database into it.
INSERT INTO snowcast_database (one, server_id, losses, recovered_millis, lease_millis)
    SELECT 1, 'new', 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM snowcast_database);
