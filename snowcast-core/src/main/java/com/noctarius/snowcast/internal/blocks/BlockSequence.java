// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.base.AsyncCalls;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.blocks.BlockSupply.Background;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * An integer sequence that issues the integers of reserved blocks. Calls take positions of the block in use by
 * fetch-and-add. At its end they move to the next block, which {@link BlockSupply} has usually reserved in advance. The
 * other fields that calls read are written only once per block, to avoid cache misses.
 */
public final class BlockSequence implements IntegerSequence {
    private static final AtomicReferenceFieldUpdater<BlockSequence, BlockCursor> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(BlockSequence.class, BlockCursor.class, "current");

    final IntegerSequenceConfig config;
    private final AsyncCalls asyncCalls;
    final BlockSupply supply;

    /** The block in use. Calls replace only a used-up block, so a stale read returns a used-up block. */
    private volatile BlockCursor current = BlockCursor.empty();

    /** Makes a sequence that belongs to no {@code Snowcast}. Fails if the store rejects the sequence. */
    public static BlockSequence standalone(IntegerSequenceConfig config) {
        BlockSequence sequence =
                new BlockSequence(config, IntegerSequences.storeOf(config), SystemClock.INSTANCE, Background.THREADS);
        sequence.supply.prepare();
        return sequence;
    }

    /** Makes a sequence, which reserves nothing before the first call. */
    BlockSequence(IntegerSequenceConfig config, BlockStore store, Clock clock, Background background) {
        this.config = config;
        // All asynchronous calls wait for the same block: if the wait fails, even at once, all of them fail.
        this.asyncCalls = new AsyncCalls(this::tryNext, this::nextOrWait, clock, Duration.ZERO);
        this.supply = new BlockSupply(config, store, clock, background, () -> current);
    }

    // --- calls

    @Override
    public long next() throws InterruptedException {
        for (BlockCursor cursor = current; ; cursor = successorOf(cursor)) {
            long position = take(1, cursor);
            if (position < cursor.count) {
                return cursor.at(position);
            }
        }
    }

    @Override
    public OptionalLong tryNext() {
        long integer = tryNextOr(-1); // No integer is negative.
        return integer < 0 ? OptionalLong.empty() : OptionalLong.of(integer);
    }

    @Override
    public long tryNextOr(long ifNone) {
        for (BlockCursor cursor = current; ; cursor = current) {
            long position = take(1, cursor);
            if (position < cursor.count) {
                return cursor.at(position);
            }
            if (!advanceOrReserve(cursor)) {
                return ifNone;
            }
        }
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return asyncCalls.next();
    }

    private OptionalLong nextOrWait() throws InterruptedException {
        BlockCursor cursor = current;
        long position = take(1, cursor);
        if (position < cursor.count) {
            return OptionalLong.of(cursor.at(position));
        }
        successorOf(cursor);
        return OptionalLong.empty();
    }

    @Override
    public void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        int index = fromIndex;
        BlockCursor cursor = current;
        while (index < toIndex) {
            long position = take(toIndex - index, cursor);
            if (position < cursor.count) {
                long end = Math.min(position + toIndex - index, cursor.count);
                for (long at = position; at < end; at++) {
                    integers[index++] = cursor.at(at);
                }
            } else {
                cursor = successorOf(cursor);
            }
        }
    }

    /** If no integer is left, requests a block and waits for it or a failure, but does not move to the block. */
    @Override
    public void prefetch() throws InterruptedException {
        if (remaining() == 0) {
            supply.want();
            supply.waiters.await(() -> isPrefetched() ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait());
            if (remaining() == 0 && supply.availability.isRefusing()) {
                throw supply.availability.refusal();
            }
        }
    }

    private boolean isPrefetched() {
        return remaining() > 0 || supply.availability.isRefusing() || supply.availability.isFailing();
    }

    /** Takes positions and returns the first of them. One call takes {@link BlockCursor#prefetchAt}. */
    private long take(int positions, BlockCursor cursor) {
        long first = cursor.take(positions);
        if (first <= cursor.prefetchAt && first + positions > cursor.prefetchAt) {
            supply.want();
        }
        return first;
    }

    // --- from one block to the next

    /** Waits, if necessary, for the block after a used-up block, and returns the block in use. */
    private BlockCursor successorOf(BlockCursor usedUp) throws InterruptedException {
        if (!advance(usedUp)) {
            supply.want();
            supply.waiters.await(
                    () -> advanceOrGiveUp(usedUp) ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait(), supply.waits);
            if (!advance(usedUp)) {
                throw supply.availability.refusal();
            }
        }
        return current;
    }

    /** Returns whether the next block is in use. If not, starts a reservation, or fails if no block will come. */
    private boolean advanceOrReserve(BlockCursor usedUp) {
        if (advance(usedUp)) {
            return true;
        }
        supply.want();
        boolean isOver = advanceOrGiveUp(usedUp);
        if (isOver && !advance(usedUp)) {
            throw supply.availability.refusal();
        }
        return isOver;
    }

    /** Returns whether a wait is over, because another block is in use or calls fail at once. */
    private boolean advanceOrGiveUp(BlockCursor usedUp) {
        return advance(usedUp) || supply.availability.isRefusing();
    }

    /** Moves to the next reserved block if the given block is still in use. Returns whether another block is in use. */
    private boolean advance(BlockCursor usedUp) {
        BlockCursor next = usedUp.next;
        if (next != null) {
            CURRENT.compareAndSet(this, usedUp, next);
        }
        return current != usedUp;
    }

    // --- properties and state

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public long remaining() {
        return supply.remaining();
    }

    @Override
    public IntegerSequence.Stats stats() {
        return supply.stats();
    }

    // --- the end

    @Override
    public void close() {
        supply.close("it was closed");
    }

    @Override
    public boolean isClosed() {
        return supply.availability.isClosed();
    }

    @Override
    public String toString() {
        return "IntegerSequence{name=" + config.name() + ", remaining=" + remaining() + ", store=" + supply.store + ", "
                + IntegerSequences.settings(config) + '}';
    }
}
