INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)
    VALUES (1, 0, 1, 100000, 'shop');
INSERT INTO id_sequences_database (one, database_id, server_id) VALUES (1, 'shop-0', 'new');
INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value) VALUES ('products', 5000001, 2147483647);
