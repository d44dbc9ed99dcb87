// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP relay in front of a member. It can drop the member's answers, or close all connections. */
final class Relay implements AutoCloseable {
    private static final int BUFFER_SIZE = 65_536;

    private final ServerSocket server;
    private final int memberPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean swallows;
    private volatile boolean isShut;

    private Relay(ServerSocket server, int memberPort) {
        this.server = server;
        this.memberPort = memberPort;
    }

    static Relay to(int memberPort) throws IOException {
        Relay relay = new Relay(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), memberPort);
        start(relay::accept);
        return relay;
    }

    int port() {
        return server.getLocalPort();
    }

    int memberPort() {
        return memberPort;
    }

    /** Drops all answers of the member until {@link #cut}. */
    void swallowAnswers() {
        swallows = true;
    }

    /** Closes all connections. New connections deliver the member's answers again. */
    void cut() {
        for (Socket socket : sockets) {
            close(socket);
        }
        sockets.clear();
        swallows = false;
    }

    /** Closes all connections, and, until {@link #open}, each new one. */
    void shut() {
        isShut = true;
        cut();
    }

    void open() {
        isShut = false;
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void start(Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException e) {
                        // A side has closed the connection, the member refuses it, or the relay is closed.
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket member = new Socket(InetAddress.getLoopbackAddress(), memberPort);
            sockets.add(client);
            sockets.add(member);
            if (isShut) {
                cut();
            }
            start(() -> pump(client, member, false));
            start(() -> pump(member, client, true));
        }
    }

    private void pump(Socket from, Socket to, boolean answers) throws IOException {
        byte[] buffer = new byte[BUFFER_SIZE];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        try {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!answers || !swallows) {
                    out.write(buffer, 0, length);
                    out.flush();
                }
            }
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
