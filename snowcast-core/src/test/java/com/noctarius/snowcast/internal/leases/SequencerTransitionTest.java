// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SequencerTransitionTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeCluster cluster = new FakeCluster(clock);
    private final FakeMember member = cluster.join(clock);
    private final FakeCoordinator coordinator = member.coordinator;

    private void assertState(Sequencer sequencer, SnowcastSequenceState state) {
        assertThat(sequencer.getSequencerState()).isEqualTo(state);
    }

    private static long slotOf(Sequencer sequencer, long id) {
        return sequencer.timestampValue(id) << 2 | sequencer.counterValue(id);
    }

    @Test
    void detachGivesTheNodeBackWithItsLastTimestamp() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        long last = sequencer.next(6)[5];

        sequencer.detachLogicalNode();

        assertState(sequencer, SnowcastSequenceState.Detached);
        assertThat(coordinator.detaches)
                .containsExactly(new DetachRequest(
                        "orders0",
                        sequencer.logicalNodeId(last),
                        coordinator.grantOf("orders0").token(),
                        sequencer.timestampValue(last)));
    }

    /** Two copies of a process, made while the sequencer was Detached, would otherwise get one grant. */
    @Test
    void eachAttachIsThatOfANewHolderAndAReattachIsNot() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        sequencer.attachLogicalNode();
        sequencer.clusterChanged("this member joins another cluster");
        sequencer.reattach();

        List<UUID> holders =
                coordinator.attaches.stream().map(AttachRequest::holder).toList();
        assertThat(holders).hasSize(3);
        assertThat(holders.get(1)).isNotEqualTo(holders.get(0));
        assertThat(holders.get(2)).isEqualTo(holders.get(1));
    }

    @Test
    void noBatchGoesOnAfterTheClusterHasHeardOfTheDetach() throws Exception {
        ManualClock blocking = ManualClock.blocking(START);
        FakeMember holder = new FakeCluster(blocking).join(blocking);
        Sequencer sequencer = holder.create("orders0");
        long[] ids = new long[40]; // IDs of ten milliseconds
        Waiting<Object> batch = Waiting.start(() -> {
            sequencer.next(ids, 0, ids.length);
            return ids;
        });
        blocking.awaitParked(1);
        holder.coordinator.onNextDetach(() -> {
            // The answer to the detach takes as long as the whole batch would.
            blocking.advanceMillis(10);
            assertThatThrownBy(batch::get).isInstanceOf(SnowcastStateException.class);
        });

        sequencer.detachLogicalNode();

        assertThat(holder.coordinator.detaches).hasSize(1);
        long lastIdTime = holder.coordinator.detaches.get(0).lastIdTime();
        assertThat(ids[0]).isNotZero();
        assertThat(LongStream.of(ids).map(sequencer::timestampValue)).allMatch(millis -> millis <= lastIdTime);
    }

    @Test
    void callsInTheWrongStateSayWhichIsWantedAndWhy() {
        Sequencer sequencer = member.create("orders0");
        assertThatThrownBy(sequencer::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageStartingWith("sequencer orders0 must be Detached: it is Attached");

        sequencer.detachLogicalNode();
        String detached = "sequencer orders0 must be Attached: it is Detached, it was detached;"
                + " attachLogicalNode() attaches it";
        assertThatThrownBy(sequencer::detachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage(detached);
        assertNoIds(sequencer, detached);

        member.sequencers.destroy("sequencer", sequencer);
        assertNoIds(sequencer, "sequencer orders0 must be Attached: it is Destroyed, it was destroyed");
        assertThatThrownBy(sequencer::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders0 must be Detached: it is Destroyed, it was destroyed");
    }

    private static void assertNoIds(Sequencer sequencer, String message) {
        assertThatThrownBy(sequencer::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> sequencer.next(2))
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage(message);
        assertThatThrownBy(sequencer::tryNext)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage(message);
    }

    @Test
    void countsAndRangesAreChecked() {
        Sequencer sequencer = member.create("orders0");

        assertThatThrownBy(() -> sequencer.next(-3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be 0 to 16777216: -3");
        assertThatThrownBy(() -> sequencer.next(Integer.MAX_VALUE))
                .as("more than fits into a heap")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be 0 to 16777216: 2147483647");
        assertThatThrownBy(() -> sequencer.next(new long[2], 1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void clusterOutOfReachDoesNotHinderTheDetach() {
        Sequencer sequencer = member.create("orders0");
        coordinator.fail(new IllegalStateException("no owner"));

        sequencer.detachLogicalNode();

        assertState(sequencer, SnowcastSequenceState.Detached);
        assertThat(member.warnings())
                .containsExactly("WARNING Sequencer orders0: could not give back node ID "
                        + coordinator.grantOf("orders0").logicalNodeId()
                        + "; it is free when its lease has ended");
    }

    @Test
    void failedAttachLeavesTheSequencerDetached() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        coordinator.fail(new IllegalStateException("no owner"));
        assertThatThrownBy(sequencer::attachLogicalNode).hasMessage("no owner");
        assertState(sequencer, SnowcastSequenceState.Detached);

        coordinator.fail(null);
        sequencer.attachLogicalNode();

        assertState(sequencer, SnowcastSequenceState.Attached);
    }

    @Test
    void lostRepliesToAReattachCostNoNode() {
        Sequencer sequencer = member.create("orders0");
        sequencer.clusterChanged("this member joins another cluster");
        for (int i = 0; i < 20; i++) {
            coordinator.onNextGrant(() -> {
                throw new IllegalStateException("lost");
            });
            sequencer.reattach();
            assertThat(sequencer.state().sealed()).isNotNull();
        }
        sequencer.reattach();

        assertThat(sequencer.state().sealed()).isNull();
        assertState(sequencer, SnowcastSequenceState.Attached);
    }

    /** The next grant of the lost node ID must begin above all used slots. */
    @Test
    void aReattachSaysWhatWasUsedBefore() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        long last = sequencer.next();
        sequencer.clusterChanged("this member joins another cluster");
        sequencer.reattach();

        assertThat(coordinator.attaches.get(1).lastIdTime()).isEqualTo(sequencer.timestampValue(last));
    }

    @Test
    void attachToADestroyedIncarnationMakesTheInstanceDestroyed() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        FakeMember other = cluster.join(clock);
        coordinator.onNextAttach(() -> other.sequencers.destroy("sequencer", other.create("orders0")));

        assertThatThrownBy(sequencer::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("orders0 cannot be attached: it was destroyed");
        assertState(sequencer, SnowcastSequenceState.Destroyed);
    }

    @Test
    void grantThatADestructionOvertakesIsVoidAndGivenBack() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        coordinator.onNextGrant(() -> member.sequencers.leaseKeeper.destroyUpTo(
                "orders0", sequencer.state().incarnation()));

        assertThatThrownBy(sequencer::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("orders0 cannot be attached: it was destroyed");
        assertState(sequencer, SnowcastSequenceState.Destroyed);
        assertGivenBack();
    }

    private void assertGivenBack() {
        assertThat(coordinator.detaches)
                .last()
                .extracting(DetachRequest::token)
                .isEqualTo(coordinator.grantOf("orders0").token());
    }

    @Test
    void closeSealsAllAndReturnsWhatToGiveBack() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        long last = sequencer.next(6)[5];
        member.create("detached0").detachLogicalNode();

        List<DetachRequest> requests = member.sequencers.close("the power is out");

        assertThat(requests)
                .containsExactly(new DetachRequest(
                        "orders0",
                        sequencer.logicalNodeId(last),
                        coordinator.grantOf("orders0").token(),
                        sequencer.timestampValue(last)));
        assertNoIds(sequencer, "sequencer orders0 must be Attached: it is Detached, the power is out");
        assertThat(member.sequencers.close("again")).isEmpty();
    }

    @Test
    void grantThatArrivesAfterTheCloseIsVoidAndGivenBack() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        coordinator.onNextGrant(
                () -> assertThat(member.sequencers.close("the power is out")).isEmpty());

        assertThatThrownBy(sequencer::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders0 cannot be attached: the power is out");
        assertState(sequencer, SnowcastSequenceState.Detached);
        assertGivenBack();
    }

    @Test
    void closeEndsACreationThatIsUnderWay() {
        coordinator.onNextGrant(() -> member.sequencers.close("the power is out"));

        assertThatThrownBy(() -> member.create("orders0"))
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders0 cannot be attached: the power is out");
        assertThat(coordinator.attaches).hasSize(1);
        assertGivenBack();
        assertThat(member.sequencers.leaseKeeper.names.all()).isEmpty();
    }

    @Test
    void newAttachmentBeginsInTheNextMillisecondSoThatIdsIncreaseAsPlainNumbers() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        long before = sequencer.next();
        for (int i = 0; i < 50; i++) {
            sequencer.detachLogicalNode().attachLogicalNode();
            assertThat(sequencer.tryNext()).isEmpty();
            clock.advanceMillis(1);
            long id = sequencer.next();
            assertThat(Long.compareUnsigned(id, before)).isPositive();
            before = id;
        }
    }

    // --- a log that fails, because the disk is full or the application's classes were unloaded

    private void failLog() {
        member.failLog(new NoClassDefFoundError("org/example/Appender"));
    }

    /** If a grant were released without its last used slot, the next grant could begin below that slot. */
    @Test
    void aDetachWhoseLogFailsGivesBackWhatWasUsed() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        long last = sequencer.next(6)[5];
        failLog();

        Throwable unused = catchThrowable(sequencer::detachLogicalNode);

        assertThat(coordinator.detaches)
                .extracting(DetachRequest::lastIdTime)
                .containsExactly(sequencer.timestampValue(last));
        sequencer.attachLogicalNode();
        assertThat(slotOf(sequencer, sequencer.next())).isGreaterThan(slotOf(sequencer, last));
    }

    @Test
    void aGrantWhoseLogFailsIsRenewed() {
        failLog();
        Throwable unused = catchThrowable(() -> member.create("orders0"));
        clock.advanceMillis(FakeCluster.LEASE_MILLIS / 2);
        member.keep();
        assertThat(coordinator.renewalCount()).isEqualTo(1);
    }

    @Test
    void allGrantsOfAFormerClusterEndAlsoIfTheLogFails() {
        List<Sequencer> sequencers = List.of(member.create("orders0"), member.create("orders1"));
        failLog();
        Throwable unused = catchThrowable(() -> member.sequencers.clusterChanged("another cluster"));
        assertThat(sequencers)
                .allSatisfy(each -> assertThat(each.state().sealed()).isNotNull());
    }
}
