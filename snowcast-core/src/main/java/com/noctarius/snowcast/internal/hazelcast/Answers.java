// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for answers of the cluster, and converts failures into the same exceptions on members and clients. */
public final class Answers {
    private static final String NO_DATA_MEMBER = "NoDataMemberInClusterException";
    private static final String WAY_OUT = "; check that its members run and can be reached from here, then try again";

    private static final int MAX_BRIEF = 200;

    /** A part of Hazelcast's exception message for a request that was too old on arrival and was not executed. */
    private static final String REJECTED = "rejected before execution";

    private static final long REJECTED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Answers() {}

    /**
     * Makes a call and waits for its answer. Retries a call whose outcome is unknown because an owner or a backup left;
     * this is safe, because requests are idempotent. Also retries a call that the owner rejects as too old without
     * executing it: after a step of the oldest member's clock, some members compute a wrong age until its next
     * heartbeat. If this method throws because of an interrupt or the time-out, the request may have been executed.
     */
    public static <T> T outcome(String subject, long timeoutMillis, Supplier<CompletableFuture<T>> call) {
        long deadlineNanos = SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        long pauseNanos = 0;
        while (true) {
            try {
                TimeUnit.NANOSECONDS.sleep(pauseNanos);
                return call.get().get(deadlineNanos - SystemClock.INSTANCE.nanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SnowcastUnavailableException(
                        subject + ": the thread was interrupted before the cluster had answered", e);
            } catch (TimeoutException e) {
                throw new SnowcastUnavailableException(
                        subject + ": no answer from the cluster within " + timeoutMillis + " ms" + WAY_OUT, e);
            } catch (ExecutionException e) {
                boolean isRejected = isRejection(causeOf(e));
                pauseNanos = isRejected ? REJECTED_PAUSE_NANOS : 0;
                boolean isOver = deadlineNanos - SystemClock.INSTANCE.nanos() <= pauseNanos;
                if (isOver || !(isRejected || causeOf(e) instanceof IndeterminateOperationStateException)) {
                    throw failure(subject, e);
                }
            } catch (RuntimeException e) { // The call could not be made.
                throw failure(subject, e);
            }
        }
    }

    private static boolean isRejection(Throwable failure) {
        return failure instanceof OperationTimeoutException
                && Objects.requireNonNullElse(failure.getMessage(), "").contains(REJECTED);
    }

    /**
     * Returns the exception that a caller receives for a failure. A {@link SnowcastException} or an
     * {@code IllegalArgumentException}, usually of the partition's owner, is returned unchanged. Any other failure,
     * whose message can have a thousand characters, is the cause of an exception whose class says whether it is
     * temporary.
     */
    public static RuntimeException failure(String subject, Throwable failed) {
        Throwable failure = causeOf(failed);
        if (failure instanceof SnowcastException || failure instanceof IllegalArgumentException) {
            return (RuntimeException) failure;
        }
        if (failure instanceof IndeterminateOperationStateException) {
            return new SnowcastUnavailableException(
                    subject
                            + ": no outcome, since members left; do all data members have snowcast on their class path?",
                    failure);
        }
        if (failure instanceof HazelcastSerializationException || failure instanceof UnsupportedOperationException) {
            return new SnowcastException(
                    subject + ": a data member of the cluster cannot read the request; all of them need"
                            + " the same version of snowcast on their class path: " + failure.getMessage(),
                    failure);
        }
        if (failure instanceof HazelcastInstanceNotActiveException
                || failure instanceof HazelcastClientNotActiveException) {
            return new SnowcastStateException(subject + ": the HazelcastInstance was shut down", failure);
        }
        String why = why(failure);
        return mayPass(failure)
                ? new SnowcastUnavailableException(subject + ": " + why, failure)
                : new SnowcastException(subject + ": " + why, failure);
    }

    private static Throwable causeOf(Throwable failed) {
        boolean isOnlyWrapped = failed instanceof ExecutionException || failed instanceof CompletionException;
        return isOnlyWrapped && failed.getCause() != null ? failed.getCause() : failed;
    }

    private static String why(Throwable failure) {
        Throwable reason = failure;
        // A client retries a request until a time-out. The cause of the time-out is the failure of the last attempt.
        while (reason instanceof OperationTimeoutException && reason.getCause() != null) {
            reason = causeOf(reason.getCause());
        }
        if (reason instanceof HazelcastClientOfflineException) {
            return "the client is not connected to the cluster" + WAY_OUT;
        }
        if (isRejection(reason)) {
            return "the owner of the partition took the request for older than the call time-out, and did not carry it"
                    + " out: the clocks of the members differ, or one of them was busy for as long; compare their"
                    + " clocks, then try again";
        }
        if (reason instanceof TimeoutException) {
            return "no answer from the cluster in time" + WAY_OUT;
        }
        if (reason.getClass().getSimpleName().equals(NO_DATA_MEMBER)) {
            return "the cluster has lite members only, and needs a data member";
        }
        String brief = brief(reason);
        if (reason instanceof SplitBrainProtectionException) {
            return "fewer members are connected than split-brain protection wants; try again when the others are back: "
                    + brief;
        }
        boolean saysWhy = reason.getClass() == RetryableHazelcastException.class || reason instanceof SnowcastException;
        return saysWhy
                ? brief
                : "no answer from the cluster" + WAY_OUT + ": "
                        + reason.getClass().getSimpleName() + (brief.isEmpty() ? "" : ": " + brief);
    }

    /** Returns the message of an exception without Hazelcast's long description of the request. */
    private static String brief(Throwable failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "")
                .replaceAll("(?s)[\\w.$]*(Invocation|Operation|Op)\\{.*", "...");
        return message.length() <= MAX_BRIEF ? message : message.substring(0, MAX_BRIEF) + "...";
    }

    /** Returns whether a failure is temporary. Every subclass of {@code HazelcastException} counts as temporary. */
    private static boolean mayPass(Throwable failure) {
        return (failure instanceof HazelcastException && failure.getClass() != HazelcastException.class)
                || failure instanceof HazelcastClientOfflineException
                || failure instanceof IOException
                || failure instanceof TimeoutException;
    }

    /**
     * Waits for the answers of several calls. After the last answer or the time-out, throws if a call failed or has no
     * answer. An interrupt does not end the wait, so that an interrupted thread can still release node IDs.
     */
    public static void awaitAll(String subject, long timeoutMillis, List<CompletableFuture<?>> answers) {
        CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
        try {
            Delays.orTimeout(all, TimeUnit.MILLISECONDS.toNanos(timeoutMillis)).join();
        } catch (CompletionException e) {
            throw failure(subject, e);
        }
    }
}
