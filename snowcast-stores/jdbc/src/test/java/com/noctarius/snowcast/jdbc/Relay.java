// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy between processes and a server. A test can make the proxy hang or break connections. Thread-safe. */
final class Relay implements AutoCloseable {
    private enum State {
        WORKS,
        /** Connections stay open, but no data arrives. */
        HANGS,
        /** Connections are closed, and new ones are rejected. */
        BROKEN
    }

    private final int target;
    private final ServerSocket entrance;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    // --- guarded by this
    private State state = State.WORKS;

    private Relay(int target, ServerSocket entrance) {
        this.target = target;
        this.entrance = entrance;
    }

    /** @param target the server's port on this machine */
    static Relay to(int target) throws IOException {
        Relay relay = new Relay(target, new ServerSocket(FreePort.get(), 50, InetAddress.getLoopbackAddress()));
        thread(relay::accept);
        return relay;
    }

    int port() {
        return entrance.getLocalPort();
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    void hang() {
        set(State.HANGS);
    }

    void breakConnections() {
        set(State.BROKEN);
        sockets.forEach(Relay::end);
    }

    void work() {
        set(State.WORKS);
    }

    private synchronized void set(State next) {
        state = next;
        notifyAll();
    }

    /** Waits while the relay hangs. Returns whether it then works. */
    private synchronized boolean awaitWorking() {
        while (state == State.HANGS) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return state == State.WORKS;
    }

    private void accept() {
        while (true) {
            try {
                Socket client = entrance.accept();
                thread(() -> connect(client));
            } catch (IOException e) {
                return; // The relay is closed.
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        if (!awaitWorking()) {
            end(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            thread(() -> pass(client, server));
            pass(server, client);
        } catch (IOException e) {
            end(client); // The server does not accept connections.
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[8_192];
        try {
            int length = from.getInputStream().read(bytes);
            while (length > 0 && awaitWorking()) {
                to.getOutputStream().write(bytes, 0, length);
                length = from.getInputStream().read(bytes);
            }
        } catch (IOException e) {
            // One of the two connections was closed.
        } finally {
            end(from);
            end(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        breakConnections();
    }
}
