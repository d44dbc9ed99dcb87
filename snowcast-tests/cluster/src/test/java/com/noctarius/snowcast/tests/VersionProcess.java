// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A member or client with a version of snowcast, in a JVM of its own, which does what it is told. */
final class VersionProcess implements AutoCloseable {
    private final String label;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader answers;
    private final Path errors;

    private VersionProcess(String label, Process process, Path errors) {
        this.label = label;
        this.process = process;
        this.errors = errors;
        this.requests = process.outputWriter(UTF_8);
        this.answers = process.inputReader(UTF_8);
    }

    /**
     * Starts a process, and returns at once: the first request waits for it.
     *
     * @param errors the file for what it says on its standard error
     * @param properties of Hazelcast and snowcast, as flags of its JVM
     * @param arguments of {@link VersionMain}
     */
    static VersionProcess start(
            String label, Version version, Path errors, List<String> properties, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dhazelcast.logging.type=none",
                "-Dhazelcast.phone.home.enabled=false"));
        // Hazelcast's needs, which are those of this JVM.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(properties);
        command.addAll(List.of("-cp", version.withHazelcast(), VersionMain.class.getName()));
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new VersionProcess(label, process, errors);
    }

    String label() {
        return label;
    }

    /** Waits until it has joined its cluster. */
    VersionProcess awaitStart() {
        requireAnswer("its start", read());
        return this;
    }

    String ask(String verb) {
        return ask(verb, "-", 0);
    }

    String ask(String verb, String name) {
        return ask(verb, name, 0);
    }

    /** Has it do something, and returns what came of it; fails if it was refused. */
    String ask(String verb, String name, int number) {
        return requireAnswer(verb + ' ' + name, send(verb, name, number));
    }

    /** Has it do something, and returns whether it was not refused. */
    boolean accepts(String verb, String name, int number) {
        return send(verb, name, number).startsWith(VersionMain.ANSWER);
    }

    /** Has it do something that is to be refused, and returns the exception, as a text. */
    String refusal(String verb, String name, int number) {
        String line = send(verb, name, number);
        if (!line.startsWith(VersionMain.REFUSAL)) {
            throw new AssertionError(verb + ' ' + name + " was not refused by " + this + ": " + line);
        }
        return line.substring(VersionMain.REFUSAL.length());
    }

    long[] numbers(String verb, String name, int count) {
        return Arrays.stream(ask(verb, name, count).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private String requireAnswer(String what, String line) {
        if (!line.startsWith(VersionMain.ANSWER)) {
            throw new AssertionError(what + " was refused by " + this + ": " + line);
        }
        return line.substring(VersionMain.ANSWER.length());
    }

    private String send(String verb, String name, int number) {
        try {
            requests.write(verb + ' ' + name + ' ' + number + '\n');
            requests.flush();
        } catch (IOException e) {
            throw new AssertionError("it ended: " + this, e);
        }
        return read();
    }

    private String read() {
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(VersionMain.ANSWER) || line.startsWith(VersionMain.REFUSAL)) {
                    return line;
                }
            }
            throw new AssertionError("it ended: " + this + ": " + Files.readString(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return label;
    }

    /** Kills it, without a word to anybody. */
    @Override
    public void close() {
        process.destroyForcibly();
        // Also by an interrupt: whoever starts the next one needs its port.
        process.onExit().join();
    }
}
