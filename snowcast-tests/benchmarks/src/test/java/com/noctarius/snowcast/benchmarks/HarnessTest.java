// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The harness runs, and counts what it is given. */
class HarnessTest {
    private static final Effort LEAST = new Effort(0.001);

    @Test
    void countsAndTimesEachCall() throws Exception {
        AtomicLong calls = new AtomicLong();
        Load load = Load.of(calls::incrementAndGet, Thread::new, 3, Duration.ofMillis(20), Load.Timing.EACH_CALL);
        assertThat(load.calls()).hasSize(3);
        assertThat(load.calls().stream().mapToLong(Long::longValue).sum()).isEqualTo(calls.get());
        assertThat(load.waits().getTotalCount()).isEqualTo(calls.get());
        assertThat(load.nanos()).isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    }

    @Test
    void fairnessIsThatOfTheSlowest() {
        Load load = new Load(2_000_000, 1_000_000, List.of(50L, 150L, 100L), Load.histogram());
        assertThat(load.fairness()).isEqualTo(0.5);
        assertThat(load.callsPerMillisecond()).isEqualTo(150);
        assertThat(load.coresBusy()).isEqualTo(0.5);
    }

    @Test
    @Tag("faults")
    void pausesHaveTheirFiguresWithSequencersAndWithout() throws Exception {
        assertThat(Part.PAUSES.measure("snowcast", LEAST))
                .allSatisfy(result -> assertThat(result.value()).isFinite().isNotNegative())
                .filteredOn(result -> result.metric().equals("gets"))
                .extracting(Result::subject, Result::setting)
                .containsExactly(
                        tuple("0 sequencers", "quiet"),
                        tuple("0 sequencers", "a member joins"),
                        tuple("0 sequencers", "a member leaves"),
                        tuple("0 sequencers", "a member is killed"),
                        tuple("100 sequencers", "quiet"),
                        tuple("100 sequencers", "a member joins"),
                        tuple("100 sequencers", "a member leaves"),
                        tuple("100 sequencers", "a member is killed"));
    }

    /** On a busy machine a short measurement may be over before any thread has run. */
    @Test
    void nobodyWasTreatedUnfairlyWhereNobodyRan() {
        assertThat(new Load(1_000_000, 0, List.of(0L, 0L), Load.histogram()).fairness())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"THROUGHPUT", "INTEGERS", "VIRTUAL", "SCALE", "PAUSES"})
    void eachPartFindsFiguresOfItsSubjects(Part part) throws Exception {
        for (String subject : part.subjects()) {
            List<Result> results = part.measure(subject, LEAST);
            assertThat(results).isNotEmpty().allSatisfy(result -> {
                assertThat(result.subject()).isEqualTo(subject);
                assertThat(result.value()).isFinite().isNotNegative();
                assertThat(Threads.setting(Threads.count(result.setting()))).isEqualTo(result.setting());
            });
            assertThat(results.stream().map(result -> result.setting() + result.metric()))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void figuresOfAGroupAreReplacedTogether() {
        Result formerRate = result("throughput", "A", 1);
        Result formerWait = result("saturation", "A", 2);
        Result rate = result("throughput", "B", 3);
        assertThat(Benchmarks.merge(List.of(formerRate, formerWait), List.of(rate)))
                .containsExactly(formerWait, rate);
    }

    @Test
    void figuresAreReadAsWritten(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("new").resolve("results.json");
        List<Result> results = List.of(result("throughput", "A", 1), result("throughput", "µ", 0.1));
        Results.write(file, results);
        assertThat(Results.read(file)).isEqualTo(results);
    }

    private static Result result(String group, String subject, double value) {
        return new Result(group, subject, Threads.setting(1), "rate", value, 0, "");
    }
}
