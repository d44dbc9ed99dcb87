// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.OperationTimeoutException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long LESS_THAN_A_PAUSE_MILLIS = 50;
    private final OperationTimeoutException rejection = new OperationTimeoutException(
            "RequestOperation got rejected before execution due to not starting within the operation-call-timeout of:"
                    + " 60000 ms.");

    private final Queue<Throwable> failures = new ArrayDeque<>();
    private int calls;

    private CompletableFuture<String> call() {
        calls++;
        Throwable failure = failures.poll();
        return failure == null ? CompletableFuture.completedFuture("granted") : CompletableFuture.failedFuture(failure);
    }

    private String outcome(long timeoutMillis) {
        return Answers.outcome("sequencer orders", timeoutMillis, this::call);
    }

    @Test
    void requestThatIsRejectedForItsAgeIsSentAgain() {
        failures.addAll(List.of(rejection, new CompletionException(rejection)));
        assertThat(outcome(LONG_MILLIS)).isEqualTo("granted");
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void requestWithoutAnOutcomeIsSentAgain() {
        failures.add(new IndeterminateOperationStateException("a member left"));
        assertThat(outcome(LONG_MILLIS)).isEqualTo("granted");
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void otherFailuresAreAnswers() {
        OperationTimeoutException unknown = new OperationTimeoutException(
                "RequestOperation invocation failed to complete due to operation-heartbeat-timeout.");
        failures.add(unknown);
        assertThatThrownBy(() -> outcome(LONG_MILLIS)).hasCause(unknown);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void interruptEndsThePauseAfterARejection() {
        failures.add(rejection);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> outcome(LONG_MILLIS))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void rejectionIsExplainedByTheClocks() {
        failures.add(rejection);
        assertThatThrownBy(() -> outcome(LESS_THAN_A_PAUSE_MILLIS))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer orders: the owner of the partition took the request for older than the call"
                        + " time-out, and did not carry it out: the clocks of the members differ, or one of them was"
                        + " busy for as long; compare their clocks, then try again")
                .hasCause(rejection);
        assertThat(calls).isEqualTo(1);
    }
}
