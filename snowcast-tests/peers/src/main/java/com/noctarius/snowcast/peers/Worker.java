// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The main class of a process that takes IDs all the time. It ends when its standard input does. */
public final class Worker {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long AFTER_A_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private String lastFailure = "";

    private Worker() {}

    /** Takes IDs as {@link Setup#of} reads the arguments. */
    public static void main(String[] arguments) throws IOException {
        Setup setup = Setup.of(arguments);
        endWithStandardInput();
        try (CallLog log = CallLog.open(setup.log())) {
            new Worker().work(setup, log);
        }
    }

    private static void endWithStandardInput() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is sent.
                        }
                    } catch (IOException e) {
                        // The same.
                    }
                    Runtime.getRuntime().halt(0);
                },
                "end");
        thread.setDaemon(true);
        thread.start();
    }

    private void work(Setup setup, CallLog log) throws IOException {
        Ids ids = start(setup, log);
        long perTick = Math.max(1, setup.perSecond() * TICK_NANOS / TimeUnit.SECONDS.toNanos(1));
        while (true) {
            for (int i = 0; i < perTick; i++) {
                take(ids, log);
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    /** An application that cannot start is started again by its platform. */
    @SuppressWarnings("IllegalCatch") // Whatever a generator throws.
    private Ids start(Setup setup, CallLog log) throws IOException {
        while (true) {
            long before = System.nanoTime();
            try {
                return Subjects.named(setup.subject()).starter().start(setup);
            } catch (Exception | LinkageError e) {
                failed(before, e, log);
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // Whatever a generator throws.
    private void take(Ids ids, CallLog log) throws IOException {
        long before = System.nanoTime();
        Id id;
        try {
            id = ids.next();
        } catch (Exception e) {
            failed(before, e, log);
            return;
        }
        log.returned(before, System.nanoTime(), id);
    }

    private void failed(long before, Throwable why, CallLog log) throws IOException {
        log.threw(before, System.nanoTime());
        String failure = why.getClass().getSimpleName() + ": " + why.getMessage();
        // Messages have times in them.
        if (!failure.replaceAll("\\d+", "").equals(lastFailure.replaceAll("\\d+", ""))) {
            System.out.println(System.nanoTime() + " " + failure);
        }
        lastFailure = failure;
        LockSupport.parkNanos(AFTER_A_FAILURE_NANOS);
    }
}
