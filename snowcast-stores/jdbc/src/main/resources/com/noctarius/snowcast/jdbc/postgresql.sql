-- The tables of one shard, for PostgreSQL and H2. JdbcSchema runs this file. If you run it yourself, also insert the
-- rows that identify the shard. For example, for the first of three shards with windows of 100,000 integers:
--     INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)
--         VALUES (1, 0, 3, 100000, 'shop');
--     INSERT INTO id_sequences_database (one, database_id, server_id) VALUES (1, 'shop-0', 'new');
-- All shards have the same installation, and no other installation has that name. Each database has a different
-- database_id. The first run of a window agent replaces the server 'new', and adds the list of databases.

-- Windows of integers: from window_start_value to window_end_value - 1. next_hi_value is the lowest integer that is not
-- reserved. Never delete a window, because an agent that was paused may insert it again, and its integers would repeat.
-- give_backs counts how often a process has lowered next_hi_value to return unused integers. If next_hi_value is lower
-- for any other reason, the database has lost reservations.
-- There is no CHECK and no further index, because both would make each reservation slower. Queries read the highest
-- windows first.
CREATE TABLE IF NOT EXISTS id_sequences (
    sequence_name VARCHAR(255) NOT NULL,
    window_start_value BIGINT NOT NULL,
    window_end_value BIGINT NOT NULL,
    next_hi_value BIGINT NOT NULL,
    give_backs BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name, window_start_value)
);

-- Sequences. To define one, insert a row into any shard, with the name and the first and last value. The window agent
-- does the rest. announced_value is an upper bound of the ends of all windows in all shards. In every shard, it is at
-- least complete_value. No agent inserts a window that begins below floor_value into this shard any more.
CREATE TABLE IF NOT EXISTS id_sequences_names (
    sequence_name VARCHAR(255) NOT NULL,
    lowest_value BIGINT NOT NULL,
    highest_value BIGINT NOT NULL,
    generation BIGINT DEFAULT 0 NOT NULL,
    base_value BIGINT DEFAULT -1 NOT NULL,
    announced_value BIGINT DEFAULT 0 NOT NULL,
    complete_value BIGINT DEFAULT 0 NOT NULL,
    floor_value BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name),
    CHECK (lowest_value >= 0 AND highest_value >= lowest_value AND highest_value < 9223372036854775807)
);

-- The place of this database in the list of shards: a row for each change of the list or of the window size. The newest
-- row is valid. Never change rows yourself.
CREATE TABLE IF NOT EXISTS id_sequences_shard (
    generation BIGINT NOT NULL,
    shard_index INT NOT NULL,
    shard_count INT NOT NULL,
    window_size BIGINT NOT NULL,
    adopted INT DEFAULT 0 NOT NULL,
    installation VARCHAR(100) NOT NULL,
    database_ids VARCHAR(4000) DEFAULT '-' NOT NULL,
    PRIMARY KEY (generation),
    CHECK (shard_index >= 0 AND shard_index < shard_count AND window_size >= 1)
);

-- The identity of this database: one row. database_id never changes. server_id identifies the server on which the shard
-- was created or last recovered. If the present server differs, the database has failed over or was restored, and no
-- integers are reserved. each recovery raises recoveries, at least to the seconds since 1970; the run of an agent that
-- replaces 'new' raises it by one.
CREATE TABLE IF NOT EXISTS id_sequences_database (
    one INT NOT NULL,
    database_id VARCHAR(100) NOT NULL,
    server_id VARCHAR(200) NOT NULL,
    recoveries BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
);
