// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/** A member for tests, whose background tasks run only when the test calls {@link #runTasks} or {@link #keep}. */
final class FakeMember {
    final ManualClock clock;
    final FakeCoordinator coordinator;
    final Sequencers sequencers;
    final List<String> logged = new CopyOnWriteArrayList<>();

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean rejecting;
    private boolean withoutThreads;
    private volatile @Nullable Error logFailure;

    FakeMember(FakeCluster cluster, ManualClock clock) {
        this.clock = clock;
        this.coordinator = new FakeCoordinator(cluster);
        this.sequencers =
                new Sequencers(wanted -> wanted.orElse(1), coordinator, clock, this::submit, this::submit, this::log);
    }

    Sequencer create(String name) {
        return create(FakeCluster.config(name).build());
    }

    Sequencer create(SequencerConfig config) {
        return (Sequencer) sequencers.create(config, true);
    }

    private synchronized void submit(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("shut down");
        }
        if (withoutThreads) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        tasks.add(task);
    }

    synchronized void rejectTasks(boolean reject) {
        rejecting = reject;
    }

    /** Sets whether each submission of a task throws, as if no thread could be started. */
    synchronized void endThreads(boolean end) {
        withoutThreads = end;
    }

    synchronized int taskCount() {
        return tasks.size();
    }

    private synchronized @Nullable Runnable nextTask() {
        return tasks.poll();
    }

    /** Runs the submitted tasks, and the tasks that they submit. */
    void runTasks() {
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
    }

    /** Checks the leases, as the member does at regular intervals, and runs the resulting tasks. */
    void keep() {
        sequencers.leaseKeeper.keep();
        runTasks();
    }

    /** Lets the owner refuse the renewal of a sequencer. The tasks that follow the refusal do not run yet. */
    void refuseRenewal(Sequencer sequencer) {
        coordinator.takeAway(sequencer.getSequencerName());
        clock.advanceMillis(FakeCluster.LEASE_MILLIS / 2);
        sequencers.leaseKeeper.keep();
        coordinator.answerRenewal();
    }

    List<String> warnings() {
        return logged.stream().filter(line -> line.startsWith("WARNING ")).toList();
    }

    void failLog(Error with) {
        logFailure = with;
    }

    private void log(Level level, String message, @Nullable Throwable cause) {
        Error failure = logFailure;
        if (failure != null) {
            throw failure;
        }
        logged.add(level + " " + message);
    }
}
