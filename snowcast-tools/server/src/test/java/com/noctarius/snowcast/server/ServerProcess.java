// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a separate process. {@link #close} kills the process. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(String name, Path directory, String cluster, int port, String... properties)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dhazelcast.phone.home.enabled=false",
                "-Dtest.cluster=" + cluster,
                "-Dtest.port=" + port,
                "-cp",
                System.getProperty("java.class.path"),
                SnowcastServer.class.getName(),
                "--server.port=0",
                "--spring.hazelcast.config=classpath:hazelcast-test.yaml",
                "--logging.config=classpath:logback-process.xml"));
        for (String property : properties) {
            command.add("--" + property);
        }
        Path log = directory.resolve(name + ".log");
        return new ServerProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerProcess awaitReady() throws InterruptedException {
        Await.until("the server to start", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("It ended:\n" + log());
            }
            return READY.matcher(log()).find();
        });
        return this;
    }

    URI uri(String path) {
        Matcher ready = READY.matcher(log());
        if (!ready.find()) {
            throw new AssertionError("not ready:\n" + log());
        }
        return URI.create("http://127.0.0.1:" + ready.group(1) + path);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path));
    }

    @Override
    public void close() {
        kill();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
