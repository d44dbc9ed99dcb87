// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards connections to a server, and can cut them or make the server silent. */
final class Relay implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int target;
    private volatile boolean isCut;
    private volatile boolean isSilent;

    Relay(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return door.getLocalPort();
    }

    /** Closes all connections, and each new one immediately. */
    void cut() throws IOException {
        isCut = true;
        closeAll();
    }

    /** Drops everything that the server sends, but leaves the connections open. */
    void silence() {
        isSilent = true;
    }

    /** Closes all connections, and forwards new ones again. */
    void mend() throws IOException {
        isCut = false;
        isSilent = false;
        closeAll();
    }

    private void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket from = door.accept();
                if (isCut) {
                    from.close();
                    continue;
                }
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(from);
                sockets.add(to);
                start(() -> pass(from, to, false));
                start(() -> pass(to, from, true));
            }
        } catch (IOException e) {
            assert door.isClosed() : e;
        }
    }

    private void pass(Socket from, Socket to, boolean canBeSilent) {
        byte[] buffer = new byte[8_192];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!canBeSilent || !isSilent) {
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException e) {
            assert from.isClosed() : e; // The other thread or a cut has closed the socket.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        closeAll();
    }
}
