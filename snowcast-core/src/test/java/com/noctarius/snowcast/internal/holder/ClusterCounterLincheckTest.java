// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes with one pool are one counter: every concurrent execution has the results of a sequential one. */
@Tag("faults")
public class ClusterCounterLincheckTest {
    private final Pool pool = new Pool();
    private final ClusterCounter one = process();
    private final ClusterCounter other = process();

    /** Answers at once. */
    private static final class Pool implements PoolCoordinator {
        private final AtomicLong next = new AtomicLong();

        @Override
        public Reservation reserve(ReserveRequest request) {
            long size = request.size();
            return new Reservation(1, size == 0 ? null : new Block(next.getAndAdd(size), size, 1), 1);
        }

        @Override
        public CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
            return CompletableFuture.completedFuture(reserve(request));
        }

        @Override
        public long giveBack(GiveBackRequest request) {
            return GiveBackRequest.REFUSED;
        }

        @Override
        public void destroyIntegers(String name, long incarnation) {}
    }

    /** The thread that finds no request under way asks for all that wait, as the background does elsewhere. */
    private ClusterCounter process() {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("numbers")
                .firstValue(0)
                .ordering(Ordering.CLUSTER)
                .build();
        Background callers = (task, delay) -> task.run();
        ClusterBlockStore store = new ClusterBlockStore(config.name(), PoolDefinition.of(config, () -> 1), pool);
        store.open(null);
        return new ClusterCounter(config, store, ManualClock.blocking(0), callers);
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
                .check(ClusterCounterLincheckTest.class);
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
