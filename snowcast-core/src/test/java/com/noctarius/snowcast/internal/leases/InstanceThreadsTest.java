// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.Log;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InstanceThreadsTest {
    @Test
    void anErrorEndsNeitherTheRepetitionNorTheOtherLooks() throws InterruptedException {
        Queue<Throwable> logged = new ConcurrentLinkedQueue<>();
        Log log = (level, message, cause) -> logged.add(cause);
        CountDownLatch looks = new CountDownLatch(3);
        InstanceThreads threads = new InstanceThreads("test", log);
        try {
            threads.start(
                    1,
                    () -> {
                        throw new OutOfMemoryError("unable to create native thread");
                    },
                    looks::countDown);
            assertThat(looks.await(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            threads.end();
        }
        assertThat(logged).hasSizeGreaterThanOrEqualTo(3).hasOnlyElementsOfType(OutOfMemoryError.class);
    }
}
