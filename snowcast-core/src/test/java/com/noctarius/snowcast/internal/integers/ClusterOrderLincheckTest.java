// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.internal.clock.ManualClock;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes with one pool are one counter: every concurrent execution has the results of a sequential one. */
@Tag("faults")
public class ClusterOrderLincheckTest {
    private final AtomicLong pool = new AtomicLong();
    private final BlockSequence one = process();
    private final BlockSequence other = process();

    /** The thread that finds no request under way asks for all that wait, as the background does elsewhere. */
    private BlockSequence process() {
        BlockStore store = (name, size) -> new Block(pool.getAndAdd(size), size, 1);
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("numbers")
                .firstValue(0)
                .ordering(Ordering.CLUSTER)
                .build();
        return new BlockSequence(config, store, ManualClock.blocking(0), (task, delay) -> task.run());
    }

    @Operation
    public long next() throws InterruptedException {
        return one.next();
    }

    @Operation
    public long nextElsewhere() throws InterruptedException {
        return other.next();
    }

    @Test
    void isOneCounterInEveryInterleaving() {
        new ModelCheckingOptions()
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(5)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(2)
                .sequentialSpecification(Counter.class)
                .check(ClusterOrderLincheckTest.class);
    }

    /** What they are to one thread. */
    public static class Counter {
        private long next;

        public long next() {
            return next++;
        }

        public long nextElsewhere() {
            return next++;
        }
    }
}
