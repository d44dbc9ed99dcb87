// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Measures how much of a layout's maximum rate, 65,536 IDs per millisecond, up to four threads reach in batches of 256.
 */
final class SaturatedBatches {
    static final String GROUP = "batches";

    private static final List<Integer> THREADS = List.of(1, 2, 4);
    private static final int BATCH = 256;
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(4);

    private final Effort effort;

    SaturatedBatches(Effort effort) {
        this.effort = effort;
    }

    List<Result> run() throws InterruptedException, ExecutionException {
        List<Result> results = new ArrayList<>();
        try (Member member = Member.start()) {
            SnowcastSequencer sequencer = member.sequencer(Member.FEW_NODES);
            ThreadLocal<long[]> ids = ThreadLocal.withInitial(() -> new long[BATCH]);
            IdSource batches = () -> {
                long[] batch = ids.get();
                sequencer.next(batch, 0, BATCH);
                return batch[0];
            };
            for (int threads : THREADS) {
                Load.of(batches, Thread::new, threads, effort.of(WARM_UP), Load.Timing.NOTHING);
                Load load = Load.of(batches, Thread::new, threads, effort.of(MEASURED), Load.Timing.NOTHING);
                String setting = Threads.setting(threads);
                double perMillisecond = load.callsPerMillisecond() * BATCH;
                double limit = Member.FEW_NODES.idsPerMillisecond();
                results.add(new Result(GROUP, "snowcast", setting, "part of the limit", perMillisecond / limit, 0, ""));
                results.add(new Result(GROUP, "snowcast", setting, "cores busy", load.coresBusy(), 0, "cores"));
            }
        }
        return results;
    }
}
