// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Sends requests to the owners of partitions. A member sends them as operations, a client as messages. Thread-safe. */
public interface Transport {
    /** Prepares for a request; may block. Throws if the client was shut down, or if the thread is interrupted. */
    default void prepare(RequestType<?, ?> type, String subject) {}

    /**
     * Sends a request by a Hazelcast invocation; does not block. A member sends a batch by one invocation for each
     * partition. While the request cannot be executed, the invocation retries it, for at most about the given time. If
     * the outcome of an attach, a renewal or a destruction is unknown because an owner or a backup left, the future
     * fails with an {@code IndeterminateOperationStateException}.
     */
    <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis);

    /** Sends a request, repeats it if its outcome is unknown, and waits for the answer: see {@link Answers#outcome}. */
    default <Q, A> A ask(RequestType<Q, A> type, String subject, Q request) {
        prepare(type, subject);
        return Answers.outcome(subject, timeoutMillis(), () -> send(type, request, timeoutMillis()));
    }

    /** Returns the ID of the partition whose owner decides requests about a name. */
    int partitionOf(String name);

    /** Returns the ID of a new holder: see {@link HolderId}. */
    UUID newHolder();

    /** Returns how long a caller waits for an answer. */
    long timeoutMillis();

    Map<String, Object> userContext();
}
