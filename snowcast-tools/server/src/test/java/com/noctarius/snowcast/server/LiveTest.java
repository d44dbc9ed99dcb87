// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Neighbours that throw an error a given number of times, like a process that cannot load a class. */
    private static final class FailingNeighbours implements Neighbours {
        final AtomicInteger failuresLeft = new AtomicInteger();

        @Override
        public Status.Server server() {
            if (failuresLeft.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
                throw new NoClassDefFoundError("for one tick");
            }
            return new Status.Server("uuid", "name", "member", "cluster");
        }

        @Override
        public @Nullable List<Status.Member> members() {
            return null;
        }

        @Override
        public @Nullable List<Status.Client> clients() {
            return null;
        }
    }

    @Test
    void anErrorDoesNotEndTheTicks() throws InterruptedException {
        FailingNeighbours neighbours = new FailingNeighbours();
        StatusReader reader = new StatusReader(neighbours, new Configured(List.of(), List.of()));
        try (Live live = new Live(reader, new HandMadeCluster());
                Live.Watcher watcher = live.watch()) {
            assertThat(watcher.next(PATIENCE)).isNotNull();
            neighbours.failuresLeft.set(2);
            do { // The first status may be of a tick before that.
                assertThat(watcher.next(PATIENCE)).isNotNull();
            } while (neighbours.failuresLeft.get() > 0);
            assertThat(watcher.next(PATIENCE)).isNotNull();
        }
    }
}
