// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreOpener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens a {@link JdbcSnowcast} in another process, whose threads generate IDs all the time, as a store: a block is IDs
 * of one sequencer that follow each other, and its step says of which. The arguments are the URL and the length of a
 * lease in seconds.
 */
public final class LeasedIdsOpener implements BlockStoreOpener {
    static final Duration SKEW = Duration.ofSeconds(1);
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    /** Of all layouts, so that an ID without it is a millisecond of a node ID. */
    static final int COUNTER_BITS = 10;

    /**
     * So few node IDs that they are soon granted again; many; and those of a sequencer that is destroyed now and then.
     */
    static final List<SequencerConfig> SEQUENCERS =
            List.of(config("few", 3), config("many", 8), config("destroyed", 4));

    private static final int DESTROYED = 2;
    private static final int THREADS = 2;
    private static final int BURST = 20;

    /** For the other process. */
    public LeasedIdsOpener() {}

    private static SequencerConfig config(String name, int nodeBits) {
        return SequencerConfig.builder(name)
                .epoch(SnowcastEpoch.byTimestamp(1_700_000_000_000L))
                .layout(new SnowcastLayout(41, nodeBits, COUNTER_BITS))
                .build();
    }

    static JdbcSnowcast snowcast(String url, Duration lease) {
        return JdbcSnowcast.builder(TestShards.pool(url, 4))
                .lease(lease)
                .maxClockSkew(SKEW)
                .timeouts(Duration.ofSeconds(1), CALL_TIMEOUT)
                .build();
    }

    @Override
    public BlockStore open(List<String> arguments) {
        Snowcast snowcast = snowcast(arguments.get(0), Duration.ofSeconds(Long.parseLong(arguments.get(1))));
        BlockingQueue<Block> generated = new ArrayBlockingQueue<>(8);
        for (int i = 0; i < SEQUENCERS.size() * THREADS; i++) {
            int sequencer = i % SEQUENCERS.size();
            Thread thread = new Thread(() -> generateAll(snowcast, sequencer, generated), "generates " + i);
            thread.setDaemon(true);
            thread.start();
        }
        return (sequence, size) -> {
            try {
                return generated.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    private static void generateAll(Snowcast snowcast, int index, BlockingQueue<Block> generated) {
        Class<?> lastFailure = null;
        while (true) {
            try {
                SnowcastSequencer sequencer = snowcast.createSequencer(SEQUENCERS.get(index));
                if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                    sequencer.attachLogicalNode();
                }
                for (Block block : burst(sequencer, index + 1)) {
                    generated.put(block);
                }
                int draw = ThreadLocalRandom.current().nextInt(30_000);
                if (draw == 0 && index == DESTROYED) {
                    snowcast.destroySequencer(sequencer);
                } else if (draw < 3) {
                    sequencer.detachLogicalNode();
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
            } catch (SnowcastException e) {
                // To be expected while the database is away or has lost something; its message has the time.
                if (e.getClass() != lastFailure) {
                    lastFailure = e.getClass();
                    System.out.println(e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static List<Block> burst(SnowcastSequencer sequencer, int step) throws InterruptedException {
        List<Block> blocks = new ArrayList<>();
        long first = sequencer.next();
        long last = first;
        for (int i = 1; i < BURST; i++) {
            long id = sequencer.next();
            if (id != last + 1) {
                blocks.add(block(first, last, step));
                first = id;
            }
            last = id;
        }
        blocks.add(block(first, last, step));
        return blocks;
    }

    private static Block block(long first, long last, int step) {
        return new Block(first, last - first + 1, step);
    }
}
