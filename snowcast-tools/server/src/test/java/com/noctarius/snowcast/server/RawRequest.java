// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends requests that Java's client would refuse to send, such as a request with another Host header. */
final class RawRequest {
    private RawRequest() {}

    /** Sends a request, and returns the answer. {@code head} is the request line and headers, each with its CRLF. */
    static String send(int port, String head) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write((head + "Content-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
