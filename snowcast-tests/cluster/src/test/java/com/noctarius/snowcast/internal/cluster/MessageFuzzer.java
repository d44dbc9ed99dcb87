// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.Accessors;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Sends two members what no honest client or member sends: messages that are truncated, flipped, that lie about
 * lengths, in other versions, of unknown types, with any values. All are about names of its own.
 */
public final class MessageFuzzer {
    private static final int OPERATIONS_ONE_IN = 4;

    private final Random random;
    private final FuzzedRequests requests;
    /** From each of the two members to the other. */
    private final List<FuzzedOperations> operations;

    /**
     * Makes one.
     *
     * @param seed of all that is random, but for clocks and tokens
     * @param client for what clients send
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

    /** Sends so many messages, and returns when each request was answered or refused. */
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
