// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidFactory;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockStoreOpener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens a {@link JdbcSnowcast} in a process that a test starts. Threads of this class generate IDs; the returned store
 * presents the IDs as its blocks. A block consists of consecutive IDs of one kind. The step of a block is the number of
 * the kind, from 1 on. The arguments are the URL, and the lease in seconds.
 */
public final class LeasedIdsOpener implements BlockStoreOpener {
    static final Duration SKEW = Duration.ofSeconds(1);
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    /** The counter bits of all layouts. The other bits of an ID are its time and its node ID. */
    static final int COUNTER_BITS = 10;

    /**
     * The first sequencer has so few node IDs that each is soon granted again. The second has many, and the third is
     * sometimes destroyed.
     */
    static final List<SequencerConfig> SEQUENCERS =
            List.of(config("few", 3), config("many", 8), config("destroyed", 4));

    /** The number of node IDs of a node lease. They are so few that each is soon granted again. */
    private static final int NODE_COUNT = 10;

    /** The kinds of IDs after those of the sequencers: IDs of other generators with leased node IDs, and integers. */
    private static final List<Function<Snowcast, Source>> OTHERS =
            List.of(LeasedIdsOpener::tsids, LeasedIdsOpener::idsOfMyBatisPlus, LeasedIdsOpener::seats);

    static final String INTEGERS = "seats";
    static final int KINDS = SEQUENCERS.size() + OTHERS.size();

    private static final int DESTROYED = 2;
    private static final int THREADS = 2;
    private static final int BURST = 20;

    interface Source {
        long next() throws InterruptedException;
    }

    /** Called in the other process, by reflection. */
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
            start(() -> generate(snowcast, sequencer, generated));
        }
        for (int i = 0; i < OTHERS.size(); i++) {
            Others others = new Others(snowcast, i);
            start(() -> others.generate(generated));
        }
        return (sequence, size) -> {
            try {
                return generated.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    /** A turn of a thread, which generates some IDs. */
    private interface Generation {
        void run() throws InterruptedException;
    }

    private static void start(Generation generation) {
        Thread thread = new Thread(() -> repeat(generation), "generates");
        thread.setDaemon(true);
        thread.start();
    }

    private static void repeat(Generation generation) {
        Class<?> lastFailure = null;
        while (true) {
            try {
                generation.run();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
            } catch (SnowcastException | BlockStoreException e) {
                // Expected while the database is unreachable or has lost data. Print a failure only if its class
                // differs from that of the previous failure. Messages cannot be compared, because they may contain
                // times.
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

    private static void generate(Snowcast snowcast, int index, BlockingQueue<Block> generated)
            throws InterruptedException {
        SnowcastSequencer sequencer = snowcast.createSequencer(SEQUENCERS.get(index));
        if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
            sequencer.attachLogicalNode();
        }
        burst(sequencer::next, index + 1, generated);
        int draw = ThreadLocalRandom.current().nextInt(30_000);
        if (draw == 0 && index == DESTROYED) {
            snowcast.destroySequencer(sequencer);
        } else if (draw < 3) {
            sequencer.detachLogicalNode();
        }
    }

    /** Generates IDs of one kind in {@link #OTHERS}. */
    private static final class Others {
        private final Snowcast snowcast;
        private final int index;
        private @Nullable Source source;

        Others(Snowcast snowcast, int index) {
            this.snowcast = snowcast;
            this.index = index;
        }

        void generate(BlockingQueue<Block> generated) throws InterruptedException {
            Source present = source == null ? OTHERS.get(index).apply(snowcast) : source;
            source = present;
            burst(present, SEQUENCERS.size() + index + 1, generated);
        }
    }

    private static Source tsids(Snowcast snowcast) {
        return lease(snowcast, "tsid")
                .generator(
                        nodeId -> {
                            TsidFactory factory = TsidFactory.builder()
                                    .withNodeBits(10)
                                    .withNode(nodeId)
                                    .build();
                            return () -> factory.create().toLong();
                        },
                        id -> Tsid.from(id).getUnixMilliseconds())::next;
    }

    private static Source idsOfMyBatisPlus(Snowcast snowcast) {
        return lease(snowcast, "mybatis")
                .generator(nodeId -> new Sequence(nodeId & 31, nodeId >> 5)::nextId, Sequence::parseIdTimestamp)::next;
    }

    private static NodeLease lease(Snowcast snowcast, String name) {
        return snowcast.leaseNode(
                NodeLeaseConfig.builder(name).maxNodeCount(NODE_COUNT).build());
    }

    private static Source seats(Snowcast snowcast) {
        return snowcast.createIntegerSequence(IntegerSequenceConfig.builder(INTEGERS)
                .firstValue(1)
                .blockSize(100)
                .build())::next;
    }

    /** Generates some IDs, and adds them to {@code generated}. If a call fails, adds the IDs of the calls before it. */
    private static void burst(Source source, int step, BlockingQueue<Block> generated) throws InterruptedException {
        long first = source.next();
        long last = first;
        try {
            for (int i = 1; i < BURST; i++) {
                long id = source.next();
                if (id != last + 1) {
                    generated.put(block(first, last, step));
                    first = id;
                }
                last = id;
            }
        } finally {
            generated.put(block(first, last, step));
        }
    }

    private static Block block(long first, long last, int step) {
        return new Block(first, last - first + 1, step);
    }
}
