// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Gate;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a sequencer whose renewal was refused: it loses its lease and attaches to another node ID. */
class SequencerReattachTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final FakeCoordinator coordinator = member.coordinator;
    private final Sequencer sequencer = member.create("orders0");
    private final Grant firstGrant = coordinator.grantOf("orders0");
    private long idBefore;

    @BeforeEach
    void issueAnId() throws InterruptedException {
        idBefore = sequencer.next();
    }

    private boolean isReattached() {
        return !coordinator.grantOf("orders0").equals(firstGrant);
    }

    @Test
    void refusedSequencerAttachesToAnotherNodeByItself() throws InterruptedException {
        member.refuseRenewal(sequencer);
        assertThat(sequencer.state().sealed()).isNotNull();
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);

        member.runTasks();

        assertThat(isReattached()).isTrue();
        long id = sequencer.next();
        assertThat(sequencer.logicalNodeId(id))
                .isEqualTo(coordinator.grantOf("orders0").logicalNodeId());
        assertOrdered(idBefore, id);
        assertThat(member.logged)
                .containsExactly(
                        "INFO Sequencer orders0: attached to node ID " + firstGrant.logicalNodeId() + " until "
                                + instant(firstGrant.ceiling()),
                        "WARNING Sequencer orders0: lost the lease of node ID " + firstGrant.logicalNodeId()
                                + ": it is no longer granted to this holder",
                        "INFO Sequencer orders0: attached to node ID " + sequencer.logicalNodeId(id) + " until "
                                + instant(coordinator.grantOf("orders0").ceiling()) + ", in place of "
                                + firstGrant.logicalNodeId() + ": it is no longer granted to this holder");
    }

    private Instant instant(long idTime) {
        return Instant.ofEpochMilli(sequencer.epoch().getEpochOffset() + idTime);
    }

    private void assertOrdered(long... ids) {
        assertThat(Arrays.stream(ids).boxed().toList())
                .isSortedAccordingTo(
                        Comparator.comparingLong(sequencer::timestampValue).thenComparing(sequencer::counterValue))
                .doesNotHaveDuplicates();
    }

    @Test
    void idsStayInOrderWhenTheClockStepsBackBeforeTheReattachment() throws InterruptedException {
        clock.advanceMillis(50);
        long[] before = sequencer.next(2);
        member.refuseRenewal(sequencer);
        clock.stepWall(-FakeCluster.LEASE_MILLIS / 2 - 40);
        member.runTasks();

        assertOrdered(before[0], before[1], sequencer.next());
    }

    @Test
    void batchGoesOnInTheMiddleOfAReattachment() throws InterruptedException {
        clock.onNextPark(() -> member.refuseRenewal(sequencer));
        clock.onNextPark(member::runTasks);

        long[] ids = sequencer.next(20);

        assertOrdered(ids);
        assertThat(sequencer.stats().issuedCount()).isEqualTo(21);
        assertThat(sequencer.stats().leaseLossCount()).isEqualTo(1);
        assertThat(Arrays.stream(ids).mapToInt(sequencer::logicalNodeId).distinct())
                .containsExactly(
                        firstGrant.logicalNodeId(),
                        coordinator.grantOf("orders0").logicalNodeId());
    }

    @Test
    void tryNextIsEmptyAfterTheLeaseWasLost() {
        member.refuseRenewal(sequencer);
        assertThat(sequencer.tryNext()).isEmpty();

        member.runTasks();
        assertThat(sequencer.tryNext()).isPresent();
    }

    @Test
    void failuresOfAReattachmentAreLoggedOnce() {
        member.refuseRenewal(sequencer);
        coordinator.fail(new IllegalStateException("no owner"));
        member.runTasks();
        member.keep();
        member.keep();

        assertThat(member.logged)
                .filteredOn(line -> line.contains("could not attach"))
                .containsExactly("WARNING Sequencer orders0: could not attach to another node ID; it tries again");
    }

    @Test
    void callThatWaitsAsksForTheReattachmentItself() throws InterruptedException {
        member.refuseRenewal(sequencer);
        coordinator.fail(new IllegalStateException("no owner"));
        member.runTasks();
        coordinator.fail(null);
        clock.onNextPark(member::runTasks);

        assertOrdered(idBefore, sequencer.next());
    }

    @Test
    void detachAfterALostLeaseEndsTheWaits() {
        member.refuseRenewal(sequencer);
        clock.onNextPark(() -> sequencer.detachLogicalNode());

        assertThatThrownBy(sequencer::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageEndingWith("it is Detached, it was detached; attachLogicalNode() attaches it");
        member.runTasks();
        assertThat(isReattached()).isFalse();
        sequencer.attachLogicalNode();
        assertThat(isReattached()).isTrue();
    }

    @Test
    void destructionThatTheReattachmentFindsEndsTheWaits() {
        member.refuseRenewal(sequencer);
        coordinator.onNextAttach(
                () -> coordinator.destroy("orders0", sequencer.state().incarnation()));
        clock.onNextPark(member::runTasks);

        assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
    }

    /** A grant that was not released would delay the next creation, which waits for the detaches of all holders. */
    @Test
    void grantThatWasGivenUpIsGivenBackWhenTheReattachmentFindsADestruction() {
        coordinator.destroyUnheard("orders0", sequencer.state().incarnation());
        sequencer.giveUp(sequencer.grantInUse(), "it is of no use");
        member.keep();

        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(coordinator.detaches)
                .extracting(DetachRequest::token)
                .containsExactly(coordinator.grantOf("orders0").token());
        assertThat(member.sequencers.created()).isEmpty();
    }

    @Test
    void newGrantThatADestructionOvertakesIsVoidAndGivenBack() {
        member.refuseRenewal(sequencer);
        coordinator.onNextGrant(
                () -> coordinator.destroy("orders0", sequencer.state().incarnation()));
        member.runTasks();
        assertVoid(SnowcastSequenceState.Destroyed);
    }

    @Test
    void grantThatAChangeOfClusterOvertakesIsVoidAndTheNextOneCounts() throws InterruptedException {
        member.refuseRenewal(sequencer);
        coordinator.onNextGrant(() -> sequencer.clusterChanged("its cluster is gone"));
        int before = coordinator.attaches.size();
        member.runTasks();
        assertThat(coordinator.attaches)
                .as("the grant of the old cluster is not used")
                .hasSize(before + 2);

        assertThat(sequencer.state().sealed()).isNull();
        sequencer.next();
    }

    @Test
    void callsOutliveAChangeOfClusterWhileTheirGrantIsUnderWay() throws InterruptedException {
        coordinator.onNextGrant(() -> member.sequencers.clusterChanged("its cluster is gone"));
        Sequencer other = member.create("other1");
        assertThat(coordinator.attaches)
                .filteredOn(request -> request.name().equals("other1"))
                .hasSize(2);
        other.detachLogicalNode();

        coordinator.onNextGrant(() -> other.clusterChanged("its cluster is gone"));
        other.attachLogicalNode();
        assertThat(coordinator.attaches)
                .filteredOn(request -> request.name().equals("other1"))
                .hasSize(4);
        other.next();
    }

    @Test
    void newGrantThatACloseOvertakesIsVoidAndGivenBack() {
        member.refuseRenewal(sequencer);
        coordinator.onNextGrant(() -> member.sequencers.close("the power is out"));
        member.runTasks();
        assertVoid(SnowcastSequenceState.Detached);
    }

    @Test
    void anInterruptEndsAnAttachThatWaitsForAReattachment() throws Exception {
        member.refuseRenewal(sequencer);
        Gate gate = new Gate();
        coordinator.onNextAttach(gate::pass);
        Waiting<Boolean> reattachment = Waiting.start(() -> {
            member.runTasks();
            return true;
        });
        gate.awaitThread();
        Waiting<Object> attach = Waiting.start(sequencer::attachLogicalNode);
        attach.awaitWaiting();
        attach.thread().interrupt();

        assertThatThrownBy(attach::get)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer orders0: the thread was interrupted before another request of it had ended");
        gate.open();
        reattachment.get();
        assertThat(isReattached()).isTrue();
    }

    private void assertVoid(SnowcastSequenceState state) {
        assertThat(sequencer.getSequencerState()).isEqualTo(state);
        assertThatThrownBy(sequencer::tryNext).isInstanceOf(SnowcastStateException.class);
        assertThat(coordinator.detaches)
                .extracting(DetachRequest::token)
                .contains(coordinator.grantOf("orders0").token());
        assertThat(member.logged).noneMatch(line -> line.contains("could not attach"));
    }

    @Test
    void eachSequencerThatLostItsLeaseHasOneTaskOfItsOwn() {
        List<Sequencer> sequencers = List.of(member.create("a0"), member.create("b1"));
        sequencers.forEach(sequencer -> sequencer.clusterChanged("its cluster is gone"));

        member.sequencers.leaseKeeper.keep();
        int tasks = member.taskCount();
        member.sequencers.leaseKeeper.keep();

        assertThat(member.taskCount()).isEqualTo(tasks);
        int before = coordinator.attaches.size();
        member.runTasks();
        assertThat(coordinator.attaches).hasSize(before + 2);
        assertThat(sequencers).allMatch(each -> each.state().sealed() == null);
    }
}
