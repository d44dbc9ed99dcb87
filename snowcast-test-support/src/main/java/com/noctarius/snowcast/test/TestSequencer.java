// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sequencer with predictable IDs. Its clock advances only if the test moves it or the counters of a millisecond are
 * used up. Its node ID is 0. Its counter begins at 0 in each millisecond; only in the first millisecond of the epoch,
 * it begins at 1, because no ID is 0. The sequencer is for tests only, because two objects with the same configuration
 * generate the same IDs.
 *
 * <pre>{@code
 * TestSequencer orders = TestSequencer.named("orders");
 * OrderDesk desk = new OrderDesk(orders);
 * orders.setTime(Instant.parse("2026-03-01T12:00:00Z"));
 * }</pre>
 *
 * <p>No call waits, because the clock advances by a millisecond after the last counter of a millisecond was used. IDs
 * increase, and the sequencer generates no ID twice until {@link #reset()}. A detached sequencer throws the same
 * exceptions as a real one. Thread-safe; no method blocks.
 */
public final class TestSequencer implements SnowcastSequencer {
    /**
     * The clock's usual initial time, 2025-01-01T00:00:00Z. The clock starts at the latest of this time, the epoch, and
     * the millisecond after the time in {@link SequencerConfig#startAbove()}.
     */
    public static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    /** The epoch of sequencers that are created by name only, 2024-01-01T00:00:00Z. */
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
     * {@return a sequencer with the {@link SnowcastLayout#DEFAULT default layout} and the epoch {@link #EPOCH}}
     *
     * @param name its name
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if the name is not valid for a sequencer
     */
    public static TestSequencer named(String name) {
        return of(SequencerConfig.builder(name).epoch(EPOCH).build());
    }

    /**
     * {@return a sequencer with a configuration} The sequencer uses the name, epoch, layout and
     * {@link SequencerConfig#startAbove() startAbove}; the other settings have no effect. The time in
     * {@code startAbove} may lie in the future, because the sequencer has its own clock, which starts after that time.
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

    /** {@return the time of the clock and of the next ID, in whole milliseconds} */
    public Instant time() {
        lock.lock();
        try {
            return Instant.ofEpochMilli(config.epoch().getEpochOffset() + timestampMillis);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the clock. The clock only moves forward, because IDs increase.
     *
     * @param time the time of the next ID; parts of a millisecond are ignored
     * @return this
     * @throws NullPointerException if {@code time} is null
     * @throws IllegalArgumentException if {@code time} is before {@link #time()}; only {@link #reset()} sets the clock
     *     back
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
     * @param duration zero or more; parts of a millisecond are ignored
     * @return this
     * @throws NullPointerException if {@code duration} is null
     * @throws IllegalArgumentException if {@code duration} is negative
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

    /**
     * Attaches the sequencer and restarts it: it generates the same IDs again. Call it before each test if several
     * tests share a sequencer.
     */
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

    /** {@return counts of this sequencer; while it is attached, its lease lasts until the end of the layout's time} */
    @Override
    public SnowcastSequencer.Stats stats() {
        lock.lock();
        try {
            boolean isAttached = state == SnowcastSequenceState.Attached;
            Duration left = Duration.ofMillis(Math.max(layout().maxTimestamp() + 1 - timestampMillis, 0));
            return new SnowcastSequencer.Stats(
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
            if (timestampMillis == 0 && counter == 0) {
                useCounter(); // No sequencer issues the ID 0.
            }
            long id = layout().compose(timestampMillis, NODE, counter);
            issuedCount++;
            useCounter();
            return id;
        } finally {
            lock.unlock();
        }
    }

    private void useCounter() {
        counter++;
        if (counter == layout().idsPerMillisecond()) {
            counter = 0;
            timestampMillis++;
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

    /** {@return a complete stage with the next ID, or with the exception of {@link #next()}} */
    @Override
    public CompletionStage<Long> nextAsync() {
        try {
            return CompletableFuture.completedFuture(next());
        } catch (SnowcastException e) {
            return CompletableFuture.failedFuture(e);
        }
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
     * Attaches this sequencer to its node ID again. Its IDs continue after the last one.
     *
     * @throws SnowcastStateException if this sequencer is not detached
     */
    @Override
    public TestSequencer attachLogicalNode() {
        return change(SnowcastSequenceState.Detached, SnowcastSequenceState.Attached, "is not attached");
    }

    /**
     * Detaches this sequencer, so that {@link #next()} throws. A test can observe how its application reacts.
     *
     * @throws SnowcastStateException if this sequencer is not attached
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
