// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One of the processes of {@link TenProcessesTest}: an application that requests about one ID per millisecond, as for
 * inserts. It prints a line when it is ready. After it has read a line from its input, it requests the IDs, and then
 * prints them. The first argument selects the generator.
 */
final class OrderProcess {
    static final int IDS = 3_000;
    static final String READY = "ready";
    static final String MYBATIS_PLUS = "mybatis-plus";
    /** MyBatis-Plus' epoch and layout, except that its ten bits for data center and worker are one node ID here. */
    static final SequencerConfig ORDERS = SequencerConfig.builder("orders")
            .epoch(SnowcastEpoch.byTimestamp(1_288_834_974_657L))
            .layout(SnowcastLayout.POSITIVE)
            .build();

    private OrderProcess() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals(MYBATIS_PLUS)) {
            write(DefaultIdentifierGenerator.getInstance());
            return;
        }
        ClientConfig config = new ClientConfig();
        config.setClusterName(arguments[0]);
        config.getNetworkConfig().addAddress(arguments[1]);
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        try {
            SnowcastSequencer orders = SnowcastSystem.snowcast(client).createSequencer(ORDERS);
            write(new SnowcastIdentifierGenerator(orders));
        } finally {
            client.shutdown();
        }
    }

    private static void write(IdentifierGenerator generator) throws IOException {
        Object order = new Object();
        generator.nextId(order);
        System.out.println(READY);
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        long[] ids = new long[IDS];
        for (int i = 0; i < IDS; i++) {
            ids[i] = generator.nextId(order).longValue();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        StringBuilder lines = new StringBuilder();
        for (long id : ids) {
            lines.append(id).append('\n');
        }
        System.out.print(lines);
        System.out.flush();
    }
}
