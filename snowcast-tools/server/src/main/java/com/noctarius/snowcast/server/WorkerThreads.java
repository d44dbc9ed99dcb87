// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Keeps Tomcat threads free for health probes, even if other clients send many or slow requests. A request occupies a
 * thread while it waits for the cluster, and for as long as its client takes to send a body or to read the answer.
 *
 * <ul>
 *   <li>All requests except probes share three quarters of the threads. If none of these is free, the server answers
 *       with 503 at once.
 *   <li>The server reads no body: see {@link NoBodyFilter}. To reuse a connection, Tomcat would read the rest of a body
 *       after the answer, for as long as the client takes. The server therefore closes the connection.
 *   <li>The server closes the connection of a probe after the answer. On a connection with several requests, an answer
 *       could wait until the client has read the earlier answers.
 * </ul>
 */
final class WorkerThreads extends ValveBase {
    private static final int MOST_PARTS = 3;
    private static final int PARTS = 4;
    private static final byte[] BUSY =
            "{\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"This server is busy: it answers as many requests as it can\"}"
                    .getBytes(StandardCharsets.US_ASCII);

    private final Semaphore permits;
    private final Predicate<String> isProbe;

    /** Creates the valve. {@code isProbe} returns whether a path is the path of a health probe. */
    WorkerThreads(int threads, Predicate<String> isProbe) {
        super(true); // The valve also supports asynchronous requests.
        this.permits = new Semaphore(Math.max(threads * MOST_PARTS / PARTS, 1));
        this.isProbe = isProbe;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.isAsyncDispatching()) { // This is the end of a stream, which was admitted when it began.
            getNext().invoke(request, response);
        } else if (isProbe.test(request.getRequestURI())) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
            serve(request, response);
        } else if (permits.tryAcquire()) {
            try {
                serve(request, response);
            } finally {
                permits.release();
            }
        } else {
            refuse(response);
            end(request, response);
        }
    }

    private void serve(Request request, Response response) throws IOException, ServletException {
        if (hasBody(request)) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        try {
            getNext().invoke(request, response);
        } finally {
            end(request, response);
        }
    }

    private static void refuse(Response response) throws IOException {
        response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        response.setHeader(HttpHeaders.RETRY_AFTER, Problems.RETRY_SECONDS);
        response.setHeader(HttpHeaders.CONNECTION, "close");
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(BUSY);
    }

    /**
     * Writes the rest of the answer. A client may read it slowly, which occupies the thread, so the request keeps its
     * permit until the answer is written.
     */
    private static void end(Request request, Response response) throws IOException {
        if (request.isAsync()) {
            return;
        }
        response.finishResponse();
        if (hasBody(request)) {
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }
}
