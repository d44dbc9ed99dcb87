// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Measures the figures of {@link Saturation} with virtual threads, and how often they pin their carrier threads. */
final class VirtualThreads {
    static final String GROUP = "virtual threads";
    static final int FIRST_JDK = 21;

    private static final int THREADS = 1_000;
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final Effort effort;

    VirtualThreads(Effort effort) {
        this.effort = effort;
    }

    /** Needs a JDK that has virtual threads. */
    List<Result> run(Contender contender)
            throws InterruptedException, ExecutionException, ReflectiveOperationException, IOException {
        String setting = THREADS + " virtual threads";
        Path events = Files.createTempFile("pinned", ".jfr");
        try (Contender.Source source = contender.open();
                Recording recording = new Recording()) {
            // Warm up before the recording, because loading and initialising classes at first use also pins threads.
            new Saturation(new Effort(effort.factor() / 10))
                    .measure(GROUP, contender.title(), setting, source.ids(), factory(), THREADS);
            recording.enable(PINNED).withThreshold(Duration.ZERO);
            recording.start();
            List<Result> results = new ArrayList<>(new Saturation(effort)
                    .measure(GROUP, contender.title(), setting, source.ids(), factory(), THREADS));
            recording.stop();
            recording.dump(events);
            // The recording may also have snowcast's own events, about calls that waited long.
            long pinned = RecordingFile.readAllEvents(events).stream()
                    .filter(event -> event.getEventType().getName().equals(PINNED))
                    .count();
            results.add(new Result(GROUP, contender.title(), setting, "times pinned", pinned, 0, ""));
            return results;
        } finally {
            Files.delete(events);
        }
    }

    /** Returns {@code Thread.ofVirtual().factory()}, by reflection, because the JDK of the build may not have it. */
    private static ThreadFactory factory() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
        return (ThreadFactory) factory.invoke(builder);
    }
}
