// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.jdbc.PostgresServer;
import java.io.IOException;

/** The database of a run, and the faults of databases. */
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

    /** Returns a copy of what is committed now. It replays no more, so it is a restore to this point in time. */
    PostgresServer pointInTime() throws Exception {
        PostgresServer copy = server.startStandby();
        copy.awaitReplay(server);
        copy.stopReplication();
        return copy;
    }

    /** Puts a copy in the place of the server, which is killed. */
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
