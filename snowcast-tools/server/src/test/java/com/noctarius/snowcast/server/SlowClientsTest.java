// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests a server that has fewer threads than slow clients. */
@Tag("integration")
class SlowClientsTest {
    private static final String FEW = "server.tomcat.threads.max=20";
    /** The number of threads that requests other than probes may use. */
    private static final int SERVED = 15;

    private static final int CLIENTS = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String WAITING = "test.waiting";
    private static final String LIVENESS = "/actuator/health/liveness";

    /** A request whose body does not end during the test: the client sends at most a byte every three seconds. */
    private static final class SlowBody implements AutoCloseable {
        private final Socket socket;

        SlowBody(int port, String head) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }

        void sendByte() {
            try {
                OutputStream out = socket.getOutputStream();
                out.write('1');
                out.flush();
            } catch (IOException e) {
                // The server has closed the connection, as expected.
                return;
            }
        }

        /** Waits until the server has closed the connection, and returns the status; empty if the answer was lost. */
        String statusAtTheEnd() throws IOException {
            StringBuilder answer = new StringBuilder();
            try {
                for (int next = socket.getInputStream().read();
                        next >= 0;
                        next = socket.getInputStream().read()) {
                    answer.append((char) next);
                }
            } catch (SocketException e) {
                // The connection was reset, because the server did not read the whole body. The answer may be cut.
                return statusOf(answer);
            }
            return statusOf(answer);
        }

        private static String statusOf(CharSequence answer) {
            return answer.toString().replaceFirst("(?s)^HTTP/1.1 (\\d+).*", "$1");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static HttpResponse<String> liveness(RunningServer server) throws IOException, InterruptedException {
        return server.send(server.request(LIVENESS).timeout(PATIENCE));
    }

    @ParameterizedTest
    @CsvSource({
        "POST /ids/orders, Content-Length: 1500000, false, 401",
        "PUT /ids/orders, Content-Length: 1500000, false, 401",
        "POST /actuator/health, Content-Length: 1500000, false, 413",
        "POST /ids/orders, Content-Length: 1500000, true, 413",
        "POST /integers/products, Transfer-Encoding: chunked, true, 413"
    })
    void aBodyIsNotWaitedForAndTheServerIsAliveMeanwhile(String line, String length, boolean hasToken, String status)
            throws Exception {
        try (RunningServer server =
                RunningServer.startWithOrders(FEW, "snowcast-server.token=" + RunningServer.TOKEN)) {
            String head = line + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n"
                    + (hasToken ? "Authorization: Bearer " + RunningServer.TOKEN + "\r\n" : "");
            List<SlowBody> bodies = new ArrayList<>();
            ScheduledExecutorService bytes = Executors.newSingleThreadScheduledExecutor();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    bodies.add(new SlowBody(server.port(), head));
                }
                Future<?> unused =
                        bytes.scheduleAtFixedRate(() -> bodies.forEach(SlowBody::sendByte), 3, 3, TimeUnit.SECONDS);
                assertThat(liveness(server).statusCode()).isEqualTo(200);
                for (SlowBody body : bodies) {
                    // 503: too many requests were active. Empty: the answer was lost with the connection.
                    assertThat(body.statusAtTheEnd()).isIn(status, "503", "");
                }
            } finally {
                bytes.shutdownNow();
                for (SlowBody body : bodies) {
                    body.close();
                }
            }
        }
    }

    /** Answers requests only when the test permits it, like a cluster that does not answer. */
    @RestController
    @ConditionalOnProperty(WAITING) // The component scan of other tests finds this class, too.
    static final class Waiting {
        private final CountDownLatch end = new CountDownLatch(1);
        private final AtomicInteger count = new AtomicInteger();

        @GetMapping("/waiting")
        String answer() throws InterruptedException {
            count.incrementAndGet();
            end.await();
            return "answered";
        }
    }

    @Test
    void requestsThatWaitLeaveThreadsForProbes() throws Exception {
        try (RunningServer server = RunningServer.startWithOrders(FEW, WAITING + "=true")) {
            Waiting waiting = server.bean(Waiting.class);
            try {
                List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, CLIENTS)
                        .mapToObj(i -> server.sendAsync(server.request("/waiting")))
                        .toList();
                assertThat(liveness(server).statusCode()).isEqualTo(200);
                assertThat(server.send(server.request("/actuator/health/readiness")
                                        .timeout(PATIENCE))
                                .statusCode())
                        .isEqualTo(200);
                Await.until(
                        "answers to all that are not served",
                        () -> answers.stream().filter(CompletableFuture::isDone).count() == CLIENTS - SERVED);
                // Some of the admitted requests may not have reached the controller yet.
                Await.until("all that are served", () -> waiting.count.get() == SERVED);
                waiting.end.countDown();
                int served = 0;
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    HttpResponse<String> response = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    if (response.statusCode() == 200) {
                        served++;
                    } else {
                        assertThat(response.statusCode()).isEqualTo(503);
                        assertThat(response.headers().firstValue("Retry-After")).isPresent();
                        assertThat(RunningServer.json(response).get("status").asInt())
                                .isEqualTo(503);
                    }
                }
                assertThat(served).isEqualTo(SERVED);
                assertThat(server.post("/ids/orders").statusCode()).isEqualTo(200);
            } finally {
                waiting.end.countDown();
            }
        }
    }

    @Test
    void aSecondServerForProbesWaitsForNoBodyEither() throws Exception {
        int port = FreePort.get();
        try (RunningServer server = RunningServer.startWithOrders(
                        FEW,
                        "management.server.port=" + port,
                        "management.server.address=127.0.0.1",
                        "management.endpoint.health.show-details=never");
                SlowBody body = new SlowBody(
                        port, "POST /actuator/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1500000\r\n")) {
            assertThat(body.statusAtTheEnd()).isIn("413", "");
            assertThat(server.post("/ids/orders").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aRequestWithABodyOfNoBytesIsServed() throws Exception {
        try (RunningServer server = RunningServer.startWithOrders(FEW)) {
            assertThat(RawRequest.send(server.port(), "POST /ids/orders HTTP/1.1\r\nHost: localhost\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(server.send(server.request("/ids/orders").POST(BodyPublishers.ofString("{}")))
                            .statusCode())
                    .isEqualTo(413);
        }
    }
}
