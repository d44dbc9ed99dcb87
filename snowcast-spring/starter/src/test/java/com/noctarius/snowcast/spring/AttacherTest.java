// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.test.TestSequencer;
import com.noctarius.snowcast.tests.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class AttacherTest {
    private final SnowcastSequencer sequencer = TestSequencer.of(SequencerConfig.builder("orders")
            .epoch(SnowcastEpoch.byInstant(TestSequencer.START))
            .build());

    /** The JVM throws an OutOfMemoryError, for example, while it cannot start a thread. */
    @Test
    void anErrorDoesNotEndTheAttempts() throws InterruptedException {
        Attacher attacher = new Attacher();
        AtomicInteger attempts = new AtomicInteger();
        try {
            attacher.attach(
                    sequencer,
                    () -> {
                        if (attempts.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                    },
                    new IllegalStateException("no member"));
            Await.until("it is attached", () -> attacher.refusalOf(sequencer) == null);
        } finally {
            attacher.destroy();
        }
        assertThat(attempts.get()).isEqualTo(2);
    }
}
