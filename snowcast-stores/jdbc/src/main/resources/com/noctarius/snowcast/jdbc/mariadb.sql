-- The tables of one shard, for MariaDB and MySQL 8. JdbcSchema runs this file. If you run it by hand, also insert
-- these rows, here for the first of three shards with windows of 100,000 integers:
--     INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)
--         VALUES (1, 0, 3, 100000, 'shop');
--     INSERT INTO id_sequences_database (one, database_id, server_id) VALUES (1, 'shop-0', 'new');
-- The installation has the same name in all its shards, and no other installation has this name. Each database has its own ID.
-- The first run of an agent stores the server of the database, and the list of shards.

-- Windows: the integers window_start_value to window_end_value - 1; next_hi_value is the lowest one that is not reserved. Windows
-- are never deleted, because an agent that was paused could insert a used window again. give_backs counts how often a process has
-- lowered next_hi_value to give integers back; if next_hi_value is lower for another reason, the database has lost reservations.
CREATE TABLE IF NOT EXISTS id_sequences (
    sequence_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    window_start_value BIGINT NOT NULL,
    window_end_value BIGINT NOT NULL,
    next_hi_value BIGINT NOT NULL,
    give_backs BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name, window_start_value),
    CHECK (window_start_value >= 0 AND next_hi_value >= window_start_value AND next_hi_value <= window_end_value)
) ENGINE = InnoDB;

-- Sequences: to define one, insert a row with its name, its first and its last value into any shard; the window agent does the
-- rest. Windows up to announced_value may exist in any shard; the announced_value of every shard has reached complete_value. No
-- window that begins below floor_value is inserted into this shard.
CREATE TABLE IF NOT EXISTS id_sequences_names (
    sequence_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    lowest_value BIGINT NOT NULL,
    highest_value BIGINT NOT NULL,
    generation BIGINT DEFAULT 0 NOT NULL,
    base_value BIGINT DEFAULT -1 NOT NULL,
    announced_value BIGINT DEFAULT 0 NOT NULL,
    complete_value BIGINT DEFAULT 0 NOT NULL,
    floor_value BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name),
    CHECK (lowest_value >= 0 AND highest_value >= lowest_value AND highest_value < 9223372036854775807)
) ENGINE = InnoDB;

-- Which shard this is: a row for each change of the list of shards or of the size of windows. The newest row is valid. Never
-- change rows by hand.
CREATE TABLE IF NOT EXISTS id_sequences_shard (
    generation BIGINT NOT NULL,
    shard_index INT NOT NULL,
    shard_count INT NOT NULL,
    window_size BIGINT NOT NULL,
    adopted INT DEFAULT 0 NOT NULL,
    installation VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    database_ids VARCHAR(4000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT '-' NOT NULL,
    PRIMARY KEY (generation),
    CHECK (shard_index >= 0 AND shard_index < shard_count AND window_size >= 1)
) ENGINE = InnoDB;

-- Which database this is: one row. database_id never changes; server_id identifies the server of the database, and the history of
-- that server. While it differs from the present server, because of a fail-over or a restore, nothing is reserved. recoveries
-- counts how often the shard was recovered.
CREATE TABLE IF NOT EXISTS id_sequences_database (
    one INT NOT NULL,
    database_id VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    server_id VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    recoveries BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
) ENGINE = InnoDB;
