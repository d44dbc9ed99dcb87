// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class H2ContractTest extends JdbcContract {
    @TempDir
    private static Path files;

    @AutoClose
    private static H2Server server;

    @BeforeAll
    static void start() throws Exception {
        server = H2Server.start(files);
    }

    H2ContractTest() {
        super(
                IntStream.range(0, 3).mapToObj(i -> server.url("ids" + i)).toList(),
                "SET LOCK_TIMEOUT 500",
                "SET LOCK_TIMEOUT 7200000");
    }

    @Override
    protected Optional<Server> server() {
        return Optional.of(server);
    }
}
