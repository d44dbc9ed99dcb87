// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.Accessors;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Sends valid and changed messages to two members. A changed message is truncated or lengthened, or has flipped bits,
 * wrong lengths, another version, an unknown type or random values.
 */
public final class MessageFuzzer {
    private static final int OPERATIONS_ONE_IN = 4;

    private final Random random;
    private final FuzzedRequests requests;
    /** One fuzzer for each direction between the two members. */
    private final List<FuzzedOperations> operations;

    /**
     * Creates a fuzzer.
     *
     * @param seed determines all messages, except for their times and the values that they repeat from answers of the
     *     members
     * @param client sends the clients' messages
     */
    public MessageFuzzer(long seed, List<HazelcastInstance> members, HazelcastInstance client) {
        random = new Random(seed);
        FuzzSamples samples = new FuzzSamples(random);
        UUID clusterId = Accessors.getNode(members.get(0)).getClusterService().getClusterId();
        requests = new FuzzedRequests(client, clusterId, samples, random);
        operations = List.of(
                new FuzzedOperations(members.get(0), members.get(1), samples, random),
                new FuzzedOperations(members.get(1), members.get(0), samples, random));
    }

    /** Sends {@code messages} messages. Returns when each request has been answered or refused. */
    public void send(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            if (random.nextInt(OPERATIONS_ONE_IN) == 0) {
                operations.get(random.nextInt(operations.size())).send();
            } else {
                requests.send();
            }
        }
        requests.awaitAtMost(0);
    }

    @Override
    public String toString() {
        return requests + ", of members " + operations;
    }
}
