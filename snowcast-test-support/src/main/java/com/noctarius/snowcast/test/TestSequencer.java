// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sequencer whose IDs are known beforehand: its clock does not advance until the test moves it, its node ID is 0, and
 * its counter begins at 0. Two of one configuration give the same IDs, so it is for tests only.
 *
 * <pre>{@code
 * TestSequencer orders = TestSequencer.named("orders");
 * OrderDesk desk = new OrderDesk(orders);
 * orders.setTime(Instant.parse("2026-03-01T12:00:00Z"));
 * }</pre>
 *
 * <p>No call waits: when the counters of a millisecond are used up, the clock advances by one. IDs increase, and none
 * is returned twice, until {@link #reset()}. A detached sequencer throws what a real one throws. Thread-safe; no method
 * blocks.
 */
public final class TestSequencer implements SnowcastSequencer {
    /**
     * What the clock shows at first, 2025-01-01T00:00:00Z; or the epoch, or the millisecond after that of
     * {@link SequencerConfig#startAbove()}, if that is later.
     */
    public static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    /** The epoch of sequencers that are made by name only, 2024-01-01T00:00:00Z. */
    public static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private static final int NODE = 0;

    private final SequencerConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private SnowcastSequenceState state = SnowcastSequenceState.Attached;
    private long timestampMillis;
    private int counter;
    private long issuedCount;

    private TestSequencer(SequencerConfig config) {
        this.config = config;
        this.timestampMillis = startMillis();
    }

    /**
     * {@return a sequencer of the {@link SnowcastLayout#DEFAULT default layout} and of the epoch {@link #EPOCH}}
     *
     * @param name its name
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if no sequencer can have this name
     */
    public static TestSequencer named(String name) {
        return of(SequencerConfig.builder(name).epoch(EPOCH).build());
    }

    /**
     * {@return a sequencer of a configuration} Its name, epoch, layout and start above are used; the rest has no effect
     * without a cluster. No start above is refused: the clock shows a time that is late enough.
     *
     * @param config the configuration
     * @throws NullPointerException if {@code config} is null
     */
    public static TestSequencer of(SequencerConfig config) {
        return new TestSequencer(Objects.requireNonNull(config, "config"));
    }

    private long startMillis() {
        Long startAbove = config.startAbove();
        long lowestMillis = startAbove == null ? 0 : layout().timestampValue(startAbove) + 1;
        return Math.max(lowestMillis, START.toEpochMilli() - config.epoch().getEpochOffset());
    }

    /** {@return what the clock shows, in full milliseconds} The next ID has this time, or the next millisecond. */
    public Instant time() {
        lock.lock();
        try {
            return Instant.ofEpochMilli(config.epoch().getEpochOffset() + timestampMillis);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the clock, forward only: IDs increase.
     *
     * @param time the time of the next ID, cut to milliseconds
     * @return this
     * @throws NullPointerException if {@code time} is null
     * @throws IllegalArgumentException if it is before {@link #time()}; {@link #reset()} goes back
     */
    public TestSequencer setTime(Instant time) {
        long wantedMillis = time.toEpochMilli() - config.epoch().getEpochOffset();
        lock.lock();
        try {
            if (wantedMillis < timestampMillis) {
                throw new IllegalArgumentException("time must not be before " + time() + ", which the clock shows: "
                        + time + "; reset() starts over");
            }
            if (wantedMillis > timestampMillis) {
                timestampMillis = wantedMillis;
                counter = 0;
            }
            return this;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Advances the clock.
     *
     * @param duration zero or more, cut to milliseconds
     * @return this
     * @throws NullPointerException if {@code duration} is null
     * @throws IllegalArgumentException if it is negative
     */
    public TestSequencer advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must not be negative: " + duration);
        }
        lock.lock();
        try {
            return setTime(time().plus(duration));
        } finally {
            lock.unlock();
        }
    }

    /** Starts over, Attached: the same IDs come again. For a sequencer that several tests share, before each. */
    public void reset() {
        lock.lock();
        try {
            state = SnowcastSequenceState.Attached;
            timestampMillis = startMillis();
            counter = 0;
            issuedCount = 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String getSequencerName() {
        return config.name();
    }

    @Override
    public SnowcastLayout layout() {
        return config.layout();
    }

    @Override
    public SnowcastEpoch epoch() {
        return config.epoch();
    }

    /** {@return counts of this sequencer; its lease is that of the layout, as for one without a cluster} */
    @Override
    public SequencerStats stats() {
        lock.lock();
        try {
            boolean isAttached = state == SnowcastSequenceState.Attached;
            Duration left = Duration.ofMillis(layout().maxTimestamp() + 1 - timestampMillis);
            return new SequencerStats(
                    state,
                    isAttached ? OptionalInt.of(NODE) : OptionalInt.empty(),
                    isAttached ? Duration.ofMillis(layout().maxTimestamp() + 1) : Duration.ZERO,
                    isAttached ? left : Duration.ZERO,
                    left.isZero() ? usedUp() : "",
                    issuedCount,
                    0,
                    Duration.ZERO,
                    0,
                    0,
                    0,
                    CounterStart.ZERO,
                    left,
                    layout().turnsNegative(epoch())
                            .map(end -> Duration.between(time(), end))
                            .filter(positive -> !positive.isNegative() && !positive.isZero()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@return the next ID; never waits}
     *
     * @throws SnowcastStateException if this sequencer is detached
     * @throws SnowcastIllegalStateException if the time of the layout is used up
     */
    @Override
    public long next() {
        lock.lock();
        try {
            requireState(SnowcastSequenceState.Attached, "gives no ID");
            if (timestampMillis > layout().maxTimestamp()) {
                throw new SnowcastIllegalStateException(usedUp());
            }
            long id = layout().compose(timestampMillis, NODE, counter);
            issuedCount++;
            counter++;
            if (counter == layout().idsPerMillisecond()) {
                counter = 0;
                timestampMillis++;
            }
            return id;
        } finally {
            lock.unlock();
        }
    }

    private String usedUp() {
        return "the time of " + layout() + " is used up, which begins at " + epoch();
    }

    /**
     * {@return the next ID, never empty}
     *
     * @throws SnowcastStateException as {@link #next()}
     * @throws SnowcastIllegalStateException as {@link #next()}
     */
    @Override
    public OptionalLong tryNext() {
        return OptionalLong.of(next());
    }

    @Override
    public SnowcastSequenceState getSequencerState() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Attaches this sequencer to its node ID again; IDs continue where they were.
     *
     * @throws SnowcastStateException if it is not detached
     */
    @Override
    public TestSequencer attachLogicalNode() {
        return change(SnowcastSequenceState.Detached, SnowcastSequenceState.Attached, "is not attached");
    }

    /**
     * Detaches this sequencer, so that {@link #next()} fails: a test can see what then happens.
     *
     * @throws SnowcastStateException if it is not attached
     */
    @Override
    public TestSequencer detachLogicalNode() {
        return change(SnowcastSequenceState.Attached, SnowcastSequenceState.Detached, "is not detached");
    }

    private TestSequencer change(SnowcastSequenceState from, SnowcastSequenceState to, String refusal) {
        lock.lock();
        try {
            requireState(from, refusal);
            state = to;
            return this;
        } finally {
            lock.unlock();
        }
    }

    private void requireState(SnowcastSequenceState required, String refusal) {
        if (state != required) {
            throw new SnowcastStateException(
                    "sequencer " + config.name() + " " + refusal + ", since it is " + state + " and not " + required);
        }
    }

    @Override
    public String toString() {
        return "TestSequencer{" + config.name() + " at " + time() + '}';
    }
}
