// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.cluster.FuzzedRequests;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The main class of {@link MessageFuzzClusterTest}: a cluster of two members in a JVM with little memory. An honest
 * user on a client and one on a member use the cluster. Another client sends {@link FuzzedRequests}.
 */
public final class MessageFuzzMain {
    /** A call that takes longer counts as hanging. */
    private static final Duration LONGEST_CALL = Duration.ofMinutes(3);

    private final Durations durations = new Durations();
    private final AtomicBoolean stopped = new AtomicBoolean();

    private MessageFuzzMain() {}

    /** Arguments: the seed, and the number of messages. Exits with 0 if there was no error. */
    public static void main(String[] args) {
        try {
            System.out.println(new MessageFuzzMain().run(Long.parseLong(args[0]), Integer.parseInt(args[1])));
            Runtime.getRuntime().halt(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            Runtime.getRuntime().halt(1);
        }
    }

    private String run(long seed, int messages) throws InterruptedException {
        LogLines lines = LogLines.count();
        try (TcpCluster cluster = TcpCluster.of(2, Map.of())) {
            HazelcastInstance client = cluster.addClient();
            Ledger ids = cluster.ledger();
            HonestUser first = new HonestUser("client", client, ids, durations);
            HonestUser second = new HonestUser("member", cluster.member(0), ids, durations);
            FuzzedRequests fuzzer = new FuzzedRequests(seed, cluster.member(0), cluster.addClient());
            lines.beginAnew();
            long startNanos = System.nanoTime();
            Threads honest = Threads.start(2, index -> (index == 0 ? first : second).use(stopped::get));
            try {
                Await.until("honest users at work", () -> ids.size() > 0 || honest.hasFailed());
                fuzzer.send(messages);
            } finally {
                stopped.set(true);
            }
            honest.join();
            Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
            check(cluster, lines);
            return messages + " messages in " + took + ": " + fuzzer + "\nhonest: " + ids.size()
                    + " IDs, longest calls " + durations + "\n" + lines;
        }
    }

    private void check(TcpCluster cluster, LogLines lines) {
        cluster.ledger().check();
        lines.requireFew();
        durations.requireAtMost(LONGEST_CALL);
        if (cluster.members().stream()
                .anyMatch(member -> member.getCluster().getMembers().size() != 2)) {
            throw new AssertionError("a member is gone");
        }
        cluster.awaitSafe();
        Replicas.requireEqual(cluster.members());
    }
}
