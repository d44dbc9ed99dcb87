// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a port for a server that a test starts, and may later restart on the same port. */
public final class FreePort {
    private FreePort() {}

    /**
     * Returns a free port below Linux's default ports of outgoing connections, so that no such connection takes it.
     *
     * @return the port
     */
    public static int get() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // The port is in use; try another one.
            } catch (IOException e) {
                throw new UncheckedIOException("no free port", e);
            }
        }
    }
}
