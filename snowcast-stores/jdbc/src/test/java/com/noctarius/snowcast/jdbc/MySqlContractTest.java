// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Runs the contract tests on MySQL, with MySQL's driver. */
@Tag("faults")
class MySqlContractTest extends JdbcContract {
    private static MySqlServer server;
    private static final List<String> URLS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = MySqlServer.start();
        for (int i = 0; i < 3; i++) {
            URLS.add(server.createDatabase("ids" + i));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    MySqlContractTest() {
        super(URLS, "SET innodb_lock_wait_timeout = 1", "SET innodb_lock_wait_timeout = 7200");
    }

    @Override
    protected Optional<Server> server() {
        return Optional.of(server);
    }
}
