// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private static final long MINUTE_MILLIS = 60_000;
    private static final PageRequest FIRST = PageRequest.firstToSend(1);
    private static final PageRequest OTHER = PageRequest.firstToSend(2);
    private static final StatusPage PAGE =
            new StatusPage(new ClusterStatus(Instant.EPOCH, List.of(), List.of(), List.of(), List.of()), null);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Readings readings = new Readings(this::read);

    private StatusPage read(PageRequest request) {
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        count.incrementAndGet();
        begun.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        underWay.decrementAndGet();
        return PAGE;
    }

    private CompletableFuture<StatusPage> ask(PageRequest request) {
        return CompletableFuture.supplyAsync(() -> readings.read(request, MINUTE_MILLIS), threads);
    }

    @AfterEach
    void end() {
        gate.countDown();
        threads.shutdownNow();
    }

    @Test
    void oneReadingIsUnderWayAtATimeAndIsThatOfAllWhoWaitForIt() throws Exception {
        List<CompletableFuture<StatusPage>> answers = new ArrayList<>(List.of(ask(FIRST)));
        begun.await();
        for (int i = 0; i < 64; i++) {
            answers.add(ask(FIRST));
            answers.add(ask(OTHER));
        }
        gate.countDown();
        for (CompletableFuture<StatusPage> answer : answers) {
            assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo(PAGE);
        }
        assertThat(mostUnderWay).hasValue(1);
    }

    @Test
    void aRequestGetsNoReadingThatBeganBeforeIt() throws Exception {
        CompletableFuture<StatusPage> first = ask(FIRST);
        begun.await();
        CompletableFuture<StatusPage> second = ask(FIRST);
        gate.countDown();
        first.get(1, TimeUnit.MINUTES);
        second.get(1, TimeUnit.MINUTES);
        assertThat(count).hasValue(2);
    }

    @Test
    void whoWaitsTooLongIsToldSo() throws Exception {
        CompletableFuture<StatusPage> first = ask(FIRST);
        begun.await();
        assertThatThrownBy(() -> readings.read(FIRST, 1))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("kept this member busy for 1 ms; try again");
        gate.countDown();
        assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(PAGE);
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
        assertThatThrownBy(() -> failing.read(FIRST, MINUTE_MILLIS)).hasMessage("no answer");
        assertThat(failing.read(FIRST, MINUTE_MILLIS)).isEqualTo(PAGE);
    }
}
