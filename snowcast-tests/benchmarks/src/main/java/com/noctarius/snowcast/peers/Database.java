// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.jdbc.PostgresServer;
import java.io.IOException;

/** The PostgreSQL database of a run, and its faults. */
final class Database implements AutoCloseable {
    private static final String NAME = "postgres";

    private PostgresServer server;

    private Database(PostgresServer server) {
        this.server = server;
    }

    static Database start() throws Exception {
        return new Database(PostgresServer.start());
    }

    String url() {
        return server.url(NAME);
    }

    void freeze() throws Exception {
        server.freeze();
    }

    void thaw() throws Exception {
        server.thaw();
    }

    void kill() throws Exception {
        server.kill();
    }

    void restart() throws Exception {
        server.restart();
    }

    Dump dump() throws Exception {
        return Dump.of(url());
    }

    /**
     * Returns a server with a copy of all data that is committed now. The copy gets no later changes, so that a switch
     * to this server is a restore to this point in time.
     */
    PostgresServer pointInTime() throws Exception {
        PostgresServer copy = server.startStandby();
        copy.awaitReplay(server);
        copy.stopReplication();
        return copy;
    }

    void restore(PostgresServer copy) throws Exception {
        PostgresServer former = server;
        former.kill();
        copy.takeOver(former);
        server = copy;
        former.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
