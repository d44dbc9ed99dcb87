// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.base.MetricSink.Unit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Totals of the counts of many objects, including removed objects, so that no total decreases. Thread-safe. */
public final class GrowingTotals<S> {
    private final List<Total<S>> totals;
    /** The counts of removed objects, by total. Guarded by its own monitor. */
    private final long[] forgotten;

    /** The values shown last, by total. Guarded by the monitor of this object, which is held during a reading. */
    private final long[] shown;

    /** A metric that is a sum over objects. Times are summed in nanoseconds, so that short times count. */
    public record Total<S>(String metric, Unit unit, ToLongFunction<S> of) {
        public static <S> Total<S> count(String metric, ToLongFunction<S> of) {
            return new Total<>(metric, Unit.COUNT, of);
        }

        public static <S> Total<S> time(String metric, Function<S, Duration> of) {
            return new Total<>(metric, Unit.MILLIS, stats -> of.apply(stats).toNanos());
        }

        private void show(@Nullable Subject subject, long sum, MetricSink sink) {
            sink.take(subject, metric, unit, unit == Unit.MILLIS ? TimeUnit.NANOSECONDS.toMillis(sum) : sum);
        }
    }

    public GrowingTotals(List<Total<S>> totals) {
        this.totals = totals;
        this.forgotten = new long[totals.size()];
        this.shown = new long[totals.size()];
    }

    /** Adds the counts of a removed object to the totals; call it after the removal. Does not wait for a reading. */
    public void forgotten(S stats) {
        synchronized (forgotten) {
            add(stats, forgotten);
        }
    }

    private void add(S stats, long[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += totals.get(i).of.applyAsLong(stats);
        }
    }

    public void show(Subject subject, S stats, MetricSink sink) {
        totals.forEach(total -> total.show(subject, total.of.applyAsLong(stats), sink));
    }

    /**
     * Shows the totals.
     *
     * @param named receives each object with its statistics, if there are few enough to show each
     */
    public synchronized <E> void showAll(
            Names<E> present, Function<E, S> statsOf, BiConsumer<E, S> named, MetricSink sink) {
        boolean areFew = present.size() <= sink.maxNamed();
        // Read these before the objects: an object that is removed in between is counted once, or not at all, which the
        // maximum below hides.
        long[] sums;
        synchronized (forgotten) {
            sums = forgotten.clone();
        }
        for (E each : present.all()) {
            S stats = statsOf.apply(each);
            add(stats, sums);
            if (areFew) {
                named.accept(each, stats);
            }
        }
        for (int i = 0; i < shown.length; i++) {
            shown[i] = Math.max(shown[i], sums[i]);
            totals.get(i).show(null, shown[i], sink);
        }
    }
}
