// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private static final byte[] STATUS = {1, 2, 3};

    private final AtomicInteger count = new AtomicInteger();
    private final List<Runnable> tasks = new ArrayList<>();

    private Runnable duringReading = () -> {};

    private final ClientRequests.Readings readings = new ClientRequests.Readings(this::read, tasks::add);

    private byte[] read() {
        count.incrementAndGet();
        duringReading.run();
        return STATUS;
    }

    @Test
    void allWhoWaitGetOneReading() {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            answers.add(readings.next());
        }
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(count).hasValue(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(STATUS));
    }

    @Test
    void aRequestThatComesDuringAReadingGetsTheNextOne() {
        List<CompletableFuture<byte[]>> others = new ArrayList<>();
        duringReading = () -> others.add(readings.next());
        CompletableFuture<byte[]> first = readings.next();
        tasks.get(0).run();
        assertThat(first).isCompletedWithValue(STATUS);
        assertThat(others.get(0)).isNotDone();
        duringReading = () -> {};
        assertThat(tasks).hasSize(2);
        tasks.get(1).run();
        assertThat(others.get(0)).isCompletedWithValue(STATUS);
        assertThat(count).hasValue(2);
    }

    @Test
    void aReadingThatFailsFailsForAllWhoWaitAndTheNextOneIsMade() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        ClientRequests.Readings failing = new ClientRequests.Readings(() -> {
            if (failures.getAndDecrement() > 0) {
                throw new SnowcastUnavailableException("no answer", null);
            }
            return STATUS;
        });
        CompletableFuture<byte[]> failed = failing.next();
        assertThatThrownBy(() -> failed.get(1, TimeUnit.MINUTES)).hasRootCauseMessage("no answer");
        assertThat(failing.next().get(1, TimeUnit.MINUTES)).isEqualTo(STATUS);
    }
}
