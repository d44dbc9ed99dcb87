// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server in this JVM at a free port. By default, it has a member of a new cluster and a database for integers. */
final class RunningServer implements AutoCloseable {
    static final String TOKEN = "a-token-that-only-this-test-knows";
    static final String[] ORDERS = {
        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
        "snowcast.sequencers.orders.max-logical-nodes=128",
        "snowcast.sequences.products.first-value=5000001"
    };

    private final String cluster;
    private final int memberPort;
    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();

    private RunningServer(String cluster, int memberPort, ConfigurableApplicationContext context) {
        this.cluster = cluster;
        this.memberPort = memberPort;
        this.context = context;
    }

    static RunningServer start(String... properties) throws IOException {
        return start(List.of(), properties);
    }

    static RunningServer startWithOrders(String... properties) throws IOException {
        return startWithOrders(List.of(), properties);
    }

    static RunningServer startWithOrders(List<Class<?>> more, String... properties) throws IOException {
        return start(
                more, Stream.concat(Stream.of(ORDERS), Stream.of(properties)).toArray(String[]::new));
    }

    static RunningServer start(List<Class<?>> more, String... properties) throws IOException {
        return start(newCluster(), FreePort.get(), "hazelcast-test.yaml", more, withDatabase(properties));
    }

    /** Starts another server as a member or client of a server's cluster, with the same database. */
    static RunningServer startBeside(RunningServer other, String configuration, String... properties) {
        return start(other.cluster, other.memberPort, configuration, List.of(), withDatabase(properties));
    }

    static RunningServer startWithoutCluster(String... properties) {
        return new RunningServer("", 0, run(List.of(), properties));
    }

    private static String newCluster() {
        return "shop-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    /** Adds a database with the name of the cluster, so that all servers of a cluster use the same database. */
    private static List<String> withDatabase(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("snowcast.jdbc.create-tables=true");
        all.add("snowcast.store=hazelcast");
        all.add("spring.datasource.url=jdbc:h2:mem:${test.cluster};DB_CLOSE_DELAY=-1");
        return all;
    }

    private static RunningServer start(
            String cluster, int memberPort, String configuration, List<Class<?>> more, List<String> properties) {
        System.setProperty("test.cluster", cluster);
        System.setProperty("test.port", Integer.toString(memberPort));
        List<String> all = new ArrayList<>(properties);
        all.add("spring.hazelcast.config=classpath:" + configuration);
        return new RunningServer(cluster, memberPort, run(more, all.toArray(String[]::new)));
    }

    private static ConfigurableApplicationContext run(List<Class<?>> more, String... properties) {
        List<String> args = new ArrayList<>();
        args.add("--server.port=0");
        args.add("--logging.config=classpath:logback-test.xml");
        for (String property : properties) {
            args.add("--" + property);
        }
        return new SpringApplicationBuilder(SnowcastServer.class)
                .sources(more.toArray(Class<?>[]::new))
                .run(args.toArray(String[]::new));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    long nextInteger(String sequence) throws IOException, InterruptedException {
        return json(post("/integers/" + sequence)).get("integers").get(0).asLong();
    }

    static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    /** Waits for a status without a problem, because on a busy machine an owner or a database may answer late. */
    JsonNode statusWithoutProblem() throws IOException, InterruptedException {
        JsonNode status = json(get("/status"));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (!status.get("problem").isNull() && System.nanoTime() < end) {
            status = json(get("/status"));
        }
        assertThat(status.get("problem").isNull()).as(status.toString()).isTrue();
        return status;
    }

    @Override
    public void close() {
        context.close();
    }
}
