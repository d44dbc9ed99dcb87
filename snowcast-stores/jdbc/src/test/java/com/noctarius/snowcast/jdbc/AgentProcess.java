// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A window agent in its own process, which a test can freeze. The process exits when the test's process ends. */
final class AgentProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private AgentProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts an agent, which writes its output to a file in {@code directory}. Each agent needs its own directory. */
    static AgentProcess start(Path directory, TestShards shards, int minOpenWindows) throws IOException {
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AgentProcess.class.getName(),
                Integer.toString(minOpenWindows),
                shards.table()));
        command.addAll(shards.urls());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new AgentProcess(process, output);
    }

    /** Suspends the process at any point of its work. Its connections stay open. */
    void freeze() throws Exception {
        Signals.send("-STOP", process);
    }

    void thaw() throws Exception {
        Signals.send("-CONT", process);
    }

    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("ended with " + process.exitValue() + ": " + Files.readString(output));
        }
    }

    @Override
    public void close() {
        Signals.kill(process);
    }

    @Override
    public String toString() {
        return "agent " + process.pid();
    }

    // --- the other process

    public static void main(String[] arguments) {
        Thread end = new Thread(AgentProcess::endWithStarter, "end");
        end.setDaemon(true);
        end.start();
        List<String> urls = Arrays.asList(arguments).subList(2, arguments.length);
        TestShards shards = TestShards.of(arguments[1], urls);
        WindowAgent agent = new WindowAgent(shards.pooled(), Integer.parseInt(arguments[0]));
        String lastFailure = "";
        while (true) {
            try {
                agent.topUp();
            } catch (BlockStoreException e) {
                String failure = String.valueOf(e.getMessage());
                if (!failure.equals(lastFailure)) {
                    lastFailure = failure;
                    System.out.println(failure);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private static void endWithStarter() {
        try {
            while (System.in.read() >= 0) {
                // The test's process writes nothing; the loop ends when that process ends.
            }
        } catch (IOException e) {
            // The test's process has ended.
        }
        System.exit(0);
    }
}
