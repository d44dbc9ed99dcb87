// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.internal.wire.WireVersion;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a client has a member do. */
final class StatusTask implements Callable<StatusAnswer>, HazelcastInstanceAware, IdentifiedDataSerializable {
    private static final String EXECUTOR = "snowcast:status";
    private static final long TIMEOUT_MILLIS = TimeUnit.MINUTES.toMillis(2);

    private PageRequest request;
    private transient @Nullable HazelcastInstance member;

    /** Made to be read. */
    StatusTask() {
        this(PageRequest.firstToSend(0));
    }

    StatusTask(PageRequest request) {
        this.request = request;
    }

    static StatusPage ask(HazelcastInstance client, PageRequest request) {
        StatusAnswer answer = Answers.outcome(
                "status of the cluster",
                TIMEOUT_MILLIS,
                () -> submit(client, request).exceptionally(failure -> {
                    throw explained(failure);
                }));
        return answer.page();
    }

    private static CompletableFuture<StatusAnswer> submit(HazelcastInstance client, PageRequest request) {
        Future<StatusAnswer> answer = client.getExecutorService(EXECUTOR).submit(new StatusTask(request));
        return (CompletableFuture<StatusAnswer>) answer; // Hazelcast's futures are.
    }

    private static CompletionException explained(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new CompletionException(
                cause instanceof HazelcastSerializationException
                        ? new SnowcastStateException(
                                "status of the cluster: members must have snowcast on their class path, in this"
                                        + " version: " + cause.getMessage(),
                                cause)
                        : cause);
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance hazelcast) {
        member = hazelcast;
    }

    @Override
    public StatusAnswer call() {
        return new StatusAnswer(StatusReader.read(Objects.requireNonNull(member), request));
    }

    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public int getClassId() {
        return ClassIds.STATUS_TASK;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(WireVersion.NEWEST);
        PageRequest.FORM.write(out, request);
    }

    @Override
    public void readData(ObjectDataInput in) {
        request = WireInput.read(in, "a request for the status", PageRequest.FORM.reader());
    }
}
