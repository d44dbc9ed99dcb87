// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Threads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * A background task that attaches the sequencers that are still Detached after the start of a context. It retries each
 * sequencer until it is attached. The task uses at most one thread, which ends soon after all sequencers are attached,
 * or when the context closes. Thread-safe.
 */
final class Attacher implements DisposableBean {
    private static final Log LOG = LogFactory.getLog(Attacher.class);
    private static final long PAUSE_MILLIS = 500;
    private static final long IDLE_MILLIS = 1_000;

    private final ScheduledThreadPoolExecutor executor;
    /** The exception of the last attempt, for each sequencer that is not attached yet. */
    private final Map<SnowcastSequencer, RuntimeException> refusals = new ConcurrentHashMap<>();

    Attacher() {
        executor = new ScheduledThreadPoolExecutor(1, Threads.daemons("snowcast.attach"));
        executor.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Repeats an attempt to attach a sequencer until the attempt succeeds or {@link #destroy} is called. The attempt
     * may block and throw.
     */
    void attach(SnowcastSequencer sequencer, Runnable attempt, RuntimeException refusal) {
        refusals.put(sequencer, refusal);
        tryLater(sequencer, attempt);
    }

    private void tryLater(SnowcastSequencer sequencer, Runnable attempt) {
        Future<?> unused = executor.schedule(() -> tryNow(sequencer, attempt), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tryNow(SnowcastSequencer sequencer, Runnable attempt) {
        try {
            attempt.run();
            refusals.remove(sequencer);
        } catch (RuntimeException e) {
            RuntimeException before = refusals.put(sequencer, e);
            boolean isNew = before == null || !before.getClass().equals(e.getClass());
            if (isNew && !(e instanceof SnowcastUnavailableException)) {
                LOG.warn("sequencer " + sequencer.getSequencerName() + " cannot be attached; the next try follows", e);
            }
            tryAgain(sequencer, attempt);
        } catch (Error e) {
            // Continue after an Error, too: for example, the JVM may be unable to start a thread for a while.
            LOG.warn("sequencer " + sequencer.getSequencerName() + " cannot be attached; the next try follows", e);
            tryAgain(sequencer, attempt);
        }
    }

    private void tryAgain(SnowcastSequencer sequencer, Runnable attempt) {
        if (!executor.isShutdown()) {
            tryLater(sequencer, attempt);
        }
    }

    /**
     * Returns why the last attempt to attach a sequencer failed; null if it succeeded, or if the sequencer was never
     * passed to {@link #attach}.
     */
    @Nullable
    RuntimeException refusalOf(SnowcastSequencer sequencer) {
        return refusals.get(sequencer);
    }

    /** Stops the attempts. Waits up to a second for an attempt that is running. */
    @Override
    public void destroy() {
        executor.shutdownNow();
        Threads.awaitEnd(List.of(executor));
    }
}
