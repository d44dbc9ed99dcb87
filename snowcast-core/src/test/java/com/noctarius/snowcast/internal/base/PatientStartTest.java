// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatientStartTest {
    private static final String DATE = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

    private final ManualTime time = new ManualTime();
    private final List<String> logged = new ArrayList<>();
    private final PatientStart start = start(Duration.ofMinutes(2));

    /** A time that passes only in pauses, and when a test calls {@code pass}. */
    private static final class ManualTime implements PatientStart.Time {
        private final Map<Long, Runnable> later = new TreeMap<>();
        private long nanos = 17;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pause(long forNanos) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            pass(forNanos);
        }

        void pass(long forNanos) {
            long end = nanos + forNanos;
            while (!later.isEmpty() && later.keySet().iterator().next() <= end) {
                nanos = later.keySet().iterator().next();
                Objects.requireNonNull(later.remove(nanos)).run();
            }
            nanos = end;
        }

        @Override
        public Runnable later(long inNanos, Runnable task) {
            long due = nanos + inNanos;
            later.put(due, task);
            return () -> later.remove(due);
        }
    }

    private PatientStart start(Duration timeout) {
        return new PatientStart(timeout, logged::add, time);
    }

    private static String fail(String reason) {
        throw new SnowcastUnavailableException(reason, null);
    }

    @Test
    void aCallThatCannotBeServedYetIsRepeated() {
        AtomicInteger calls = new AtomicInteger();
        assertThat(start.run("the sequencer", () -> calls.incrementAndGet() < 3 ? fail("away") : "there"))
                .isEqualTo("there");
        assertThat(calls).hasValue(3);
        assertThat(logged)
                .singleElement()
                .asString()
                .matches("the sequencer has to wait, until " + DATE + " at the latest: away");
        assertThat(time.later).as("nothing more to log").isEmpty();
    }

    @Test
    void theWarningIsRepeatedEvery30SecondsWithThePresentReason() {
        Instant before = Instant.now();
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> start.run("the sequencer", () -> fail("away " + calls.incrementAndGet())))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("the sequencer was not ready within PT2M: away " + calls);
        assertThat(logged).hasSize(5).allMatch(line -> line.matches(".* until " + DATE + " at the latest: away \\d+"));
        assertThat(logged.get(0))
                .startsWith("the sequencer has to wait, until ")
                .endsWith(": away 1");
        assertThat(logged.subList(1, 5))
                .extracting(line -> line.replaceAll(", and waits until.*", ""))
                .containsExactly(
                        "the sequencer has waited for 30 s",
                        "the sequencer has waited for 60 s",
                        "the sequencer has waited for 90 s",
                        "the sequencer has waited for 120 s");
        assertThat(logged.get(4)).doesNotEndWith("away 1");
        assertThat(Instant.parse(logged.get(0).replaceAll(".*until | at the latest.*", "")))
                .isBetween(before.plusSeconds(119), before.plusSeconds(180));
        assertThat(time.later).isEmpty();
    }

    /** Each attempt may cost a stack trace in the log of a connection pool, so the pauses between attempts grow. */
    @Test
    void triesBecomeRareWithTheWait() {
        List<Long> tries = new ArrayList<>();
        assertThatThrownBy(() -> start.run("the sequencer", () -> {
                    tries.add(TimeUnit.NANOSECONDS.toMillis(time.nanos()));
                    return fail("away");
                }))
                .isInstanceOf(SnowcastUnavailableException.class);
        assertThat(tries)
                .startsWith(0L, 250L, 500L, 750L, 1_125L)
                .endsWith(120_000L)
                .hasSizeLessThan(24);
    }

    /** A call may block for long, for example while Hazelcast repeats its request. */
    @Test
    void aCallThatBlocksIsAWait() {
        start.run("the sequencer", () -> {
            if (time.nanos() < TimeUnit.SECONDS.toNanos(30)) {
                time.pass(TimeUnit.SECONDS.toNanos(31));
                return fail("no owner");
            }
            time.pass(TimeUnit.SECONDS.toNanos(60));
            return "there";
        });
        assertThat(logged).hasSize(3).element(1).asString().startsWith("the sequencer has waited for 60 s, and waits");
    }

    /** The start of a Hazelcast member, for example, blocks for a reason that is known in advance. */
    @Test
    void aWaitWithAReasonLogsItAfter30Seconds() {
        PatientStart.Wait wait =
                new PatientStart.Wait("the member", "until there are 3", "start the others", logged::add, time);
        time.pass(PatientStart.Wait.REPEAT_NANOS - 1);
        assertThat(logged).isEmpty();
        time.pass(1);
        assertThat(logged)
                .containsExactly("the member has waited for 30 s, and waits until there are 3: start the others");
        wait.close();
        time.pass(PatientStart.Wait.REPEAT_NANOS);
        assertThat(logged).hasSize(1);
    }

    /** The delayed tasks run early when the last user of snowcast's threads ends. */
    @Test
    void aLineThatComesEarlyIsLeftOut() {
        PatientStart.Wait wait =
                new PatientStart.Wait("the member", "until there are 3", "start the others", logged::add, time);
        Runnable early = Objects.requireNonNull(time.later.remove(time.nanos + PatientStart.Wait.REPEAT_NANOS));
        early.run();
        assertThat(logged).isEmpty();
        time.pass(PatientStart.Wait.REPEAT_NANOS);
        assertThat(logged).hasSize(1);
        wait.close();
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() ->
                        new PatientStart(Duration.ofHours(1), logged::add).run("the sequencer", () -> fail("away")))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("was not ready when the start was interrupted: away");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void otherFailuresAreNotRepeated() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> start.run("the sequencer", () -> {
                    calls.incrementAndGet();
                    throw new SnowcastException("wrong");
                }))
                .hasMessage("wrong");
        assertThat(calls).hasValue(1);
    }
}
