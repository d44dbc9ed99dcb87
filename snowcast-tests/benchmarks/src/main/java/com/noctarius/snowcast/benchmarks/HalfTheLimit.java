// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.SnowcastLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures how long a call takes if there are enough IDs: one thread calls at half of the layout's maximum rate.
 *
 * <p>Also measures calls that do nothing. These show how long the timer itself takes: about as long as reading the
 * clock.
 */
final class HalfTheLimit {
    static final String GROUP = "half the limit";
    static final String CLOCK = "System.currentTimeMillis";
    static final String TIMER = "nothing";

    private static final String SETTING = "1 thread";
    /** Long enough for code that runs once per millisecond: the JVM compiles such code after 5,000 runs. */
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final long NANOS_PER_MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int CALLS_PER_MILLISECOND = SnowcastLayout.DEFAULT.idsPerMillisecond() / 2;

    private final Effort effort;

    /** Receives a value computed from all results, so that the compiler cannot remove the calls. */
    @SuppressWarnings("unused")
    private volatile long used;

    HalfTheLimit(Effort effort) {
        this.effort = effort;
    }

    List<Result> run(Contender contender) throws InterruptedException {
        try (Contender.Source source = contender.open()) {
            return measure(contender.title(), source.ids());
        }
    }

    /** Measures a baseline: reading the clock, or nothing. */
    List<Result> runBare(String subject) throws InterruptedException {
        return measure(subject, subject.equals(CLOCK) ? System::currentTimeMillis : () -> 0);
    }

    private List<Result> measure(String subject, IdSource ids) throws InterruptedException {
        paced(ids, effort.of(WARM_UP));
        Histogram nanos = paced(ids, effort.of(MEASURED));
        List<Result> results = new ArrayList<>(Saturation.percentiles(GROUP, subject, SETTING, nanos, "ns", 1));
        results.add(new Result(GROUP, subject, SETTING, "mean", nanos.getMean(), 0, "ns"));
        return results;
    }

    private Histogram paced(IdSource ids, Duration duration) throws InterruptedException {
        Histogram nanos = Load.histogram();
        long calls = duration.toNanos() / NANOS_PER_MILLISECOND * CALLS_PER_MILLISECOND;
        long begin = System.nanoTime();
        long sum = 0;
        for (long i = 0; i < calls; i++) {
            long due = i * NANOS_PER_MILLISECOND / CALLS_PER_MILLISECOND;
            long before = System.nanoTime();
            while (before - begin < due) {
                before = System.nanoTime();
            }
            sum ^= ids.next();
            nanos.recordValue(System.nanoTime() - before);
        }
        used = sum;
        return nanos;
    }
}
