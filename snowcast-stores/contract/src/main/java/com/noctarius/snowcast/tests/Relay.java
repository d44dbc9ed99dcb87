// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy between clients and a server on this machine. A test can make the proxy hang, drop answers, or break
 * connections. Thread-safe.
 */
public final class Relay implements AutoCloseable {
    private enum State {
        WORKS,
        /** Connections stay open, but no data arrives. */
        HANGS,
        /** Connections stay open, but what the server sends is lost. */
        DROPS_ANSWERS,
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

    /**
     * Starts a proxy.
     *
     * @param target the port of the server
     * @return a proxy that works
     * @throws IOException if it cannot listen
     */
    public static Relay to(int target) throws IOException {
        Relay relay = new Relay(target, new ServerSocket(FreePort.get(), 50, InetAddress.getLoopbackAddress()));
        thread(relay::accept);
        return relay;
    }

    /**
     * Returns the port for clients.
     *
     * @return a port on the loopback interface
     */
    public int port() {
        return entrance.getLocalPort();
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Keeps connections open, and delays all data until {@link #work}. */
    public void hang() {
        set(State.HANGS);
    }

    /** Keeps connections open, and drops what the server sends. Clients need new connections afterwards. */
    public void dropAnswers() {
        set(State.DROPS_ANSWERS);
    }

    /** Closes all connections, and, until {@link #work}, each new one. */
    public void breakConnections() {
        set(State.BROKEN);
        sockets.forEach(Relay::end);
    }

    /** Ends all faults. */
    public void work() {
        set(State.WORKS);
    }

    private synchronized void set(State next) {
        state = next;
        notifyAll();
    }

    /** Waits while the relay hangs. Returns its state then. */
    private synchronized State awaitData() {
        while (state == State.HANGS) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return state;
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
        if (awaitData() == State.BROKEN) {
            end(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            thread(() -> pass(client, server, false));
            pass(server, client, true);
        } catch (IOException e) {
            end(client); // The server does not accept connections.
        }
    }

    private void pass(Socket from, Socket to, boolean isAnswer) {
        byte[] bytes = new byte[8_192];
        try {
            int length = from.getInputStream().read(bytes);
            while (length > 0) {
                State present = awaitData();
                if (present == State.BROKEN) {
                    return;
                }
                if (!isAnswer || present != State.DROPS_ANSWERS) {
                    to.getOutputStream().write(bytes, 0, length);
                }
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
