// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.OperationTimeoutException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests which failures lead to a retry, and which message the caller gets. */
class AnswersTest {
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final OperationTimeoutException REJECTION = new OperationTimeoutException(
            "RequestOperation got rejected before execution due to not starting within the operation-call-timeout of:"
                    + " 60000 ms.");

    private final Queue<Throwable> failures = new ArrayDeque<>();
    private int calls;

    private CompletableFuture<String> call() {
        calls++;
        Throwable failure = failures.poll();
        return failure == null ? CompletableFuture.completedFuture("granted") : CompletableFuture.failedFuture(failure);
    }

    private CompletableFuture<String> whileRejected(long tryMillis) {
        return Answers.whileRejected(this::call, tryMillis, Runnable::run);
    }

    @Test
    void requestThatIsRejectedForItsAgeIsSentAgain() {
        failures.addAll(List.of(REJECTION, new CompletionException(REJECTION)));
        assertThat(whileRejected(LONG_MILLIS).join()).isEqualTo("granted");
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void otherFailuresAreAnswers() {
        OperationTimeoutException unknown = new OperationTimeoutException(
                "RequestOperation invocation failed to complete due to operation-heartbeat-timeout.");
        failures.add(unknown);
        assertThatThrownBy(whileRejected(LONG_MILLIS)::join).hasCause(unknown);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void callThatCannotBeMadeIsAFailure() {
        HazelcastInstanceNotActiveException ended = new HazelcastInstanceNotActiveException();
        CompletableFuture<String> answer = Answers.whileRejected(
                () -> {
                    throw ended;
                },
                LONG_MILLIS,
                Runnable::run);
        assertThatThrownBy(answer::join).hasCause(ended);
    }

    @Test
    void rejectionIsExplainedByTheClocks() {
        failures.add(REJECTION);
        assertThatThrownBy(() -> Answers.outcome("sequencer orders", LONG_MILLIS, () -> whileRejected(0)))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer orders: the owner of the partition took the request for older than the call"
                        + " time-out, and did not carry it out: the clocks of the members differ, or one of them was"
                        + " busy for as long; compare their clocks, then try again")
                .hasCause(REJECTION);
        assertThat(calls).isEqualTo(1);
    }
}
