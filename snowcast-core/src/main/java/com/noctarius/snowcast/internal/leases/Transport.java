// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Sends requests to the owners of partitions: a member sends operations, a client sends messages. Thread-safe. */
public interface Transport {
    /**
     * Prepares for a call; may block.
     *
     * @param subject what the call is about, for exceptions
     * @throws com.noctarius.snowcast.SnowcastStateException if the {@code HazelcastInstance} was shut down
     */
    default void prepare(RequestType<?, ?> type, String subject) {}

    /**
     * Makes one Hazelcast invocation, which retries the request for about the given time while it cannot be executed;
     * does not block. If its outcome is unknown, because an owner or a backup left, the future fails with an exception
     * that says so.
     */
    <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis);

    /** Sends a request, retries while its outcome is unknown, and waits for the answer: see {@link Answers#outcome}. */
    default <Q, A> A ask(RequestType<Q, A> type, String subject, Q request) {
        prepare(type, subject);
        return Answers.outcome(subject, timeoutMillis(), () -> send(type, request, timeoutMillis()));
    }

    /** Returns the partition whose owner decides about a name. */
    int partitionOf(String name);

    /** Returns the ID of a new holder: see {@link HolderId}. */
    UUID newHolder();

    /** Returns how long a caller waits for an answer. */
    long timeoutMillis();

    Map<String, Object> userContext();
}
