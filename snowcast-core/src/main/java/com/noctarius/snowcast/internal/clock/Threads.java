// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads: as many as there are tasks, and none when there is nothing to do. So they need no end of their own. */
public final class Threads {
    private static final long IDLE_SECONDS = 10;

    private Threads() {}

    public static Executor named(String name) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(name));
    }

    /** Makes each thread of that name. */
    public static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
