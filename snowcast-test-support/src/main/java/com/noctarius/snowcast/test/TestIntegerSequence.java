// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An integer sequence with predictable integers: 1, 2, 3 and so on, or from the first value of a configuration on. It
 * is for tests only, because two objects with the same first value return the same integers.
 *
 * <p>No call waits, and the sequence returns no integer twice until {@link #reset()}. A closed or exhausted sequence
 * throws the same exceptions as a real one. Thread-safe; no method blocks.
 */
public final class TestIntegerSequence implements IntegerSequence {
    private final IntegerSequenceConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private long issuedCount;
    private boolean isClosed;

    private TestIntegerSequence(IntegerSequenceConfig config) {
        this.config = config;
    }

    /**
     * {@return a sequence of the integers 1, 2, 3 to {@code Integer.MAX_VALUE}}
     *
     * @param name its name
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if the name is not valid for an integer sequence
     */
    public static TestIntegerSequence named(String name) {
        return of(IntegerSequenceConfig.builder(name).build());
    }

    /**
     * {@return a sequence with a configuration} The sequence uses the name, the first and the last value; the other
     * settings have no effect, because there is no store.
     *
     * @param config the configuration
     * @throws NullPointerException if {@code config} is null
     */
    public static TestIntegerSequence of(IntegerSequenceConfig config) {
        return new TestIntegerSequence(Objects.requireNonNull(config, "config"));
    }

    /**
     * Opens the sequence again and restarts it: it returns the same integers again. Call it before each test if several
     * tests share a sequence.
     */
    public void reset() {
        lock.lock();
        try {
            issuedCount = 0;
            isClosed = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String name() {
        return config.name();
    }

    /**
     * {@return the next integer; never waits}
     *
     * @throws IntegerSequenceExhaustedException if the sequence has returned the last value
     * @throws SnowcastStateException if this sequence is closed
     */
    @Override
    public long next() {
        lock.lock();
        try {
            requireOpen();
            if (left() == 0) {
                throw new IntegerSequenceExhaustedException(
                        "integer sequence " + config.name() + ": the last value, " + config.lastValue()
                                + ", was handed out",
                        null);
            }
            long integer = config.firstValue() + issuedCount;
            issuedCount++;
            return integer;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Fills a part of the array. If too few integers are left, the call writes them, and then throws an
     * {@link IntegerSequenceExhaustedException}.
     */
    @Override
    public void next(long[] integers, int fromIndex, int toIndex) {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        for (int index = fromIndex; index < toIndex; index++) {
            integers[index] = next();
        }
    }

    /** {@return the next integer, never empty} */
    @Override
    public OptionalLong tryNext() {
        return OptionalLong.of(next());
    }

    /** {@return a complete stage with the next integer, or with the exception of {@link #next()}} */
    @Override
    public CompletionStage<Long> nextAsync() {
        try {
            return CompletableFuture.completedFuture(next());
        } catch (SnowcastException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Has no effect, because this sequence reserves no blocks.
     *
     * @throws SnowcastStateException if this sequence is closed
     */
    @Override
    public void prefetch() {
        lock.lock();
        try {
            requireOpen();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long remaining() {
        lock.lock();
        try {
            return isClosed ? 0 : left();
        } finally {
            lock.unlock();
        }
    }

    /** {@return counts of this sequence; those of blocks have no meaning, because there is no store} */
    @Override
    public IntegerSequence.Stats stats() {
        lock.lock();
        try {
            return new IntegerSequence.Stats(
                    issuedCount,
                    isClosed ? 0 : left(),
                    IntegerSequence.Stats.ENDLESS,
                    config.minBlockSize(),
                    0,
                    0,
                    0,
                    Duration.ZERO,
                    "",
                    left() == 0);
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return config.lastValue() - config.firstValue() + 1 - issuedCount;
    }

    private void requireOpen() {
        if (isClosed) {
            throw new SnowcastStateException("integer sequence " + config.name() + " was closed");
        }
    }

    @Override
    public boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "TestIntegerSequence{" + config.name() + ", " + remaining() + " left}";
    }
}
