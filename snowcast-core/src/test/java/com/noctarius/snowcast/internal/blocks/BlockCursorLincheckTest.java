// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a cursor is linearizable: concurrent calls return what a sequential queue of the integers could return.
 */
@Tag("faults")
public class BlockCursorLincheckTest {
    private static final Block BLOCK = new Block(100, 5, 10);

    private final BlockCursor cursor = BlockCursor.of(BLOCK, 0.5);

    @Operation
    public List<Long> take() {
        return integers(cursor.take(1), 1);
    }

    @Operation
    public List<Long> takeTwo() {
        return integers(cursor.take(2), 2);
    }

    @Operation
    public List<Long> takeRest() {
        Block rest = cursor.takeRest();
        return rest == null ? List.of() : integers((rest.first() - BLOCK.first()) / BLOCK.step(), rest.count());
    }

    @Operation
    public long remaining() {
        return cursor.remaining();
    }

    private List<Long> integers(long from, long count) {
        List<Long> integers = new ArrayList<>();
        for (long position = from; position < Math.min(from + count, cursor.count); position++) {
            integers.add(cursor.at(position));
        }
        return integers;
    }

    @Test
    void isAQueueOfIntegersInEveryInterleaving() {
        new ModelCheckingOptions()
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(QueueOfIntegers.class)
                .check(BlockCursorLincheckTest.class);
    }

    public static class QueueOfIntegers {
        private long position;

        public List<Long> take() {
            return take(1);
        }

        public List<Long> takeTwo() {
            return take(2);
        }

        public List<Long> takeRest() {
            return take(BLOCK.count());
        }

        public long remaining() {
            return BLOCK.count() - position;
        }

        private List<Long> take(long count) {
            List<Long> integers = new ArrayList<>();
            while (integers.size() < count && position < BLOCK.count()) {
                integers.add(BLOCK.at(position++));
            }
            return integers;
        }
    }
}
