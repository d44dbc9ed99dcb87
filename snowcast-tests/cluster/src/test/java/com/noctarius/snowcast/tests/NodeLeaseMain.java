// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import io.hypersistence.tsid.TSID;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import me.ahoo.cosid.CosId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;

/**
 * The main class of {@link NodeLeaseFaultsTest}: a client that writes the IDs of two generators of another library,
 * each with its own node lease. One generator is guarded by its lease. The other one (the bare generator) uses the node
 * ID that its lease had at the start, and otherwise ignores the lease.
 */
public final class NodeLeaseMain {
    static final String GUARDED = "guarded";
    static final String BARE = "bare";
    static final int NODE_COUNT = 3;

    /**
     * TSID's bits for the node ID, which leave 8 bits for its counter. With fewer than 8, TSID would start hours ahead
     * of the clock.
     */
    private static final int NODE_BITS = 14;

    /** More IDs than TSID has per millisecond, so that bare TSIDs collide in the following milliseconds, too. */
    private static final int BURST = 600;

    private static final long PERIOD_MILLIS = 10;

    @SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
    enum Library {
        TSID(
                NodeLeaseMain::tsid,
                id -> io.hypersistence.tsid.TSID.from(id).getInstant().toEpochMilli()),
        MYBATIS_PLUS(nodeId -> new Sequence(nodeId & 31, nodeId >> 5)::nextId, Sequence::parseIdTimestamp),
        COSID(
                nodeId -> new ClockSyncSnowflakeId(new MillisecondSnowflakeId(nodeId))::generate,
                id -> (id >>> 22) + CosId.COSID_EPOCH);

        private final IntFunction<LongSupplier> newGenerator;
        private final LongUnaryOperator timestampMillis;

        Library(IntFunction<LongSupplier> newGenerator, LongUnaryOperator timestampMillis) {
            this.newGenerator = newGenerator;
            this.timestampMillis = timestampMillis;
        }
    }

    private NodeLeaseMain() {}

    /**
     * Arguments: cluster name, port of a member, directory and number of this process for its files, and the library.
     */
    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig().setClusterName(args[0]);
        config.getNetworkConfig().addAddress("127.0.0.1:" + args[1]);
        Snowcast snowcast = SnowcastSystem.snowcast(HazelcastClient.newHazelcastClient(config));
        Path directory = Path.of(args[2]);
        Library library = Library.valueOf(args[4]);
        new Thread(() -> write(file(directory, GUARDED, args[3]), guarded(snowcast, library)), GUARDED).start();
        new Thread(() -> write(file(directory, BARE, args[3]), bare(snowcast, library)), BARE).start();
    }

    static Path file(Path directory, String kind, String process) {
        return directory.resolve(kind + "-" + process + ".ids");
    }

    private static LongSupplier guarded(Snowcast snowcast, Library library) {
        return lease(snowcast, GUARDED).generator(library.newGenerator, library.timestampMillis);
    }

    private static LongSupplier bare(Snowcast snowcast, Library library) {
        return library.newGenerator.apply(lease(snowcast, BARE).nodeId());
    }

    private static LongSupplier tsid(int nodeId) {
        TSID.Factory factory =
                TSID.Factory.builder().withNodeBits(NODE_BITS).withNode(nodeId).build();
        return () -> factory.generate().toLong();
    }

    private static NodeLease lease(Snowcast snowcast, String name) {
        while (true) {
            try {
                return snowcast.leaseNode(
                        NodeLeaseConfig.builder(name).maxNodeCount(NODE_COUNT).build());
            } catch (SnowcastException e) {
                System.out.println(e.getMessage());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
        }
    }

    /**
     * Writes bursts of IDs. Waits for the next multiple of {@link #PERIOD_MILLIS} before each burst but the first, so
     * that the bursts of all processes coincide.
     */
    private static void write(Path file, LongSupplier ids) {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            while (true) {
                try {
                    for (int i = 0; i < BURST; i++) {
                        out.writeLong(ids.getAsLong());
                    }
                } catch (RuntimeException e) {
                    // A refusal of snowcast, or the library's own exception while its clock is behind.
                    System.out.println(e.getMessage());
                }
                out.flush();
                long now = System.currentTimeMillis();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS - now % PERIOD_MILLIS));
            }
        } catch (IOException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }
}
