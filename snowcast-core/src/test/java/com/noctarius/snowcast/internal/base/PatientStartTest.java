// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatientStartTest {
    private static final PatientStart START = new PatientStart(Duration.ofHours(1));

    @Test
    void whatCannotBeHadYetIsAskedForAgain() {
        AtomicInteger calls = new AtomicInteger();
        assertThat(START.<String>run("The sequencer", () -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new SnowcastUnavailableException("away", null);
                    }
                    return "there";
                }))
                .isEqualTo("there");
        assertThat(calls).hasValue(3);
    }

    @Test
    void theWaitHasAnEnd() {
        assertThatThrownBy(() -> new PatientStart(Duration.ZERO).run("The sequencer", () -> {
                    throw new SnowcastUnavailableException("away", null);
                }))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("The sequencer could not be had within PT0S: away");
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> START.run("The sequencer", () -> {
                    throw new SnowcastUnavailableException("away", null);
                }))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("was not waited for any more, since the start was interrupted: away");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void otherFailuresAreNotRepeated() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> START.run("The sequencer", () -> {
                    calls.incrementAndGet();
                    throw new SnowcastException("wrong");
                }))
                .hasMessage("wrong");
        assertThat(calls).hasValue(1);
    }
}
