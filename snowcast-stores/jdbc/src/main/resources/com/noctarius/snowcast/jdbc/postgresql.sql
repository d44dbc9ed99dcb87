-- The tables of one shard, for PostgreSQL and H2. JdbcSchema runs this file; whoever runs it by hand also inserts the row
-- that says which shard this is, on the first of three shards with windows of 100,000 integers:
--     INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)
--         VALUES (1, 0, 3, 100000, 'shop');
-- The installation has the same name in all its shards, and a name that no other has.

-- Integers window_start_value to window_end_value - 1; next_hi_value is the lowest that is not reserved. Windows are never
-- deleted: an agent that was paused could insert one again that was used.
CREATE TABLE IF NOT EXISTS id_sequences (
    sequence_name VARCHAR(255) NOT NULL,
    window_start_value BIGINT NOT NULL,
    window_end_value BIGINT NOT NULL,
    next_hi_value BIGINT NOT NULL,
    PRIMARY KEY (sequence_name, window_start_value),
    CHECK (window_start_value >= 0 AND next_hi_value >= window_start_value AND next_hi_value <= window_end_value)
);

-- A new sequence is a row in any shard, with its name, its first and its last value; the window agent does the rest.
CREATE TABLE IF NOT EXISTS id_sequences_names (
    sequence_name VARCHAR(255) NOT NULL,
    lowest_value BIGINT NOT NULL,
    highest_value BIGINT NOT NULL,
    generation BIGINT DEFAULT 0 NOT NULL,
    base_value BIGINT DEFAULT -1 NOT NULL,
    announced_value BIGINT DEFAULT 0 NOT NULL,
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
    PRIMARY KEY (generation),
    CHECK (shard_index >= 0 AND shard_index < shard_count AND window_size >= 1)
);
