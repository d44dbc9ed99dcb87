-- The tables of one shard, for PostgreSQL and H2. JdbcSchema runs this file; if you run it by hand, insert also the row
-- that says which shard this is, on the first of three shards with windows of 100,000 integers:
--     INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)
--         VALUES (1, 0, 3, 100000, 'shop');
--     INSERT INTO id_sequences_database (one, database_id, server_id) VALUES (1, 'shop-0', 'new');
-- The installation has the same name in all its shards, and a name that no other has. No two databases have the same ID. The
-- first run of an agent says on which server the database is, and of which list.

-- Integers window_start_value to window_end_value - 1; next_hi_value is the lowest that is not reserved. Windows are never
-- deleted: an agent that was paused could insert one again that was used. give_backs counts how
-- often next_hi_value was lowered by a give-back; whatever else lowers it has forgotten reservations. There is no CHECK
-- and no other index, since both would make each reservation slower; stores look at the highest windows first.
CREATE TABLE IF NOT EXISTS id_sequences (
    sequence_name VARCHAR(255) NOT NULL,
    window_start_value BIGINT NOT NULL,
    window_end_value BIGINT NOT NULL,
    next_hi_value BIGINT NOT NULL,
    give_backs BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name, window_start_value)
);

-- A new sequence is a row in any shard, with its name, its first and its last value; the window agent does the rest. Windows
-- up to announced_value may exist in any shard, and all shards know a bound of at least complete_value. No window is inserted
-- into this shard that begins below floor_value.
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

-- Which shard this is: a row for each change of the list of shards or of the size of windows. The newest row holds; rows are
-- never changed by hand.
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

-- Which database this is: one row. database_id never changes; server_id names the server that it is on, and that server's
-- history. While that differs from what the server says of itself, nothing is reserved: it failed over, or was restored.
-- recoveries counts how often an operator said what was lost.
CREATE TABLE IF NOT EXISTS id_sequences_database (
    one INT NOT NULL,
    database_id VARCHAR(100) NOT NULL,
    server_id VARCHAR(200) NOT NULL,
    recoveries BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
);
