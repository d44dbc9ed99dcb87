// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call that runs in its own thread. */
public record Waiting<T>(Thread thread, FutureTask<T> task) {
    public static <T> Waiting<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "waiting");
        thread.setDaemon(true);
        thread.start();
        return new Waiting<>(thread, task);
    }

    /** Spins until the thread waits without a time limit, such as for a lock of {@code java.util.concurrent}. */
    public void awaitWaiting() {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    public T get() throws Exception {
        return get(task);
    }

    /** Returns the result of a call that has its own thread; throws what the call threw. */
    public static <T> T get(Future<T> call) throws Exception {
        try {
            return call.get(3, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
