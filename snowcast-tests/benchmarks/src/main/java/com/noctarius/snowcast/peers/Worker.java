// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The main class of a process that takes IDs all the time. It ends when its standard input ends. */
public final class Worker {
    /** How many IDs a thread takes each time it wakes up. Waking up for each ID would keep a small machine busy. */
    private static final int BATCH = 10;

    private static final long AFTER_A_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String subject;
    private final Setup setup;
    private final CallLog log;
    private String lastFailure = "";

    private Worker(String subject, Setup setup, CallLog log) {
        this.subject = subject;
        this.setup = setup;
        this.log = log;
    }

    /** Takes IDs; {@link Setup#of} parses the arguments. */
    public static void main(String[] arguments) throws IOException {
        Setup setup = Setup.of(arguments);
        endWithStandardInput();
        for (String subject : setup.subjects()) {
            Worker worker = new Worker(subject, setup, CallLog.open(setup.logOf(subject)));
            new Thread(worker::work, subject).start();
        }
    }

    private static void endWithStandardInput() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // The starter sends nothing.
                        }
                    } catch (IOException e) {
                        // Handled like the end of the input.
                    }
                    Runtime.getRuntime().halt(0);
                },
                "end");
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        try {
            Ids ids = start();
            long tick = TimeUnit.SECONDS.toNanos(1) * BATCH / setup.perSecond();
            while (true) {
                for (int i = 0; i < BATCH; i++) {
                    take(ids);
                }
                LockSupport.parkNanos(tick);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tries to start the generator until that succeeds, as a platform restarts an application that cannot start. */
    @SuppressWarnings("IllegalCatch") // A generator may throw any exception.
    private Ids start() throws IOException {
        while (true) {
            long before = System.nanoTime();
            try {
                return Subjects.named(subject).starter().start(setup);
            } catch (Exception | LinkageError e) {
                failed(before, e);
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // A generator may throw any exception.
    private void take(Ids ids) throws IOException {
        long before = System.nanoTime();
        Id id;
        try {
            id = ids.next();
        } catch (Exception e) {
            failed(before, e);
            return;
        }
        log.returned(before, System.nanoTime(), id);
    }

    private void failed(long before, Throwable why) throws IOException {
        log.threw(before, System.nanoTime());
        String failure = subject + ": " + why.getClass().getSimpleName() + ": " + why.getMessage();
        // Print a failure only if it differs from the last one. Ignore digits, because messages contain times.
        if (!failure.replaceAll("\\d+", "").equals(lastFailure.replaceAll("\\d+", ""))) {
            System.out.println(System.nanoTime() + " " + failure);
        }
        lastFailure = failure;
        LockSupport.parkNanos(AFTER_A_FAILURE_NANOS);
    }
}
