// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.wire.StatusPage;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private static final StatusPage.Request FIRST = StatusPage.Request.first(1);
    private static final StatusPage.Request OTHER = StatusPage.Request.first(2);
    private static final StatusPage PAGE =
            new StatusPage(new ClusterStatus(Instant.EPOCH, List.of(), List.of(), List.of()), null);

    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Readings readings = new Readings(this::read);

    private StatusPage read(StatusPage.Request request) {
        count.incrementAndGet();
        begun.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return PAGE;
    }

    @AfterEach
    void end() {
        gate.countDown();
    }

    @Test
    void aReadingBeginsWhenTheLastOneHasEndedAndIsThatOfAllWhoWaitForIt() {
        List<Runnable> tasks = new ArrayList<>();
        Readings inTurn = new Readings(
                part -> {
                    count.incrementAndGet();
                    return PAGE;
                },
                tasks::add);
        List<CompletableFuture<StatusPage>> answers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            answers.add(inTurn.read(FIRST));
            answers.add(inTurn.read(OTHER));
        }
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(tasks).hasSize(2);
        tasks.get(1).run();
        assertThat(count).hasValue(2);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(PAGE));
    }

    @Test
    void aRequestGetsNoReadingThatBeganBeforeIt() throws Exception {
        CompletableFuture<StatusPage> first = readings.read(FIRST);
        begun.await();
        CompletableFuture<StatusPage> second = readings.read(FIRST);
        gate.countDown();
        first.get(1, TimeUnit.MINUTES);
        second.get(1, TimeUnit.MINUTES);
        assertThat(count).hasValue(2);
    }

    @Test
    void aReadingThatFailsFailsForAllWhoWaitAndTheNextOneIsMade() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        Readings failing = new Readings(request -> {
            if (failures.getAndDecrement() > 0) {
                throw new SnowcastUnavailableException("no answer", null);
            }
            return PAGE;
        });
        CompletableFuture<StatusPage> failed = failing.read(FIRST);
        assertThatThrownBy(() -> failed.get(1, TimeUnit.MINUTES)).hasRootCauseMessage("no answer");
        assertThat(failing.read(FIRST).get(1, TimeUnit.MINUTES)).isEqualTo(PAGE);
    }
}
