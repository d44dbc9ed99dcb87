// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.shop;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.h2.tools.Server;

/**
 * Runs three instances of the order service as processes, with one database. Buyers send orders to all instances, while
 * one instance is killed and restarted. At the end, the example checks that there are no duplicate IDs, and that the
 * table contains every confirmed order.
 */
public final class Shop implements AutoCloseable {
    private static final int INSTANCES = 3;
    private static final int BUYERS = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Process> processes = new ArrayList<>();
    private final List<Integer> memberPorts = freePorts(INSTANCES);
    private final List<Integer> httpPorts = freePorts(INSTANCES);
    private final Queue<Long> confirmed = new ConcurrentLinkedQueue<>();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final Server server;
    private final String url;

    private Shop() throws SQLException {
        this.server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        this.url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
    }

    /**
     * Runs the example; exits with 1 if there is a duplicate ID or a confirmed order is lost.
     *
     * @param arguments the number of orders before, during and after the outage of one instance; 1,000 each by default
     */
    public static void main(String[] arguments) throws Exception {
        int orders = arguments.length == 0 ? 1_000 : Integer.parseInt(arguments[0]);
        boolean isRight;
        try (Shop shop = new Shop()) {
            isRight = shop.run(orders);
        }
        System.exit(isRight ? 0 : 1);
    }

    private boolean run(int orders) throws Exception {
        try (Connection database = DriverManager.getConnection(url, "sa", "")) {
            database.createStatement()
                    .execute("CREATE TABLE purchase_order (id BIGINT PRIMARY KEY, item VARCHAR(100))");
            for (int i = 0; i < INSTANCES; i++) {
                processes.add(start(i));
            }
            for (int i = 0; i < INSTANCES; i++) {
                awaitOrder(i);
            }
            System.out.println(INSTANCES + " instances serve");

            ExecutorService executor = Executors.newFixedThreadPool(BUYERS);
            List<Future<?>> buyers = new ArrayList<>();
            for (int i = 0; i < BUYERS; i++) {
                int first = i;
                buyers.add(executor.submit(() -> buy(first)));
            }
            awaitMore(orders);
            processes.get(0).destroyForcibly().waitFor();
            System.out.println("one was killed");
            awaitMore(orders);
            processes.set(0, start(0));
            awaitOrder(0);
            System.out.println("it is back");
            awaitMore(orders);
            isClosing.set(true);
            for (Future<?> buyer : buyers) {
                buyer.get();
            }
            executor.shutdown();
            return check(database);
        }
    }

    private Process start(int index) throws IOException {
        List<String> others = new ArrayList<>();
        IntStream.range(0, INSTANCES)
                .map(i -> (index + i) % INSTANCES)
                .forEach(i -> others.add(memberPorts.get(i).toString()));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShopApplication.class.getName(),
                        "--server.port=" + httpPorts.get(index),
                        "--server.address=127.0.0.1",
                        "--shop.ports=" + String.join(",", others),
                        "--spring.datasource.url=" + url,
                        "--spring.datasource.username=sa")
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT)
                .start();
    }

    /** Sends orders to the instances in turn, so that an order after a failure goes to the next instance. */
    private Void buy(int first) throws InterruptedException {
        for (int i = first; !isClosing.get(); i++) {
            if (!order(i % INSTANCES)) {
                failures.incrementAndGet();
            }
        }
        return null;
    }

    private boolean order(int index) throws InterruptedException {
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPorts.get(index) + "/orders"))
                            .header("Content-Type", "text/plain")
                            .timeout(Duration.ofSeconds(30))
                            .POST(BodyPublishers.ofString("a book"))
                            .build(),
                    BodyHandlers.ofString());
            if (answer.statusCode() == 201) {
                confirmed.add(Long.parseLong(answer.body()));
            }
            return answer.statusCode() == 201;
        } catch (IOException e) {
            return false; // The order is not confirmed, so the table may contain it or not.
        }
    }

    private void awaitOrder(int index) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!order(index)) {
            requireBefore(end, "instance " + index + " to serve");
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void awaitMore(int orders) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int goal = confirmed.size() + orders;
        while (confirmed.size() < goal) {
            requireBefore(end, orders + " more orders");
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static void requireBefore(long end, String what) {
        if (System.nanoTime() > end) {
            throw new IllegalStateException("waited " + PATIENCE + " in vain for " + what);
        }
    }

    private boolean check(Connection database) throws SQLException {
        Set<Long> rows = new HashSet<>();
        try (ResultSet found = database.createStatement().executeQuery("SELECT id FROM purchase_order")) {
            while (found.next()) {
                rows.add(found.getLong(1));
            }
        }
        Set<Long> distinct = new HashSet<>(confirmed);
        int duplicates = confirmed.size() - distinct.size();
        distinct.removeAll(rows);
        System.out.printf(
                Locale.ROOT,
                "%,d orders confirmed, %,d requests failed, %,d rows: %d duplicates, %d orders lost%n",
                confirmed.size(),
                failures.get(),
                rows.size(),
                duplicates,
                distinct.size());
        return duplicates == 0 && distinct.isEmpty();
    }

    private static List<Integer> freePorts(int count) {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
                ports.add(sockets.get(i).getLocalPort());
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("no free port", e);
        }
        return ports;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        server.stop();
    }
}
