// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** How long a context takes to start and close, with a member of its own and without a cluster. */
@Tag("soak")
class StartTimeTest {
    private static final int ROUNDS = 21;

    private static long nanosOf(ApplicationContextRunner runner) {
        long beginNanos = System.nanoTime();
        runner.run(context -> assertThat(context).hasNotFailed());
        return System.nanoTime() - beginNanos;
    }

    /** The shortest of each counts, as whatever else the machine does only makes it longer. */
    @Test
    void aStartWithoutAMemberTakesMilliseconds() {
        ApplicationContextRunner sequencers =
                Boot.runner().withPropertyValues("snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
        List<ApplicationContextRunner> kinds = List.of(
                sequencers.withBean(Config.class, Members::config),
                sequencers.withPropertyValues("snowcast.standalone-node=0"),
                sequencers.withPropertyValues("snowcast.enabled=false"));
        long[] leastNanos = new long[kinds.size()];
        Arrays.fill(leastNanos, Long.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            for (int kind = 0; kind < leastNanos.length; kind++) {
                leastNanos[kind] = Math.min(leastNanos[kind], nanosOf(kinds.get(kind)));
            }
        }
        System.out.printf(
                "a context with a member: %d ms, without: %d ms, with snowcast.enabled=false: %d ms (least of %d)%n",
                TimeUnit.NANOSECONDS.toMillis(leastNanos[0]),
                TimeUnit.NANOSECONDS.toMillis(leastNanos[1]),
                TimeUnit.NANOSECONDS.toMillis(leastNanos[2]),
                ROUNDS);
        assertThat(leastNanos[1]).isLessThan(leastNanos[0]);
    }
}
