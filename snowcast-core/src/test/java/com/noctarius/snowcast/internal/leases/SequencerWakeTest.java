// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that calls that wait because their sequencer lost its lease wake up when the sequencer continues or ends. The
 * clocks stand still, so the calls do not time out.
 */
class SequencerWakeTest {
    private final ManualClock clock = ManualClock.blocking(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final Sequencer sequencer = member.create("orders0");
    private Waiting<Long> next;

    @BeforeEach
    void letACallWait() throws InterruptedException {
        member.refuseRenewal(sequencer);
        next = Waiting.start(sequencer::next);
        clock.awaitParked(1);
    }

    @Test
    void reattachmentWakes() throws Exception {
        member.runTasks();

        assertThat(sequencer.logicalNodeId(next.get()))
                .isEqualTo(member.coordinator.grantOf("orders0").logicalNodeId());
    }

    @Test
    void detachWakes() {
        sequencer.detachLogicalNode();
        assertFailed();
    }

    @Test
    void destructionWakes() {
        member.sequencers.destroy(sequencer);
        assertFailed();
    }

    @Test
    void closeWakes() {
        member.sequencers.close("the power is out");
        assertFailed();
    }

    private void assertFailed() {
        assertThatThrownBy(next::get).isInstanceOf(SnowcastStateException.class);
    }
}
