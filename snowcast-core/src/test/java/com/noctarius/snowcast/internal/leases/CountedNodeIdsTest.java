// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.ShownMetrics;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the metrics of node IDs in use. */
class CountedNodeIdsTest {
    private final ManualClock clock = ManualClock.autoAdvancing(FakeCluster.START);
    private final FakeCoordinator coordinator = new FakeCluster(clock).join(clock).coordinator;
    private final InstanceSnowcast snowcast =
            new InstanceSnowcastTest.Own(coordinator, clock, (level, message, cause) -> {});

    private Map<String, String> shown() {
        ShownMetrics shown = new ShownMetrics();
        snowcast.show(shown);
        return shown.all();
    }

    private FakeCoordinator.Count asked() {
        return requireNonNull(coordinator.takeCount());
    }

    @Test
    void nothingIsAskedForWithoutASequencer() {
        assertThat(shown()).doesNotContainKey("nodeIds");
        assertThat(coordinator.takeCount()).isNull();
    }

    @Test
    void ownedNamesAreCountedUnlessThereAreTooMany() {
        CountedNodeIds counted = new CountedNodeIds(coordinator, () -> Stream.of("orders0", "users0"), clock);
        counted.show(Stream.empty(), new ShownMetrics(1));
        assertThat(coordinator.takeCount()).isNull();
        counted.show(Stream.empty(), new ShownMetrics(2));
        assertThat(asked().names()).containsExactlyInAnyOrder("orders0", "users0");
    }

    @Test
    void eachTimeIsShownWhatWasCountedAfterTheLastTimeAndItIsAskedForEveryTenSeconds() {
        snowcast.createSequencer(FakeCluster.config("orders0").build());
        assertThat(shown()).doesNotContainKey("orders0.nodeIds");

        FakeCoordinator.Count first = asked();
        assertThat(first.names()).containsExactly("orders0");
        first.reply().complete(Map.of("orders0", new NodeIdCounts(5, 3, 128)));
        clock.advanceMillis(9_000);
        assertThat(shown())
                .containsEntry("orders0.attachedNodeIds", "5")
                .containsEntry("orders0.expiringNodeIds", "3")
                .containsEntry("orders0.nodeIds", "128");
        assertThat(coordinator.takeCount()).isNull();

        clock.advanceMillis(1_000);
        shown();
        asked().reply().complete(Map.of("orders0", new NodeIdCounts(6, 0, 128)));
        assertThat(shown()).containsEntry("orders0.attachedNodeIds", "6");
    }

    @Test
    void nothingIsShownAfterACountThatFailed() {
        snowcast.createSequencer(FakeCluster.config("orders0").build());
        shown();
        asked().reply().complete(Map.of("orders0", new NodeIdCounts(5, 3, 128)));
        clock.advanceMillis(10_000);
        assertThat(shown()).containsKey("orders0.nodeIds");

        asked().reply().completeExceptionally(new SnowcastException("away"));

        assertThat(shown()).doesNotContainKey("orders0.nodeIds");
    }
}
