// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.FailingClock;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.leases.FakeCoordinator.Renewal;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseKeeperTest {
    private static final long HALF_LEASE_MILLIS = LEASE_MILLIS / 2;

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final FakeCoordinator coordinator = member.coordinator;

    private void keepAfterHalfALease() {
        clock.advanceMillis(HALF_LEASE_MILLIS);
        member.keep();
    }

    /** Returns a sequencer whose first renewal has been requested. */
    private Sequencer createAndKeep() {
        Sequencer sequencer = member.create("orders0");
        keepAfterHalfALease();
        return sequencer;
    }

    @Test
    void renewalIsAskedForWhenHalfOfTheLeaseIsUsed() {
        member.create("orders0");

        clock.advanceMillis(HALF_LEASE_MILLIS - 1);
        member.keep();
        assertThat(coordinator.renewalCount()).isZero();

        clock.advanceMillis(1);
        member.keep();
        assertThat(coordinator.renewalCount()).isOne();
    }

    /** Lets the second half of the first lease pass. Returns whether the sequencer still issues IDs. */
    private boolean issuesAfterFirstLease(Sequencer sequencer) {
        clock.advanceMillis(HALF_LEASE_MILLIS);
        return sequencer.tryNext().isPresent();
    }

    @Test
    void sequencersOfAPartitionShareARequestAndOtherPartitionsGetTheirOwn() {
        List.of("a0", "b0", "c1").forEach(member::create);
        keepAfterHalfALease();

        assertThat(List.of(coordinator.takeRenewal(), coordinator.takeRenewal()))
                .extracting(Renewal::partitionId, renewal -> names(renewal.requests()))
                .containsExactlyInAnyOrder(tuple(0, List.of("a0", "b0")), tuple(1, List.of("c1")));
        assertThat(coordinator.renewalCount()).isZero();
    }

    @Test
    void sequencersWithMoreBackupsDoNotShareTheRequestOfThoseWithFewer() {
        member.create("a0");
        member.create(FakeCluster.config("b0").backupCount(3).build());
        keepAfterHalfALease();

        assertThat(List.of(coordinator.takeRenewal(), coordinator.takeRenewal()))
                .extracting(renewal -> names(renewal.requests()))
                .containsExactlyInAnyOrder(List.of("a0"), List.of("b0"));
    }

    private static List<String> names(List<RenewRequest> requests) {
        return requests.stream().map(RenewRequest::name).sorted().toList();
    }

    @Test
    void partitionHasOneRequestUnderWay() {
        createAndKeep();
        member.keep();
        assertThat(coordinator.renewalCount()).isOne();

        coordinator.failRenewal(new IllegalStateException("lost"));
        member.keep();
        assertThat(coordinator.renewalCount()).isOne();
    }

    @Test
    void sequencerGoesAlongWithOneOfItsPartitionOnceAQuarterOfItsLeaseIsUsed() {
        member.create("first0");
        clock.advanceMillis(HALF_LEASE_MILLIS / 2);
        member.create("second0");
        member.create("elsewhere1");
        clock.advanceMillis(HALF_LEASE_MILLIS / 2);
        member.create("third0");

        member.keep();

        assertThat(coordinator.answerRenewal().requests())
                .extracting(RenewRequest::name)
                .containsExactly("first0", "second0");
        member.keep();
        assertThat(coordinator.renewalCount()).isZero();
    }

    @Test
    void sequencersThatWereAttachedAtAnyTimeSoonShareTheirRequests() {
        for (int i = 0; i < 10; i++) {
            member.create("s" + i + "-0");
            clock.advanceMillis(HALF_LEASE_MILLIS / 10);
        }
        int requests = 0;
        for (int i = 0; i < 100; i++) {
            member.keep();
            while (coordinator.renewalCount() > 0) {
                coordinator.answerRenewal();
                requests++;
            }
            clock.advanceMillis(HALF_LEASE_MILLIS / 10);
        }

        assertThat(requests).isLessThanOrEqualTo(12);
    }

    @Test
    void renewalsGoOnWhileTheWallClockStandsBehind() {
        Sequencer sequencer = member.create("orders0");
        clock.stepWall(-10 * LEASE_MILLIS);
        for (int i = 0; i < 8; i++) {
            clock.advanceMillis(HALF_LEASE_MILLIS);
            assertThat(sequencer.tryNext()).isPresent();
            member.keep();
            if (coordinator.renewalCount() > 0) {
                coordinator.answerRenewal();
            }
        }

        assertThat(coordinator.attaches).hasSize(1);
    }

    @Test
    void timeStandsStillAtMostUntilTheNextLookAfterTheWallClockWasSetBack() {
        member.create("orders0");
        clock.stepWall(-10 * LEASE_MILLIS);
        long startNanos = clock.nanos();
        member.keep();
        while (coordinator.renewalCount() == 0) {
            clock.advanceMillis(250);
            member.keep();
        }

        // ID time needs twice as long for half of the lease, because it runs at half rate.
        assertThat(Duration.ofNanos(clock.nanos() - startNanos))
                .isLessThanOrEqualTo(Duration.ofMillis(LEASE_MILLIS + 2_500));
    }

    @Test
    void grantThatWasLongOnItsWayIsRenewedSoon() {
        coordinator.onNextGrant(() -> clock.advanceMillis(LEASE_MILLIS - 1));
        member.create("orders0");

        member.keep();

        assertThat(coordinator.renewalCount()).isOne();
    }

    @Test
    void destroyedSequencerIsNotHeld() {
        member.create("other0");
        WeakReference<Sequencer> destroyed = new WeakReference<>(member.create("orders0"));
        member.sequencers.destroy("sequencer", Objects.requireNonNull(destroyed.get()));
        member.runTasks();

        for (int i = 0; i < 100 && destroyed.get() != null; i++) {
            System.gc();
        }
        assertThat(destroyed.get()).isNull();
    }

    @Test
    void shorterLeaseIsKeptBesideLongerOnes() {
        member.create("long0");
        member.keep();
        member.create(FakeCluster.config("short0").lease(Duration.ofSeconds(2)).build());
        clock.advanceMillis(1_000);

        member.keep();

        assertThat(names(coordinator.takeRenewal().requests())).containsExactly("short0");
    }

    @Test
    void sequencerThatWasDetachedAndAttachedAgainIsKept() {
        Sequencer sequencer = member.create("orders0");
        sequencer.detachLogicalNode();
        clock.advanceMillis(LEASE_MILLIS);
        member.keep();
        assertThat(coordinator.renewalCount()).isZero();

        sequencer.attachLogicalNode();
        keepAfterHalfALease();

        assertThat(coordinator.renewalCount()).isOne();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("not connected"), new OutOfMemoryError("unable to create native thread"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void requestThatCannotBeSentIsTriedAgain(Throwable failure) {
        member.create("orders0");
        clock.advanceMillis(HALF_LEASE_MILLIS);
        coordinator.fail(failure);
        assertThatCode(member::keep).doesNotThrowAnyException();

        coordinator.fail(null);
        member.keep();

        assertThat(coordinator.renewalCount()).isOne();
    }

    enum Batch {
        ANSWERED,
        FAILED,
        NOT_SENT
    }

    @ParameterizedTest
    @EnumSource
    void batchOfTwoHundredIsFollowedByTheRestAtOnce(Batch first) {
        for (int i = 0; i < 201; i++) {
            member.create("s" + i + "-0");
        }
        if (first == Batch.NOT_SENT) {
            coordinator.failOnce(new OutOfMemoryError("unable to create native thread"));
        }
        keepAfterHalfALease();
        if (first == Batch.FAILED) {
            coordinator.failRenewal(new IllegalStateException("of this batch"));
        } else if (first == Batch.ANSWERED) {
            assertThat(coordinator.answerRenewal().requests()).hasSize(200);
        }
        member.runTasks();

        assertThat(coordinator.answerRenewal().requests()).hasSize(1);
        member.runTasks();
        assertThat(first == Batch.ANSWERED ? coordinator.renewalCount() : 0).isZero();
    }

    /** 1,500 holders: 50 ms pass between two checks, unless a call requests one. */
    @Test
    void moreThanAThousandHoldersAreNotCheckedEachTime() {
        IntStream.range(0, 1_500).forEach(i -> member.create("s" + i + "-0"));
        clock.advanceMillis(HALF_LEASE_MILLIS - 30);
        member.keep();
        clock.advanceMillis(40);
        member.keep();
        assertThat(coordinator.renewalCount()).isZero();

        clock.advanceMillis(20);
        member.keep();
        assertThat(coordinator.renewalCount()).isPositive();
    }

    /** No other holder can have got the granted time, so the reply is valid however late it arrives. */
    @Test
    void replyCountsHoweverLateItComes() {
        Sequencer sequencer = createAndKeep();
        Renewal renewal = coordinator.takeRenewal();
        List<RenewReply> replies = coordinator.decide(renewal);

        clock.advanceMillis(HALF_LEASE_MILLIS - 1_000);
        clock.stepWall(-10_000);
        renewal.reply().complete(replies);
        clock.stepWall(10_000);

        assertThat(issuesAfterFirstLease(sequencer)).isTrue();
    }

    @Test
    void theProblemSaysThatOnlyOtherLeasesWereRenewed() {
        Sequencer sequencer = createAndKeep();

        coordinator.takeRenewal().reply().complete(Collections.singletonList(null));

        assertThat(sequencer.stats().problem())
                .endsWith("orders0 was not renewed with the other leases: another transaction"
                        + " locks its rows, or the database is slow");
    }

    @Test
    void replyForASealedAttachmentHasNoEffect() {
        Sequencer sequencer = createAndKeep();
        Renewal renewal = coordinator.takeRenewal();
        List<RenewReply> replies = coordinator.decide(renewal);
        sequencer.detachLogicalNode();

        renewal.reply().complete(replies);

        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        assertThatThrownBy(sequencer::tryNext).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void replyForAFormerAttachmentHasNoEffectOnThePresentOne() {
        Sequencer sequencer = createAndKeep();
        Renewal renewal = coordinator.takeRenewal();
        sequencer.detachLogicalNode().attachLogicalNode();

        long farAhead = 100 * LEASE_MILLIS;
        renewal.reply().complete(List.of(new RenewReply(RenewReply.Outcome.RENEWED, farAhead)));

        clock.advanceMillis(LEASE_MILLIS);
        assertThat(sequencer.tryNext()).isEmpty();
    }

    @Test
    void refusalOfAFormerAttachmentDoesNotSealThePresentOne() {
        Sequencer sequencer = createAndKeep();
        Renewal renewal = coordinator.takeRenewal();
        sequencer.detachLogicalNode().attachLogicalNode();

        renewal.reply().complete(coordinator.decide(renewal));

        assertThat(sequencer.tryNext()).isPresent();
        assertThat(member.warnings()).isEmpty();
    }

    @Test
    void destroyedIsTheLastReply() {
        Sequencer sequencer = createAndKeep();
        Renewal renewal = coordinator.takeRenewal();

        renewal.reply().complete(List.of(new RenewReply(RenewReply.Outcome.DESTROYED, 0)));

        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(member.create("orders0")).isNotSameAs(sequencer);
    }

    @Test
    void replyForAForgottenSequencerLeavesTheOthersAlone() {
        Sequencer kept = member.create("kept0");
        Sequencer gone = member.create("gone0");
        keepAfterHalfALease();
        member.sequencers.destroy("sequencer", gone);

        coordinator.answerRenewal();

        assertThat(issuesAfterFirstLease(kept)).isTrue();
    }

    @Test
    void callAtTheEndOfTheLeaseAsksForTheRenewalItself() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        clock.advanceMillis(LEASE_MILLIS);
        clock.onNextPark(() -> {
            member.runTasks();
            coordinator.answerRenewal();
        });

        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(LEASE_MILLIS + 1_000);
    }

    @Test
    void failuresOfOnePartitionAreNotCoveredBySuccessesOfAnother() {
        Sequencer failing = member.create("failing0");
        member.create("fine1");
        keepAfterHalfALease();
        failRenewalOf(0);
        coordinator.answerRenewal();
        keepAfterHalfALease();
        failRenewalOf(0);

        assertThatThrownBy(failing::next).hasMessageContaining("since 2023-11-14T22:13:50Z");
        assertThat(member.warnings()).hasSize(1);
    }

    @Test
    void aLookWhileTheNextTryIsUnderWayForgetsNoFailure() {
        Sequencer failing = member.create("failing0");
        keepAfterHalfALease();
        failRenewalOf(0);
        keepAfterHalfALease();
        member.keep();
        failRenewalOf(0);

        assertThatThrownBy(failing::next).hasMessageContaining("since 2023-11-14T22:13:50Z");
        assertThat(member.warnings()).hasSize(1);
    }

    private void failRenewalOf(int partitionId) {
        Renewal renewal = coordinator.takeRenewalOf(partitionId);
        renewal.reply().completeExceptionally(new IllegalStateException("lost"));
    }

    @Test
    void failureIsLoggedOnceAndSoIsItsEnd() {
        member.create("orders0");
        Instant firstEnd = Instant.ofEpochMilli(clock.millis() + 2 * HALF_LEASE_MILLIS);
        clock.advanceMillis(HALF_LEASE_MILLIS);
        for (int i = 0; i < 3; i++) {
            member.keep();
            coordinator.failRenewal(new IllegalStateException("lost"));
        }
        member.keep();
        coordinator.answerRenewal();

        assertThat(member.warnings())
                .containsExactly(
                        "WARNING Leases are not renewed; IDs continue until the leases end, the first at " + firstEnd
                                + ": java.lang.IllegalStateException: lost",
                        "WARNING Leases are renewed again");
    }

    @Test
    void stepOfTheWallClockIsLoggedAndCounted() {
        clock.stepWall(-100);
        member.keep();

        assertThat(member.logged).containsExactly("WARNING The wall clock stepped by -100 ms; IDs stay in order");
        assertThat(member.sequencers.leaseKeeper.clockSteps.seen().backward()).isOne();
    }

    @Test
    void wrongReadOfTheWallClockIsLoggedAndCountedAtOnce() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        clock.advanceMillis(1_000);
        clock.lieOnce(0, 240_000);

        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(2_000);
        assertThat(member.warnings())
                .containsExactly("WARNING A read of the wall clock showed 2023-11-14T22:17:21Z, and the next one"
                        + " 2023-11-14T22:13:21Z; IDs go by the second");
        assertThat(member.sequencers.leaseKeeper.clockSteps.seen())
                .isEqualTo(new ClockSteps.Seen(1, 1, 240_000, 240_000));
    }

    @Test
    void stepThatMovesTheWordIsLoggedAndCountedAtOnceAlsoIfItDoesNotLast() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        clock.stepWall(20_000);
        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(21_000);
        clock.stepWall(-20_000);

        assertThat(member.warnings()).containsExactly("WARNING The wall clock stepped by 20000 ms; IDs stay in order");
        member.keep();
        assertThat(member.sequencers.leaseKeeper.clockSteps.seen())
                .isEqualTo(new ClockSteps.Seen(1, 1, 20_000, 20_000));
    }

    @Test
    void clockThatStepsAgainAndAgainIsLoggedOnceInASecond() throws InterruptedException {
        Sequencer sequencer = member.create("orders0");
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(100);
            clock.lieOnce(0, 30_000);
            sequencer.next();
        }

        assertThat(member.sequencers.leaseKeeper.clockSteps.seen().forward()).isEqualTo(20);
        assertThat(member.warnings()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-4_294_967_296L, -50_000, 50_000, 4_294_967_296L})
    void oneWrongReadStopsNoRenewal(long by) throws InterruptedException {
        for (int readsBefore = 0; readsBefore < 40; readsBefore++) {
            ManualClock own = ManualClock.autoAdvancing(START);
            FakeMember other = new FakeCluster(own).join(own);
            own.lieOnce(readsBefore, by);
            Sequencer sequencer = other.create("orders0");
            for (int i = 0; i < 16; i++) {
                own.advanceMillis(LEASE_MILLIS / 8);
                other.keep();
                if (other.coordinator.renewalCount() > 0) {
                    other.coordinator.answerRenewal();
                }
            }
            assertThat(own.hasLied()).isTrue();
            sequencer.next();
            assertThat(sequencer.stats().waitCount())
                    .as(by + " ms, after " + readsBefore)
                    .isZero();
            assertThat(sequencer.stats().renewalFailureCount()).isZero();
        }
    }

    @Test
    void lookThatCouldNotBeRequestedIsRequestedByTheNextCall() {
        Sequencer sequencer = member.create("orders0");
        clock.advanceMillis(LEASE_MILLIS);
        member.rejectTasks(true);
        assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);

        member.rejectTasks(false);
        assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);

        assertThat(member.taskCount()).isOne();
    }

    @Test
    void reattachmentThatFoundNoThreadIsRequestedByTheNextLook() {
        Sequencer sequencer = member.create("orders0");
        member.refuseRenewal(sequencer);
        Sequencer other = member.create("bills1");
        member.endThreads(true);
        assertThatCode(member::runTasks).doesNotThrowAnyException();
        clock.advanceMillis(LEASE_MILLIS / 2);
        member.keep();
        assertThat(coordinator.takeRenewalOf(1).requests())
                .as("other leases are renewed meanwhile")
                .extracting(RenewRequest::name)
                .containsExactly(other.getSequencerName());

        member.endThreads(false);
        member.keep();
        assertThat(sequencer.state().sealed()).isNull();
    }

    private final FailingClock failing = new FailingClock(clock);
    private final Sequencers failingSometimes = new Sequencers(
            wanted -> 1, coordinator, failing, Runnable::run, Runnable::run, (level, message, cause) -> {});

    @ParameterizedTest
    @MethodSource("firstReads")
    void leasesAreRenewedWhereverTheLookBeforeFailed(int read) {
        failingSometimes.create(FakeCluster.config("orders0").build(), true);
        clock.advanceMillis(HALF_LEASE_MILLIS);
        failing.failAt(read);
        Throwable unused = catchThrowable(failingSometimes.leaseKeeper::keep);
        failing.failAt(0);

        failingSometimes.leaseKeeper.keep();

        assertThat(coordinator.renewalCount()).isOne();
    }

    @ParameterizedTest
    @MethodSource("firstReads")
    void leasesAreRenewedWhereverTheAnswerBeforeFailed(int read) {
        failingSometimes.create(FakeCluster.config("orders0").build(), true);
        clock.advanceMillis(HALF_LEASE_MILLIS);
        failingSometimes.leaseKeeper.keep();
        failingSometimes.leaseKeeper.keep(); // A renewal is already pending, so this check requests none.
        failing.failAt(read);
        coordinator.answerRenewal();
        failing.failAt(0);

        clock.advanceMillis(HALF_LEASE_MILLIS);
        failingSometimes.leaseKeeper.keep();

        assertThat(coordinator.renewalCount()).isOne();
    }

    /** No caller gets a sequencer whose creation failed, so its grant must not be renewed. */
    @ParameterizedTest
    @MethodSource("firstReads")
    void nothingIsRenewedOfACreationThatFailed(int read) {
        failing.failAt(read);
        Throwable failure = catchThrowable(
                () -> failingSometimes.create(FakeCluster.config("orders0").build(), true));
        failing.failAt(0);
        clock.advanceMillis(HALF_LEASE_MILLIS);

        failingSometimes.leaseKeeper.keep();

        assertThat(coordinator.renewalCount()).isEqualTo(failure == null ? 1 : 0);
    }

    /**
     * Returns the numbers of the clock reads that fail, one for each run of a test. A check makes fewer than 40 reads.
     */
    private static IntStream firstReads() {
        return IntStream.rangeClosed(1, 40);
    }
}
