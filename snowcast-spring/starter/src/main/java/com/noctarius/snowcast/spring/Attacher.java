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
 * A background task that attaches the sequencers that the start of a context left Detached, as soon as the cluster can
 * serve. It has at most one thread, which ends when all are attached, or with the context. Thread-safe.
 */
final class Attacher implements DisposableBean {
    private static final Log LOG = LogFactory.getLog(Attacher.class);
    private static final long PAUSE_MILLIS = 500;
    private static final long IDLE_MILLIS = 1_000;

    private final ScheduledThreadPoolExecutor executor;
    /** Why the last attempt failed. */
    private final Map<SnowcastSequencer, RuntimeException> refusals = new ConcurrentHashMap<>();

    Attacher() {
        executor = new ScheduledThreadPoolExecutor(1, Threads.daemons("snowcast.attach"));
        executor.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Attaches a sequencer by an attempt, which may block and throw, and is repeated until it succeeds. */
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
            // An Error, for example while no thread can be started, would otherwise end the attempts.
            LOG.warn("sequencer " + sequencer.getSequencerName() + " cannot be attached; the next try follows", e);
            tryAgain(sequencer, attempt);
        }
    }

    private void tryAgain(SnowcastSequencer sequencer, Runnable attempt) {
        if (!executor.isShutdown()) {
            tryLater(sequencer, attempt);
        }
    }

    /** Returns why a sequencer is not attached yet; null if it is attached, or was never passed to {@link #attach}. */
    @Nullable
    RuntimeException refusalOf(SnowcastSequencer sequencer) {
        return refusals.get(sequencer);
    }

    /** Ends the attempts. Waits up to a second for a request that is under way; its outcome then has no effect. */
    @Override
    public void destroy() {
        executor.shutdownNow();
        Threads.awaitEnd(List.of(executor));
    }
}
