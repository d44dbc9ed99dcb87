// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DelaysTest {
    /**
     * A caller may have set a flag that only the task resets. If the task were dropped, the flag would stay set
     * forever.
     */
    @Test
    void aTaskThatFindsNoThreadRunsLater() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        Delays.execute(done::countDown, 1, task -> {
            if (tries.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });
        assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
        assertThat(tries).hasValue(2);
    }

    /** The caller retries after the failure. If the action of the failed call ran later, it would run twice. */
    @Test
    void anActionWhoseThreadCouldNotStartNeverRuns() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            if (threads.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Threads.newThread("delays", task);
        });
        try {
            List<String> ran = new CopyOnWriteArrayList<>();
            assertThatThrownBy(() -> Delays.schedule(timer, () -> ran.add("first"), 1))
                    .isInstanceOf(OutOfMemoryError.class);
            Delays.schedule(timer, () -> ran.add("second"), 2).get(5, TimeUnit.MINUTES);
            assertThat(ran).containsExactly("second");
        } finally {
            timer.shutdownNow();
        }
    }
}
