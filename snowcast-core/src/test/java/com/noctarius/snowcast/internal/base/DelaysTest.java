// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DelaysTest {
    /** The task may be the only one that clears a flag. */
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
}
