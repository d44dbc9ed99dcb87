// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InstanceSnowcastTest {
    private final ManualClock clock = ManualClock.autoAdvancing(FakeCluster.START);
    private final FakeCoordinator coordinator = new FakeCluster(clock).join(clock).coordinator;
    private final List<String> logged = new ArrayList<>();
    private final InstanceSnowcast snowcast =
            new Own(coordinator, clock, (level, message, cause) -> logged.add(level + " " + message));

    static final class Own extends InstanceSnowcast {
        Own(Coordinator coordinator, ManualClock clock, Log log) {
            super(
                    false,
                    coordinator,
                    config -> null,
                    "it ended",
                    clock,
                    new InstanceThreads("own", log),
                    log,
                    Stream::empty,
                    sink -> {});
        }
    }

    /** The shutdown must continue, because the member still has to close its high-water mark and end its threads. */
    @Test
    void theEndGoesOnWhereTheNodeIdsCannotBeGivenBack() {
        SnowcastSequencer sequencer =
                snowcast.createSequencer(FakeCluster.config("orders0").build());
        coordinator.fail(new OutOfMemoryError("unable to create native thread"));

        assertThat(catchThrowable(() -> snowcast.close(1_000))).isNull();

        assertThat(sequencer.getSequencerState().name()).isEqualTo("Detached");
        assertThat(logged).anyMatch(line -> line.startsWith("WARNING Could not give back 1 node IDs"));
    }

    @Test
    void listenersAreToldOfAllFindingsAlsoAfterOneThatFailsWhichIsLoggedOnce() {
        List<PossibleDuplicates> heard = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            snowcast.addPossibleDuplicatesListener(finding -> {
                throw new NoClassDefFoundError("org/example/Mail");
            });
        }
        snowcast.addPossibleDuplicatesListener(heard::add);
        snowcast.addPossibleDuplicatesListener(finding -> {
            heard.add(finding);
            throw new IllegalStateException("no time");
        });

        snowcast.happened(new DuplicatesReported(List.of(ids("a"), ids("b"))));

        assertThat(heard).containsExactlyInAnyOrder(ids("a"), ids("a"), ids("b"), ids("b"));
        assertThat(logged).hasSize(11).allSatisfy(line -> assertThat(line).startsWith("WARNING A listener failed: "));
    }

    @Test
    void aListenerThatWasRemovedHearsNothing() {
        UUID id = snowcast.addPossibleDuplicatesListener(finding -> {
            throw new AssertionError(finding);
        });

        assertThat(snowcast.removePossibleDuplicatesListener(id)).isTrue();
        assertThat(snowcast.removePossibleDuplicatesListener(id)).isFalse();
        snowcast.happened(new DuplicatesReported(List.of(ids("a"))));

        assertThat(logged).isEmpty();
    }

    @Test
    void theNewestFindingsAreKept() {
        List<PossibleDuplicates> found =
                IntStream.range(0, 102).mapToObj(i -> ids("n" + i)).toList();

        snowcast.happened(new DuplicatesReported(found.subList(0, 101)));
        assertThat(snowcast.findings()).as("one event of more than the limit").isEqualTo(found.subList(1, 101));

        snowcast.happened(new DuplicatesReported(found.subList(101, 102)));
        assertThat(snowcast.findings()).isEqualTo(found.subList(2, 102));
    }

    private static PossibleDuplicates ids(String name) {
        return new PossibleDuplicates(name, -1, Instant.EPOCH, Instant.ofEpochMilli(9));
    }
}
