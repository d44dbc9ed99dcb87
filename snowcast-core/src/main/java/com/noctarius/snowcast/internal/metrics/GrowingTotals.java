// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.metrics;

import com.noctarius.snowcast.internal.clock.Clock;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What many of a kind have done all together. They come and go, and the totals never fall: what those did that are gone
 * stays in them.
 *
 * <p>A sample of very many takes a while, so it is taken once a minute only. Thread-safe.
 */
public final class GrowingTotals<T extends Summable<T>> {
    private final Object forgottenLock = new Object();
    /** What those have done that are gone. Guarded by {@link #forgottenLock}. */
    private T forgotten;

    /** What was shown last. Guarded by the monitor, which is held through a sample of all. */
    private T shown;
    /** Guarded by the monitor. */
    private final SampleInterval sampleInterval;

    /** Begins with nothing. */
    public GrowingTotals(T nothing, Clock clock) {
        this.forgotten = nothing;
        this.shown = nothing;
        this.sampleInterval = new SampleInterval(clock);
    }

    /** Keeps what one has done; to be called when it is not among the others any more. Waits for no sample. */
    public void forgotten(T removed) {
        synchronized (forgottenLock) {
            forgotten = forgotten.plus(removed);
        }
    }

    private T forgotten() {
        synchronized (forgottenLock) {
            return forgotten;
        }
    }

    /**
     * Samples each, if it is time for that.
     *
     * @param size how many there are
     * @param present returns them
     * @param doneBy what one of them has done
     * @param named takes each with what it has done, if they are few enough to be shown one by one
     * @return what all have done
     */
    public synchronized <E> T sample(
            int size, Supplier<? extends Collection<E>> present, Function<E, T> doneBy, BiConsumer<E, T> named) {
        if (sampleInterval.isDue(size)) {
            // First: one that is removed meanwhile is then missing for once, which the maximum hides, and never twice.
            T sum = forgotten();
            for (E each : present.get()) {
                T done = doneBy.apply(each);
                sum = sum.plus(done);
                if (size <= SampleInterval.MAX_NAMED) {
                    named.accept(each, done);
                }
            }
            shown = shown.max(sum);
        }
        return shown;
    }
}
