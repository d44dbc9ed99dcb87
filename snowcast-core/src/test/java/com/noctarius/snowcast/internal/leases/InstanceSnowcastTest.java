// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceSnowcastTest {
    private final ManualClock clock = ManualClock.autoAdvancing(FakeCluster.START);
    private final FakeCoordinator coordinator = new FakeCluster(clock).join(clock).coordinator;
    private final List<String> logged = new ArrayList<>();
    private final Log log = (level, message, cause) -> logged.add(level + " " + message);

    static final class Own extends InstanceSnowcast {
        Own(Coordinator coordinator, ManualClock clock, Log log) {
            super(coordinator, config -> null, "it ended", clock, new InstanceThreads("own", log), log);
        }
    }

    /** The shutdown must continue, because the member still has to close its high-water mark and end its threads. */
    @Test
    void theEndGoesOnWhereTheNodeIdsCannotBeGivenBack() {
        InstanceSnowcast snowcast = new Own(coordinator, clock, log);
        SnowcastSequencer sequencer =
                snowcast.createSequencer(FakeCluster.config("orders0").build());
        coordinator.fail(new OutOfMemoryError("unable to create native thread"));

        assertThat(catchThrowable(() -> snowcast.close(1_000))).isNull();

        assertThat(sequencer.getSequencerState().name()).isEqualTo("Detached");
        assertThat(logged).anyMatch(line -> line.startsWith("WARNING Could not give back 1 node IDs"));
    }
}
