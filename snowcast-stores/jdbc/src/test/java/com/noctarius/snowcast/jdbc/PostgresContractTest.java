// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.tests.Warnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresContractTest extends JdbcContract {
    @AutoClose
    private static PostgresServer server;

    private static final List<String> URLS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
        for (int i = 0; i < 3; i++) {
            URLS.add(server.createDatabase("ids" + i));
        }
    }

    PostgresContractTest() {
        super(URLS, "SET lock_timeout = '500ms'", "SET lock_timeout = '2h'");
    }

    @Override
    protected Optional<Server> server() {
        return Optional.of(server);
    }

    /** The server has {@code fsync = off}: a crash of the machine can lose committed data. */
    @Test
    void aDatabaseThatForgetsWhenTheMachineCrashesIsWarnedOf() throws Exception {
        try (Warnings warnings = Warnings.of(ShardCheck.class)) {
            new JdbcBlockStore(oneShard(server.url("postgres")).plain()).reserve("orders", 1);
            assertThat(warnings.all()).singleElement().asString().contains("shard 0 of 1 has fsync = off");
            try (JdbcSnowcast snowcast = JdbcSnowcast.of(UrlDataSource.of(server.url("postgres"), null, null))) {
                snowcast.createTables();
                snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
                snowcast.createSequencer("customers", SnowcastEpoch.byTimestamp(0));
            }
            assertThat(warnings.all())
                    .hasSize(2)
                    .anyMatch(line ->
                            line.contains("the database of snowcast_nodes has fsync = off: if its machine crashes,"
                                    + " node IDs are handed out again"));
        }
    }
}
