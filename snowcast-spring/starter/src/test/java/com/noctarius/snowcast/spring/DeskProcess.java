// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A separate process with a {@link DeskApplication}, or with a member only. {@link #close} kills the process. */
final class DeskProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready at port (\\d+)");

    private final String name;
    private final Process process;
    private final Path log;
    private final HttpClient http = HttpClient.newHttpClient();

    private DeskProcess(String name, Path directory, List<String> command) throws IOException {
        this.name = name;
        this.log = directory.resolve(name + ".log");
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Starts an application that has a sequencer, an integer sequence and these properties. */
    static DeskProcess application(String name, Path directory, String... properties) throws IOException {
        List<String> command = java();
        command.add(DeskApplication.class.getName());
        command.addAll(List.of(
                "--server.port=0",
                "--server.shutdown=graceful",
                "--" + Boot.NO_DATABASES,
                "--logging.level.root=info",
                "--logging.level.org.springframework=info",
                "--logging.level.com.hazelcast=info",
                "--management.endpoint.health.probes.enabled=true",
                "--management.endpoint.health.group.readiness.include=readinessState,snowcast",
                "--snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                "--snowcast.sequences.products.first-value=5000001"));
        for (String property : properties) {
            command.add("--" + property);
        }
        return new DeskProcess(name, directory, command);
    }

    static DeskProcess member(String name, Path directory, Path configuration) throws IOException {
        List<String> command = java();
        command.add("-Dhazelcast.config=" + configuration);
        command.add("-Dlogback.configurationFile=logback-info.xml");
        command.add("com.hazelcast.core.server.HazelcastMemberStarter");
        return new DeskProcess(name, directory, command);
    }

    private static List<String> java() {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dhazelcast.phone.home.enabled=false",
                "-cp",
                System.getProperty("java.class.path")));
    }

    String log() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DeskProcess awaitLog(String text) throws InterruptedException {
        Await.until(name + " to log '" + text + "'", () -> {
            if (!process.isAlive() && !log().contains(text)) {
                throw new AssertionError(name + " ended without '" + text + "':\n" + log());
            }
            return log().contains(text);
        });
        return this;
    }

    DeskProcess awaitReady() throws InterruptedException {
        return awaitLog("ready at port ");
    }

    boolean isReady() {
        return READY.matcher(log()).find();
    }

    private URI uri(String path) {
        Matcher ready = READY.matcher(log());
        if (!ready.find()) {
            throw new AssertionError(name + " is not ready:\n" + log());
        }
        return URI.create("http://127.0.0.1:" + ready.group(1) + path);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> getLater(String path) {
        return http.sendAsync(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    /** Sends SIGTERM to the process. */
    DeskProcess terminate() {
        process.destroy();
        return this;
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new AssertionError(name + " did not end:\n" + log());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
