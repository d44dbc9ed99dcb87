// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a port for a server that a test starts, and may later restart on the same port. */
public final class FreePort {
    private FreePort() {}

    /** Returns a free port below the range of outgoing connections, so that no connection takes it meanwhile. */
    public static int get() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // The port is in use; try another one.
            }
        }
    }
}
