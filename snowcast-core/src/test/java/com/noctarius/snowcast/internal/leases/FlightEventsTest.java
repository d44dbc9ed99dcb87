// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.blocks.BlockSequence;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the events for Java Flight Recorder, and that snowcast works without Flight Recorder. */
@Tag("integration")
class FlightEventsTest {
    private static final Duration SLOW = Duration.ofMillis(50);

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final FakeCoordinator coordinator = member.coordinator;

    @TempDir
    Path directory;

    private interface Action {
        void run() throws InterruptedException;
    }

    private List<RecordedEvent> recorded(Action action) throws IOException, InterruptedException {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("snowcast."))
                .toList();
    }

    private static List<RecordedEvent> all(List<RecordedEvent> events, String type) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .toList();
    }

    private static RecordedEvent only(List<RecordedEvent> events, String type) {
        List<RecordedEvent> found = all(events, type);
        assertThat(found).as("%s in %s", type, events).hasSize(1);
        return found.get(0);
    }

    @Test
    void lifeOfASequencerIsRecorded() throws IOException, InterruptedException {
        List<RecordedEvent> events = recorded(() -> {
            Sequencer sequencer = member.create("orders0");
            Grant first = coordinator.grantOf("orders0");
            clock.advanceMillis(FakeCluster.LEASE_MILLIS / 2);
            member.keep();
            clock.advanceMillis(30);
            coordinator.failRenewal(new IllegalStateException("lost"));
            coordinator.takeAway("orders0");
            member.keep();
            coordinator.answerRenewal();
            member.runTasks();
            assertThat(sequencer.stats().leaseLossCount()).isOne();
            assertThat(coordinator.grantOf("orders0").logicalNodeId()).isNotEqualTo(first.logicalNodeId());
        });

        List<RecordedEvent> attaches = all(events, "snowcast.Attach");
        assertThat(attaches).hasSize(2);
        RecordedEvent attach = attaches.get(0);
        assertThat(attach.getInt("formerNodeId")).isEqualTo(-1);
        assertThat(attach.getString("reason")).isEmpty();
        assertThat(attach.getString("name")).isEqualTo("orders0");
        assertThat(attach.getInstant("until")).isAfter(Instant.ofEpochMilli(START));
        assertThat(attach.getDuration("took")).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(attach.getEventType().getCategoryNames()).containsExactly("snowcast");
        RecordedEvent failed = only(events, "snowcast.RenewalFailed");
        assertThat(failed.getString("name")).isEqualTo("orders0");
        assertThat(failed.getInt("sequencers")).isOne();
        assertThat(failed.getString("reason"))
                .startsWith("renewals fail since ")
                .endsWith("lost");
        assertThat(failed.getDuration("took")).isEqualTo(Duration.ofMillis(30));
        RecordedEvent reattach = attaches.get(1);
        assertThat(reattach.getString("name")).isEqualTo("orders0");
        assertThat(reattach.getInt("formerNodeId")).isEqualTo(attach.getInt("logicalNodeId"));
        assertThat(reattach.getInt("logicalNodeId"))
                .isEqualTo(coordinator.grantOf("orders0").logicalNodeId());
        assertThat(reattach.getInstant("until")).isAfter(attach.getInstant("until"));
        assertThat(reattach.getString("reason")).isEqualTo("it is no longer granted to this holder");
    }

    @Test
    void longWaitOfACallIsRecordedAndAShortOneIsNot() throws IOException, InterruptedException {
        Sequencer sequencer = member.create("orders0");
        Grant grant = coordinator.grantOf("orders0");
        List<RecordedEvent> events = recorded(() -> {
            sequencer.next(sequencer.layout().idsPerMillisecond() * 3);
            assertThat(sequencer.stats().waitCount()).isPositive();
            clock.advanceMillis(grant.leaseMillis());
            clock.onNextPark(() -> {
                clock.advanceMillis(70);
                member.keep();
                coordinator.answerRenewal();
            });
            sequencer.next();
        });

        RecordedEvent wait = only(events, "snowcast.Wait");
        assertThat(wait.getString("kind")).isEqualTo("sequencer");
        assertThat(wait.getString("name")).isEqualTo("orders0");
        assertThat(wait.getDuration("took")).isGreaterThanOrEqualTo(Duration.ofMillis(70));
    }

    @Test
    void blocksAndTheWaitsForThemAreRecorded() throws IOException, InterruptedException {
        List<RecordedEvent> events = recorded(FlightEventsTest::takeAnInteger);

        RecordedEvent block = only(events, "snowcast.BlockReserved");
        assertThat(block.getString("name")).isEqualTo("invoices");
        assertThat(block.getLong("first")).isEqualTo(1_000);
        assertThat(block.getLong("count")).isEqualTo(100);
        assertThat(block.getDuration("took")).isGreaterThanOrEqualTo(SLOW);
        RecordedEvent wait = only(events, "snowcast.Wait");
        assertThat(wait.getString("kind")).isEqualTo("integer sequence");
        assertThat(wait.getString("name")).isEqualTo("invoices");
        assertThat(wait.getDuration("took")).isPositive();
    }

    private static void takeAnInteger() throws InterruptedException {
        BlockStore slow = (name, size) -> {
            try {
                boolean unused = new CountDownLatch(1).await(SLOW.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new Block(1_000, size, 1);
        };
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("invoices")
                .blockSize(100)
                .prefetchThreshold(1)
                .store(slow)
                .build();
        try (IntegerSequence sequence = BlockSequence.standalone(config)) {
            assertThat(sequence.next()).isEqualTo(1_000);
        }
    }

    /** A Java runtime that was linked by {@code jlink}, for example, may lack Flight Recorder. */
    @Test
    void javaWithoutFlightRecorderWillDo() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules=java.base,java.logging",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutFlightRecorder.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("works without jdk.jfr");
    }

    /** A program that takes steps for which snowcast has events. */
    static final class WithoutFlightRecorder {
        public static void main(String[] args) throws IOException, InterruptedException {
            if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
                throw new AssertionError("jdk.jfr is there");
            }
            FlightEventsTest test = new FlightEventsTest();
            Sequencer sequencer = test.member.create("orders0");
            test.clock.advanceMillis(FakeCluster.LEASE_MILLIS / 2);
            test.member.keep();
            test.coordinator.failRenewal(new IllegalStateException("lost"));
            test.coordinator.takeAway("orders0");
            test.member.keep();
            test.coordinator.answerRenewal();
            test.member.runTasks();
            sequencer.next(sequencer.layout().idsPerMillisecond() * 3);
            takeAnInteger();
            if (sequencer.stats().leaseLossCount() != 1) {
                throw new AssertionError(sequencer.stats());
            }
            System.out.println("works without jdk.jfr");
        }
    }
}
