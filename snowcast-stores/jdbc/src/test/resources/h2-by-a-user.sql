-- A script that a user could write for a database without a built-in dialect.

CREATE TABLE IF NOT EXISTS id_sequences (
    sequence_name VARCHAR(255) NOT NULL,
    window_start_value BIGINT NOT NULL,
    window_end_value BIGINT NOT NULL,
    next_hi_value BIGINT NOT NULL,
    give_backs BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (sequence_name, window_start_value)
);

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

CREATE TABLE IF NOT EXISTS id_sequences_shard (
    generation BIGINT NOT NULL,
    shard_index INT NOT NULL,
    shard_count INT NOT NULL,
    window_size BIGINT NOT NULL,
    adopted INT DEFAULT 0 NOT NULL,
    installation VARCHAR(100) NOT NULL,
    database_ids VARCHAR(4000) DEFAULT '' NOT NULL,
    PRIMARY KEY (generation),
    CHECK (shard_index >= 0 AND shard_index < shard_count AND window_size >= 1)
);

CREATE TABLE IF NOT EXISTS id_sequences_database (
    one INT NOT NULL,
    database_id VARCHAR(100) NOT NULL,
    server_id VARCHAR(200) NOT NULL,
    recoveries BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (one),
    CHECK (one = 1)
);
