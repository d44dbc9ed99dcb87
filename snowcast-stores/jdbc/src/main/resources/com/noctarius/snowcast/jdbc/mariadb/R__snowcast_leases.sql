-- The tables of a JdbcSnowcast, for MariaDB and MySQL: which process holds which node ID of which sequencer or node lease.
-- JdbcSnowcast.createTables runs this file. Flyway runs it from the jar as a repeatable migration, and Liquibase as a sqlFile: see
-- docs/sql.md. Running it again changes nothing.
-- After a restore that does not change the identity: UPDATE snowcast_database SET server_id = 'restored'. All times except
-- used_up_to are milliseconds since 1970. A process decides by the median of the database's clock, its own clock, and the time of
-- its last decision plus the elapsed time of its monotonic clock.
-- The attached node IDs: SELECT name, node_id, held_by, ceiling_millis FROM snowcast_nodes WHERE attached = 1;

-- Sequencers and node leases; a row stays when its name is destroyed. The definition: epoch, bits, max_node_count (0 for a sequencer),
-- start_above. incarnation is the last one; incarnations up to destroyed_up_to are destroyed. change_number counts the changes of the
-- name. recovered_millis: after a loss of data, no grant is made before this time, or begins below it. losses: the value in
-- snowcast_database when that loss was applied to this name. table_id: a random number that each loss changes; the token of each grant
-- contains it. highest_destroyed: the highest ID, as a number, that destroyed incarnations may have issued. used_up_to: grants of node
-- IDs without a row begin at or above it, in milliseconds since the epoch of the sequencer.
CREATE TABLE IF NOT EXISTS snowcast_names (
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
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
) ENGINE = InnoDB;

-- Node IDs that were granted at least once. If attached, the holder may issue IDs from floor_millis on and below ceiling_millis. If
-- not, the next holder begins at floor_millis or later. version is the number of the change that wrote the row.
CREATE TABLE IF NOT EXISTS snowcast_nodes (
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    node_id INT NOT NULL,
    attached INT NOT NULL,
    held_by VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    floor_millis BIGINT NOT NULL,
    ceiling_millis BIGINT NOT NULL,
    holder VARCHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    request_number BIGINT NOT NULL,
    table_id BIGINT NOT NULL,
    token_sequence BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (name, node_id),
    UNIQUE (name, holder, node_id),
    UNIQUE (name, attached, ceiling_millis, node_id)
) ENGINE = InnoDB;

-- One row. server_id is the identity of the database; if the present identity differs, the database may have lost grants. Each loss
-- raises losses to the next multiple of 4294967296, plus a random number below that; no node ID is granted until recovered_millis.
-- lease_millis is the longest lease of any process.
CREATE TABLE IF NOT EXISTS snowcast_database (
    one INT NOT NULL,
    server_id VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    losses BIGINT NOT NULL,
    recovered_millis BIGINT NOT NULL,
    lease_millis BIGINT NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
) ENGINE = InnoDB;

-- The only row. The first process writes the identity of the database into it.
INSERT INTO snowcast_database (one, server_id, losses, recovered_millis, lease_millis)
    SELECT 1, 'new', 0, 0, 0 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM snowcast_database);
