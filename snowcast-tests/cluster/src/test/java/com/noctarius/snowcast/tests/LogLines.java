// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Counts the log lines of this JVM's members and clients at the default level, without writing them. Needs
 * {@code hazelcast.logging.type=jdk}, so that Hazelcast logs to {@code java.util.logging}. Thread-safe.
 */
final class LogLines extends Handler {
    private static final String OF_SNOWCAST = "com.noctarius.snowcast.";
    private static final int MAX_TOLD = 20;

    private volatile long startNanos = System.nanoTime();
    private final AtomicInteger ofHazelcast = new AtomicInteger();
    private final Queue<LogRecord> ofSnowcast = new ConcurrentLinkedQueue<>();

    private LogLines() {}

    /** Removes all other handlers, and starts to count. */
    static LogLines count() {
        LogLines lines = new LogLines();
        Logger root = Logger.getLogger("");
        Arrays.stream(root.getHandlers()).forEach(root::removeHandler);
        root.addHandler(lines);
        return lines;
    }

    void beginAnew() {
        startNanos = System.nanoTime();
        ofSnowcast.clear();
        ofHazelcast.set(0);
    }

    @Override
    public void publish(LogRecord line) {
        if (String.valueOf(line.getLoggerName()).startsWith(OF_SNOWCAST)) {
            // Does not count INFO, because each attach and detach of an honest user logs such a line.
            if (line.getLevel().intValue() > Level.INFO.intValue()) {
                ofSnowcast.add(line);
            }
        } else {
            ofHazelcast.incrementAndGet();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    /** Fails if snowcast logged more than about one warning or error per second. */
    void requireFew() {
        long seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
        if (ofSnowcast.size() > seconds + 1) {
            throw new AssertionError(ofSnowcast.size() + " lines of snowcast in " + seconds + " s:"
                    + ofSnowcast.stream()
                            .limit(MAX_TOLD)
                            .map(line -> "\n" + line.getMessage() + ", " + line.getThrown())
                            .collect(Collectors.joining()));
        }
    }

    @Override
    public String toString() {
        return ofSnowcast.size() + " lines logged by snowcast, " + ofHazelcast + " by Hazelcast";
    }
}
