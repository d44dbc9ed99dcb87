// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresContractTest extends JdbcContract {
    private static PostgresServer server;
    private static final List<String> URLS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
        for (int i = 0; i < 3; i++) {
            URLS.add(server.createDatabase("ids" + i));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    List<String> urls() {
        return URLS;
    }

    @Override
    protected Optional<Server> server() {
        return Optional.of(server);
    }

    @Test
    void aDatabaseThatForgetsIsRefused() throws Exception {
        TestShards one = oneShard(urls().get(0));
        try (Connection connection = one.connections(urls().get(0)).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER careless SUPERUSER");
            statement.execute("ALTER USER careless SET synchronous_commit = off");
        }
        TestShards careless =
                TestShards.of(one.table(), List.of(urls().get(0).replace("user=postgres", "user=careless")));
        JdbcBlockStore store = new JdbcBlockStore(careless.plain());
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> store.reserve("orders", 1))
                .withMessageContaining("shard 0 of 1 has synchronous_commit = off");
    }

    /** A crash of the machine takes back what was committed, one of the server does not. */
    @Test
    void aDatabaseThatForgetsWhenTheMachineCrashesIsWarnedOf() throws Exception {
        try (PostgresServer careless = PostgresServer.startWithoutSync();
                Warnings warnings = Warnings.of(Dialect.class)) {
            new JdbcBlockStore(oneShard(careless.url("postgres")).plain()).reserve("orders", 1);
            assertThat(warnings.all()).singleElement().asString().contains("shard 0 of 1 has fsync = off");
        }
    }
}
