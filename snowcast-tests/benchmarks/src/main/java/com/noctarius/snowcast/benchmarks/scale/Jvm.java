// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A {@link Worker} in its own JVM. */
final class Jvm implements AutoCloseable {
    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    private Jvm(Process process) {
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a worker with the given maximum heap, and with the flags of this JVM that Hazelcast needs. */
    static Jvm start(int heapMegabytes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        for (int i = 0; i < flags.size(); i++) {
            if (flags.get(i).startsWith("--add-") || flags.get(i).startsWith("--sun-misc-unsafe")) {
                command.add(flags.get(i));
            }
        }
        command.addAll(List.of(
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseG1GC",
                "-Dhazelcast.logging.type=none",
                "-Dhazelcast.phone.home.enabled=false",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName()));
        try {
            return new Jvm(
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double[] ask(String request) {
        send(request);
        return answer();
    }

    /** Sends a request. The caller must then read the answer with {@link #answer}. */
    void send(String request) {
        try {
            requests.write(request + '\n');
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double[] answer() {
        try {
            String line = answers.readLine();
            while (line != null && !line.startsWith(Worker.ANSWER)) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IOException("a worker ended");
            }
            return Arrays.stream(line.substring(Worker.ANSWER.length()).split(" "))
                    .filter(number -> !number.isEmpty())
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (true) {
            try {
                process.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
