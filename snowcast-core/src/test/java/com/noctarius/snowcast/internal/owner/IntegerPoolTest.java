// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import com.noctarius.snowcast.internal.owner.ReserveRequest.AfterLoss;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IntegerPoolTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final PoolDefinition PLAIN = new PoolDefinition(1, 1_000, 1, false);

    private static final Random EPOCHS = new Random();
    private static final UUID OWNER = UUID.randomUUID();

    private IntegerPool pool = new IntegerPool("orders");
    private long incarnation;

    private final class Holder {
        final UUID id = UUID.randomUUID();
        final PoolDefinition definition;
        long number;
        long highest = -1;

        Holder(PoolDefinition definition) {
            this.definition = definition;
        }

        ReserveRequest request(long size) {
            return new ReserveRequest("orders", definition, incarnation, id, ++number, size, highest, null);
        }

        Reservation send(ReserveRequest request) {
            return Objects.requireNonNull(ask(pool, request, NOW));
        }

        Reservation reserve(long size) {
            return send(request(size));
        }

        Block block(long size) {
            return Objects.requireNonNull(reserve(size).block());
        }

        long giveBack(Block rest, long version) {
            return pool.giveBack(new GiveBackRequest("orders", incarnation, id, rest, version))
                    .answer();
        }
    }

    private long open(PoolDefinition definition) {
        return open(definition, null);
    }

    private long open(PoolDefinition definition, @Nullable AfterLoss afterLoss) {
        Reservation opened =
                ask(pool, ReserveRequest.toOpen("orders", definition, UUID.randomUUID(), -1, afterLoss), NOW);
        incarnation = Objects.requireNonNull(opened).incarnation();
        return incarnation;
    }

    private Holder holder() {
        open(PLAIN);
        return new Holder(PLAIN);
    }

    private static @Nullable Reservation ask(IntegerPool of, ReserveRequest request, long now) {
        return of.reserve(request, TestOwner.at(now)).answer().orElse(null);
    }

    private static ReserveRequest resume(long firstValue, long lostBefore) {
        return ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), -1, new AfterLoss(firstValue, lostBefore));
    }

    /** Makes the copy of a backup the next owner. */
    private IntegerPool successor(int replica, long now) {
        IntegerPool copy = Copies.of(pool.snapshotFor(replica));
        promote(copy, replica, now);
        return copy;
    }

    private static void promote(IntegerPool copy, int replica, long now) {
        copy.promoted(replica, new UUID(0, 1), EPOCHS.nextLong(), now, 0);
    }

    private static void promote(PartitionContainer copy, int replica, long now) {
        copy.promoted(replica, new UUID(0, 1), EPOCHS.nextLong(), now, 0);
    }

    private static List<PossibleDuplicateIntegers> merge(IntegerPool winner, IntegerPool loser, long now) {
        return winner.merge(loser.snapshotFor(0), EPOCHS.nextLong(), now).answer();
    }

    /** Makes a copy of all pools the next owner's, which must go on above what was answered. */
    private void assertGoesOnAbove(Block answered, PartitionContainer copy) {
        promote(copy, 1, NOW + 2_000);
        pool = copy.pool("orders");
        assertThat(new Holder(PLAIN).block(10).first()).isEqualTo(answered.last() + 1);
    }

    private static PossibleDuplicateIntegers duplicates(long first, long last) {
        return new PossibleDuplicateIntegers("orders", first, last);
    }

    // --- blocks

    @Test
    void blocksFollowEachOther() {
        Holder one = holder();
        Holder other = holder();
        assertThat(one.block(10)).isEqualTo(Block.of(1, 10));
        assertThat(other.block(5)).isEqualTo(Block.of(11, 15));
        assertThat(one.block(1)).isEqualTo(Block.of(16, 16));
    }

    @Test
    void theLastBlockIsShorterAndThenTheRangeIsUsedUp() {
        Holder holder = holder();
        holder.block(995);
        assertThat(holder.block(10)).isEqualTo(Block.of(996, 1_000));
        assertThatThrownBy(() -> holder.reserve(1))
                .isExactlyInstanceOf(BlockStoreExhaustedException.class)
                .hasMessage("integer sequence orders: the last value, 1000, was handed out");
    }

    @Test
    void aFirstRequestThatWantsMoreThanIsLeftBeginsNothing() {
        Snapshot<PoolDefinition, RememberedReply> before = pool.snapshotFor(0);
        long lastValue = PLAIN.lastValue();
        ReserveRequest request = new ReserveRequest("orders", PLAIN, 0, UUID.randomUUID(), 1, 1, lastValue, null);
        assertThatThrownBy(() -> pool.reserve(request, TestOwner.at(NOW)))
                .isExactlyInstanceOf(BlockStoreExhaustedException.class);
        assertThat(pool.snapshotFor(0)).isEqualTo(before);
    }

    @Test
    void allIntegersThereAreCanBeASequence() {
        PoolDefinition all = new PoolDefinition(0, Long.MAX_VALUE, 0, false);
        open(all);
        Holder holder = new Holder(all);
        assertThat(holder.block(1)).isEqualTo(Block.of(0, 0));
        holder.highest = IntegerPool.MAX_SIZE;
        assertThat(holder.block(Long.MAX_VALUE))
                .isEqualTo(new Block(IntegerPool.MAX_SIZE + 1, IntegerPool.MAX_SIZE, 1));
    }

    @Test
    void aRepeatedRequestGetsItsFirstAnswer() {
        Holder holder = holder();
        ReserveRequest request = holder.request(10);
        Reservation first = holder.send(request);
        holder().block(7);

        assertThat(holder.send(request)).isEqualTo(first);
    }

    @Test
    void aRequestThatComesAfterItsSuccessorIsRefused() {
        Holder holder = holder();
        ReserveRequest late = holder.request(10);
        holder.block(10);

        assertThatThrownBy(() -> holder.send(late))
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders: request 1 of this holder came after request 2");
    }

    @Test
    void aRepeatedRequestWhoseReplyWasForgottenGetsAnotherBlock() {
        Holder holder = holder();
        ReserveRequest request = holder.request(1);
        Reservation first = holder.send(request);
        for (int i = 0; i < RememberedReplies.MAX_COUNT; i++) {
            holder().block(1);
        }

        assertThat(pool.snapshotFor(0).entries()).hasSize(RememberedReplies.MAX_COUNT);
        assertThat(holder.send(request).block()).isNotEqualTo(first.block());
    }

    @Test
    void aCounterThatFellBehindIsPushedAboveWhatAHolderWasGiven() {
        Holder holder = holder();
        holder.highest = 500;
        assertThat(holder.block(10)).isEqualTo(Block.of(501, 510));
    }

    // --- giving back

    @Test
    void whatIsGivenBackIsHandedOutAgain() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        assertThat(holder.giveBack(Block.of(41, 100), reserved.version())).isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(41, 50));
    }

    @Test
    void nothingIsTakenBackAfterAnotherReservation() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        holder().block(10);
        assertThat(holder.giveBack(Block.of(41, 100), reserved.version())).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    /**
     * 41 to 100 are given back; another holder gets exactly these, so that the highest integer is again what it was;
     * then a copy of the first message comes that was long under way, when no answer is remembered any more.
     */
    @Test
    void aLateCopyOfGivingBackTakesNothingFromTheNextHolder() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        GiveBackRequest request =
                new GiveBackRequest("orders", incarnation, holder.id, Block.of(41, 100), reserved.version());
        pool.giveBack(request);
        assertThat(holder().block(60)).isEqualTo(Block.of(41, 100));

        assertThat(pool.giveBack(request).answer()).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
    }

    @Test
    void twoBlocksAreGivenBackFromTheEnd() {
        Holder holder = holder();
        holder.reserve(10);
        Reservation next = holder.reserve(10);
        long version = holder.giveBack(Block.of(11, 20), next.version());
        assertThat(holder.giveBack(Block.of(6, 10), version)).isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(6, 15));
    }

    /** Its holder still has the block above, so what follows has to stay above that one. */
    @Test
    void aBlockIsNotTakenBackBeforeTheOneAboveIt() {
        Holder holder = holder();
        holder.reserve(10);
        Reservation next = holder.reserve(10);
        assertThat(holder.giveBack(Block.of(6, 10), next.version())).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(21, 30));
    }

    @Test
    void aBlockBehindAnotherHoldersIsNotTakenBack() {
        Holder holder = holder();
        holder.reserve(10);
        holder().block(10);
        Reservation next = holder.reserve(10);
        long version = holder.giveBack(Block.of(21, 30), next.version());
        assertThat(holder.giveBack(Block.of(6, 10), version)).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(21, 30));
    }

    @Test
    void anotherOwnerTakesNothingBack() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        pool = successor(1, NOW + 1);
        assertThat(holder.giveBack(Block.of(41, 100), reserved.version())).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(1)).isEqualTo(Block.of(101, 101));
    }

    @Test
    void nobodyGivesBackWhatAnotherHolderWasGiven() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        Block all = Block.of(1, 100);
        assertThat(pool.giveBack(new GiveBackRequest("orders", incarnation, UUID.randomUUID(), all, reserved.version()))
                        .answer())
                .isEqualTo(GiveBackRequest.REFUSED);
        Holder thief = holder();
        Reservation ofThief = thief.reserve(10);
        assertThat(thief.giveBack(Block.of(1, 110), ofThief.version())).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(thief.giveBack(Block.of(91, 110), ofThief.version())).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(thief.giveBack(Objects.requireNonNull(ofThief.block()), ofThief.version()))
                .isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder().block(10)).isEqualTo(Block.of(101, 110));
    }

    @Test
    void noSingleRequestUsesUpASequence() {
        PoolDefinition integers = new PoolDefinition(1, Integer.MAX_VALUE, 1, false);
        open(integers);
        Holder holder = new Holder(integers);
        assertThat(holder.block(Long.MAX_VALUE)).isEqualTo(Block.of(1, IntegerPool.MAX_SIZE));
        for (long given : new long[] {2 * IntegerPool.MAX_SIZE + 1, Integer.MAX_VALUE, Long.MAX_VALUE}) {
            holder.highest = given;
            assertThatThrownBy(() -> holder.reserve(1))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessage("integer sequence orders: the highest integer that a holder was given must be at most "
                            + 2 * IntegerPool.MAX_SIZE + ": " + given
                            + "; after a former cluster, take a firstValue above all in use");
        }
        holder.highest = IntegerPool.MAX_SIZE;
        assertThat(holder.block(1).first()).isEqualTo(IntegerPool.MAX_SIZE + 1);
    }

    @Test
    void noIncarnationBeginsFarAheadForAWordOfItsCreator() {
        PoolDefinition integers = new PoolDefinition(1, Integer.MAX_VALUE, 1, false);
        pool = new IntegerPool("orders");
        for (long given : new long[] {IntegerPool.MAX_SIZE + 1, Integer.MAX_VALUE - 1}) {
            assertThatThrownBy(() -> ask(
                            pool, new ReserveRequest("orders", integers, 0, UUID.randomUUID(), 1, 2, given, null), NOW))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("must be at most " + IntegerPool.MAX_SIZE + ": " + given);
        }
        open(integers);
        assertThat(new Holder(integers).block(10)).isEqualTo(Block.of(1, 10));
    }

    @Test
    void whoOutlivedAClusterCreatesTheSequenceAnewWithAFirstValueAboveAllInUse() {
        long given = Integer.MAX_VALUE - 100;
        PoolDefinition above = new PoolDefinition(given + 1, Integer.MAX_VALUE, 1, false);
        pool = new IntegerPool("orders");
        incarnation = 0;
        Holder survivor = new Holder(above);
        survivor.highest = given;
        assertThat(survivor.block(10)).isEqualTo(Block.of(given + 1, given + 10));
    }

    /**
     * An earlier owner handed it out: the network may have been split since, and another side may have what it gave.
     */
    @Test
    void anOwnerTakesABlockBackThatItHandedOutItselfOnly() {
        Holder holder = holder();
        Block first = holder.block(10);
        pool = split();
        Reservation second = holder.reserve(10);
        long version = holder.giveBack(Objects.requireNonNull(second.block()), second.version());
        assertThat(version).isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.giveBack(first, version)).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(90)).isEqualTo(Block.of(11, 100));
    }

    // --- the end of all integers

    @Test
    void aNextIncarnationIsRefusedWhenTheHighestIntegerThereIsWasHandedOut() {
        PoolDefinition last = new PoolDefinition(Long.MAX_VALUE - 1, Long.MAX_VALUE, 1, false);
        open(last);
        assertThat(new Holder(last).block(2)).isEqualTo(Block.of(Long.MAX_VALUE - 1, Long.MAX_VALUE));
        pool.destroy(incarnation, TestOwner.at(NOW));
        assertThatThrownBy(() -> open(last))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("leaves no room above 9223372036854775807");
    }

    @Test
    void afterALossNothingFollowsTheHighestIntegerThereIs() {
        PoolDefinition last = new PoolDefinition(1, Long.MAX_VALUE, 1, false);
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        ReserveRequest request =
                ReserveRequest.toOpen("orders", last, UUID.randomUUID(), Long.MAX_VALUE, new AfterLoss(1, NOW));
        assertThatThrownBy(() -> ask(pool, request, NOW))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("leaves no room above 9223372036854775807");
    }

    @Test
    void aMergeReportsTheHighestIntegerThereIs() {
        PoolDefinition last = new PoolDefinition(Long.MAX_VALUE, Long.MAX_VALUE, 1, false);
        open(last);
        IntegerPool winning = pool;
        IntegerPool losing = split();
        new Holder(last).block(1);
        pool = losing;
        new Holder(last).block(1);
        assertThat(merge(winning, losing, NOW + 2)).containsExactly(duplicates(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    // --- definitions and incarnations

    @Test
    void anotherDefinitionIsRefusedAndChangesNothing() {
        Holder holder = holder();
        holder.block(10);
        assertThatThrownBy(() -> open(new PoolDefinition(1, 2_000, 1, false)))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                .hasMessage("integer sequence orders is registered with another definition: last value 1000, not"
                        + " last value 2000 (take the same on all members and clients, or another name)");
        assertThat(holder.block(1)).isEqualTo(Block.of(11, 11));
    }

    @Test
    void aDestroyedSequenceGivesNothingAndTheNextOneBeginsAbove() {
        Holder holder = holder();
        holder.block(10);
        long before = incarnation;
        assertThat(pool.destroy(before, TestOwner.at(NOW)).answer()).isTrue();
        assertThat(ask(pool, holder.request(1), NOW)).isNull();
        Holder next = holder();

        assertThat(incarnation).isGreaterThan(before);
        assertThat(next.block(5)).isEqualTo(Block.of(11, 15));
        assertThat(pool.destroy(before, TestOwner.at(NOW)).answer())
                .as("the former incarnation once more")
                .isTrue();
        assertThat(next.block(5)).isEqualTo(Block.of(16, 20));
    }

    @Test
    void aNextIncarnationWithoutRoomIsRefusedWithBothValues() {
        holder().block(100);
        pool.destroy(incarnation, TestOwner.at(NOW));
        assertThatThrownBy(() -> open(new PoolDefinition(1, 100, 1, false)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the last value, 100,")
                .hasMessageContaining("leaves no room above 100,");
        open(new PoolDefinition(1, 101, 1, false));
        assertThat(new Holder(new PoolDefinition(1, 101, 1, false)).block(5)).isEqualTo(Block.of(101, 101));
    }

    @Test
    void aHolderOfASequenceThatIsNotKnownIsRefused() {
        incarnation = 7;
        Holder holder = new Holder(PLAIN);
        assertThatThrownBy(() -> holder.reserve(1))
                .isExactlyInstanceOf(BlockStoreException.class)
                .hasMessageContaining("does not exist in this cluster");
    }

    // --- loss

    @Test
    void aCopyThatWasNotSentTheValueHandsOutNothing() {
        Holder holder = holder();
        holder.block(10);
        pool = successor(2, NOW + 1);

        assertThatThrownBy(() -> holder.reserve(1))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 1))
                .hasMessageContaining("resumeIntegerSequence(config, v, t)");
    }

    @Test
    void aCopyThatIsNoBackupAnyMoreHandsOutNothing() {
        Holder holder = holder();
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        holder.block(10);
        promote(copy, 2, NOW + 1);
        pool = copy;

        assertThatThrownBy(() -> holder.reserve(1)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    @Test
    void aCopyThatMissedAChangeOfWhichItHeardHandsOutNothing() {
        Holder holder = holder();
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        holder.block(10);
        copy.join(pool.snapshotFor(2));
        promote(copy, 1, NOW + 1);
        pool = copy;

        assertThatThrownBy(() -> holder.reserve(1)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    @Test
    void somebodySaysWhereToGoOnAfterALoss() {
        Holder holder = holder();
        holder.block(10);
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);

        open(PLAIN, new AfterLoss(200, NOW));
        assertThat(holder.block(10)).isEqualTo(Block.of(200, 209));
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(100, NOW)))
                .isExactlyInstanceOf(IntegerSequenceNotLostException.class)
                .hasMessageStartingWith("integer sequence orders is not lost, and continues above 209:");
        assertThat(holder.block(1)).as("nothing is lost now").isEqualTo(Block.of(210, 210));
    }

    @Test
    void aDecisionAboutALossCreatesNothingWhereNothingWasLost() {
        Snapshot<PoolDefinition, RememberedReply> before = pool.snapshotFor(0);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW)))
                .isExactlyInstanceOf(IntegerSequenceUnknownException.class)
                .hasMessageStartingWith("integer sequence orders does not exist in this cluster");
        assertThat(pool.definition()).isNull();
        assertThat(pool.snapshotFor(0).lifecycle()).isEqualTo(before.lifecycle());
    }

    @Test
    void aDecisionAboutALossChangesNothingOfASequenceThatIsThereOrWasDestroyed() {
        Holder holder = holder();
        holder.block(10);
        Snapshot<PoolDefinition, RememberedReply> before = pool.snapshotFor(0);
        assertThatThrownBy(() ->
                        ask(pool, ReserveRequest.toOpen("orders", PLAIN, holder.id, 10, new AfterLoss(200, NOW)), NOW))
                .as("also by the holder that has created it")
                .isExactlyInstanceOf(IntegerSequenceNotLostException.class)
                .hasMessageContaining("above 10:");
        assertThat(pool.snapshotFor(0)).isEqualTo(before);
        pool.destroy(incarnation, TestOwner.at(NOW));
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW)))
                .isExactlyInstanceOf(IntegerSequenceUnknownException.class)
                .hasMessageContaining("orders was destroyed in this cluster");
        assertThat(pool.definition()).isNull();
    }

    /** Also if its holder knows the incarnation: each replica has to know that the name is in use again. */
    @Test
    void allReplicasGetWhatBeginsAfterALoss() {
        holder().block(10);
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        ReserveRequest resume =
                new ReserveRequest("orders", PLAIN, incarnation, UUID.randomUUID(), 1, 5, -1, new AfterLoss(200, NOW));
        assertThat(pool.reserve(resume, TestOwner.at(NOW)).isForAll()).isTrue();
        assertThat(pool.reserve(new Holder(PLAIN).request(5), TestOwner.at(NOW)).isForAll())
                .isFalse();
    }

    /** Hazelcast sends a request again when its member is gone. */
    @Test
    void aRepeatedDecisionAboutALossGetsItsAnswerAgainAlsoFromTheNextOwner() {
        holder().block(10);
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        UUID holder = UUID.randomUUID();
        ReserveRequest resume = ReserveRequest.toOpen("orders", PLAIN, holder, -1, new AfterLoss(200, NOW));
        Reservation first = Objects.requireNonNull(ask(pool, resume, NOW));
        pool = successor(1, NOW + 1);

        Reservation second = Objects.requireNonNull(ask(pool, resume, NOW + 1));

        assertThat(second.incarnation()).isEqualTo(first.incarnation());
        for (AfterLoss other : List.of(new AfterLoss(201, NOW), new AfterLoss(200, NOW - 1))) {
            ReserveRequest another = ReserveRequest.toOpen("orders", PLAIN, holder, -1, other);
            assertThatThrownBy(() -> ask(pool, another, NOW + 1))
                    .as("another decision")
                    .isExactlyInstanceOf(IntegerSequenceNotLostException.class);
        }
    }

    @Test
    void whatTheAskingHolderWasGivenCountsAfterALossToo() {
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        Reservation opened =
                ask(pool, ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), 300, new AfterLoss(200, NOW)), NOW);
        incarnation = Objects.requireNonNull(opened).incarnation();
        assertThat(new Holder(PLAIN).block(1)).isEqualTo(Block.of(301, 301));
    }

    @Test
    void aValueForAnEarlierLossIsRefused() {
        pool = IntegerPool.unknownBefore("orders", NOW);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("; not " + Instant.ofEpochMilli(NOW));
    }

    /** It would decide for losses that nobody knows of when it is written. */
    @Test
    void aValueForLossesThatAreStillToComeIsRefused() {
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW + 1)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining(
                        "(cluster time " + Instant.ofEpochMilli(NOW) + "): " + Instant.ofEpochMilli(NOW + 1))
                .hasMessageContaining("lostBefore must not lie in the future");
        open(PLAIN, new AfterLoss(200, NOW));
    }

    /** Accepted while all is well, such a value would be in everybody's configuration when the loss comes. */
    @Test
    void aValueForLossesThatAreStillToComeIsRefusedWhileNothingIsLost() {
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW + 1)))
                .as("a new one")
                .hasMessageContaining("lostBefore must not lie in the future");
        open(PLAIN);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW + 1)))
                .as("one that is there")
                .isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    @Test
    void aLostSequenceThatIsDestroyedStaysLost() {
        holder().block(10);
        pool = IntegerPool.unknownBefore("orders", NOW - 1);
        assertThat(pool.destroy(incarnation, TestOwner.at(NOW)).answer()).isTrue();
        assertThat(ask(pool, new Holder(PLAIN).request(1), NOW)).isNull();
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
        open(PLAIN, new AfterLoss(11, NOW));
    }

    @Test
    void aCopyKeepsTheNewestStateInWhateverOrderTheyArrive() {
        Holder holder = holder();
        Snapshot<PoolDefinition, RememberedReply> first = pool.snapshotFor(1);
        holder.block(10);
        Snapshot<PoolDefinition, RememberedReply> second = pool.snapshotFor(1);
        holder.block(10);
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        copy.join(first);
        copy.join(second);
        assertThat(copy.snapshotFor(1)).isEqualTo(pool.snapshotFor(1));
    }

    @Test
    void aRepeatedRequestGetsItsFirstAnswerFromTheNextOwner() {
        Holder holder = holder();
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        ReserveRequest request = holder.request(10);
        Reservation first = holder.send(request);
        copy.join(pool.snapshotFor(1));
        promote(copy, 1, NOW);
        pool = copy;
        assertThat(holder.send(request).block()).isEqualTo(first.block());
    }

    /** The change that the copy missed may have been that the block was given back. */
    @Test
    void aCopyThatMissedAChangeGivesNoFormerAnswerAgain() {
        Holder holder = holder();
        ReserveRequest request = holder.request(10);
        holder.send(request);
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        holder().block(10);
        copy.join(pool.snapshotFor(2));
        promote(copy, 1, NOW + 1);
        pool = copy;
        pool.reserve(resume(200, NOW + 2), TestOwner.at(NOW + 3));
        assertThat(holder.send(request).block()).isEqualTo(Block.of(200, 209));
    }

    // --- merge

    /** A split: the owner goes on as it was, its backup becomes the owner on the other side. */
    private IntegerPool split() {
        return successor(1, NOW + 1);
    }

    @Test
    void afterAMergeItGoesOnAboveBothSidesAndReportsWhatBothHandedOut() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool losing = split();
        holder.block(30);
        IntegerPool winning = pool;
        pool = losing;
        holder().block(50);

        assertThat(merge(winning, losing, NOW + 2)).containsExactly(duplicates(101, 130));
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    /** Its answer was lost, or a backup has not acknowledged it. */
    @Test
    void aMergeThatComesAgainReportsTheSame() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool winning = pool;
        pool = split();
        holder().block(50);

        assertThat(merge(winning, pool, NOW + 2)).as("only one side handed out").isEmpty();
        Snapshot<PoolDefinition, RememberedReply> merged = winning.snapshotFor(0);
        assertThat(merge(winning, pool, NOW + 3)).isEmpty();
        assertThat(winning.snapshotFor(0)).isEqualTo(merged);
    }

    /** Found by a random schedule: that side had no replica of the pool, and its user had an instance from before. */
    @Test
    void whatWasDestroyedOnASideThatHadLostItIsKnownAgainWhenTheOtherSideMerges() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool winning = lostAndDestroyed();
        holder.block(50);
        assertThat(merge(winning, pool, NOW + 2)).isEmpty();
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void whatWasDestroyedOnASideThatHadLostItStaysLostIfTheOtherSideHasLostItToo() {
        holder().block(100);
        IntegerPool winning = lostAndDestroyed();
        IntegerPool losing = successor(2, NOW + 1);
        merge(winning, losing, NOW + 2);
        pool = winning;
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    /** A side that has no replica, and destroys the present incarnation. */
    private IntegerPool lostAndDestroyed() {
        IntegerPool side = successor(2, NOW + 1);
        assertThat(side.destroy(incarnation, TestOwner.at(NOW)).answer()).isTrue();
        return side;
    }

    /** A migration changes the owner without a takeover, and the former one may not learn of it. */
    @Test
    void whatTwoOwnersAfterTheSameTakeoverHandedOutIsReportedThoughOneHasBegunAnotherIncarnation() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool losing = Copies.of(pool.snapshotFor(0));
        holder.block(10);
        pool.destroy(incarnation, TestOwner.at(NOW));
        holder();
        assertThat(pool.merge(losingAfter(losing, 20), EPOCHS.nextLong(), NOW + 2)
                        .answer())
                .singleElement()
                .satisfies(range -> {
                    assertThat(range.first()).isLessThanOrEqualTo(101);
                    assertThat(range.last()).isEqualTo(110);
                });
    }

    private Snapshot<PoolDefinition, RememberedReply> losingAfter(IntegerPool losing, long size) {
        ReserveRequest request = new ReserveRequest(
                "orders", PLAIN, losing.snapshotFor(0).lifecycle().incarnation(), UUID.randomUUID(), 1, size, -1, null);
        losing.reserve(request, TestOwner.at(NOW));
        return losing.snapshotFor(0);
    }

    /** Found by a random schedule: a holder was not answered on one side, and asked again on the other one. */
    @Test
    void whatTwoSidesHandedOutOfAnIncarnationThatOneRequestBeganOnBothIsReported() {
        holder().block(100);
        pool.destroy(incarnation, TestOwner.at(NOW));
        IntegerPool winning = pool;
        IntegerPool losing = split();
        ReserveRequest request = ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), -1, null);
        for (IntegerPool side : List.of(winning, losing)) {
            pool = side;
            incarnation = Objects.requireNonNull(ask(pool, request, side == winning ? NOW + 1 : NOW + 3))
                    .incarnation();
            new Holder(PLAIN).block(10);
        }
        losing.promoted(1, new UUID(0, 3), EPOCHS.nextLong(), NOW + 4, 0);

        assertThat(merge(winning, losing, NOW + 5)).containsExactly(duplicates(101, 110));
    }

    /** Neither side has handed out what lies below the first value. */
    @Test
    void ofASequenceThatBothSidesCreatedNothingBelowItsFirstValueIsReported() {
        PoolDefinition high = new PoolDefinition(5_000_001, Integer.MAX_VALUE, 1, false);
        IntegerPool losing = new IntegerPool("orders");
        for (IntegerPool side : List.of(losing, pool)) {
            IntegerPool here = pool;
            pool = side;
            open(high);
            new Holder(high).block(10);
            pool = here;
        }
        assertThat(merge(pool, losing, NOW + 2)).containsExactly(duplicates(5_000_001, 5_000_010));
    }

    /** A decision that was meant for the earlier loss must not end the later one. */
    @Test
    void whatBothSidesHaveLostIsLostSinceTheLaterLoss() {
        holder().block(100);
        IntegerPool losing = successor(2, NOW + 1_000);
        pool.promoted(2, new UUID(0, 2), EPOCHS.nextLong(), NOW + 60_000, 0);
        merge(pool, losing, NOW + 61_000);
        ReserveRequest early = resume(101, NOW + 2_000);
        assertThatThrownBy(() -> ask(pool, early, NOW + 62_000))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 60_000));
    }

    @Test
    void aMergeCountsChangesOnFromBothSidesWhateverTheirClocksShow() {
        holder().block(100);
        IntegerPool losing = split();
        promote(losing, 1, NOW + 3_600_000);

        merge(pool, losing, NOW + 2);

        assertThat(pool.snapshotFor(0).lifecycle().changeNumber())
                .isGreaterThan(losing.snapshotFor(0).lifecycle().changeNumber());
    }

    @Test
    void whatASideOfManyOwnersHandedOutIsLeftOutThoughNobodyRemembersTheFirst() {
        IntegerPool winning = pool;
        holder();
        pool = split();
        for (int owner = 0; owner < 20; owner++) {
            holder().block(10);
            promote(pool, 1, NOW + 2);
        }
        merge(winning, pool, NOW + 3);
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(201, 201));
    }

    @Test
    void whatASideHandedOutIsReportedThoughTheOtherHadManyOwners() {
        holder().block(100);
        IntegerPool winning = pool;
        pool = split();
        IntegerPool losing = pool;
        for (int owner = 0; owner < 20; owner++) {
            holder().block(10);
            promote(pool, 1, NOW + 2);
        }
        pool = winning;
        holder().block(50);
        assertThat(merge(winning, losing, NOW + 3)).singleElement().satisfies(range -> {
            assertThat(range.first()).isLessThanOrEqualTo(101);
            assertThat(range.last()).isEqualTo(150);
        });
        assertThat(holder().block(1)).isEqualTo(Block.of(301, 301));
    }

    /** A migration changes the owner without a takeover: the former one may not learn of it. */
    @Test
    void whatTwoOwnersAfterTheSameTakeoverHandedOutIsReported() {
        holder().block(100);
        IntegerPool losing = Copies.of(pool.snapshotFor(0));
        holder().block(10);
        IntegerPool winning = pool;
        pool = losing;
        holder().block(20);
        List<PossibleDuplicateIntegers> found = merge(winning, losing, NOW + 2);
        assertThat(found).singleElement().satisfies(range -> {
            assertThat(range.first()).isLessThanOrEqualTo(101);
            assertThat(range.last()).isEqualTo(110);
        });
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(121, 121));
    }

    /** The other side may have handed out the same. */
    @Test
    void anAnswerFromBeforeAMergeIsGivenAgainByNoOwner() {
        Holder holder = holder();
        IntegerPool losing = split();
        ReserveRequest request = holder.request(10);
        assertThat(holder.send(request).block()).isEqualTo(Block.of(1, 10));
        IntegerPool copy = Copies.of(pool.snapshotFor(1));
        merge(pool, losing, NOW + 2);
        copy.join(pool.snapshotFor(1));

        assertThat(holder.send(request).block()).isEqualTo(Block.of(11, 20));
        promote(copy, 1, NOW + 3);
        pool = copy;
        assertThat(holder.send(request).block()).isEqualTo(Block.of(11, 20));
    }

    @Test
    void aCopyOfATableThatLacksANameBeginsNoOther() {
        PartitionContainer owner = new PartitionContainer();
        owner.put("orders", pool);
        PartitionContainer copy = new PartitionContainer();
        copy.join(owner.snapshot(List.of(), List.of()), OWNER, true);
        promote(copy, 1, NOW);
        pool = copy.pool("customers");
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    /** Neither side remembers the owner that both had. */
    @Test
    void whatBothSidesHandedOutIsReportedHoweverManyOwnersTheyHad() {
        IntegerPool winning = pool;
        holder().block(100);
        IntegerPool losing = split();
        for (IntegerPool side : List.of(winning, losing)) {
            pool = side;
            for (int owner = 0; owner < 20; owner++) {
                holder().block(10);
                promote(pool, 1, NOW + 2);
            }
        }
        List<PossibleDuplicateIntegers> found = merge(winning, losing, NOW + 3);
        assertThat(found).singleElement().satisfies(range -> {
            assertThat(range.first()).isLessThanOrEqualTo(101);
            assertThat(range.last()).isEqualTo(300);
        });
    }

    @Test
    void whatWasOnlyTakenBackIsNotReported() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        IntegerPool losing = split();
        holder.giveBack(Block.of(41, 100), reserved.version());
        IntegerPool winning = pool;
        pool = losing;
        holder().block(50);
        assertThat(merge(winning, losing, NOW + 2)).isEmpty();
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void ofThreeSidesTheThirdIsComparedFromTheSplitOn() {
        holder().block(100);
        IntegerPool second = split();
        IntegerPool third = split();
        IntegerPool winning = pool;
        holder().block(10);
        pool = second;
        holder().block(20);
        pool = third;
        holder().block(30);

        assertThat(merge(winning, second, NOW + 2)).containsExactly(duplicates(101, 110));
        assertThat(merge(winning, third, NOW + 3)).containsExactly(duplicates(101, 120));
    }

    @Test
    void aThirdSideIsComparedFromItsOwnSplitOnIfTheSecondHandedOutNothing() {
        holder().block(100);
        IntegerPool second = split();
        holder().block(50);
        IntegerPool third = split();
        holder().block(10);
        IntegerPool winning = pool;
        pool = third;
        holder().block(5);

        assertThat(merge(winning, second, NOW + 2)).isEmpty();
        assertThat(merge(winning, third, NOW + 3)).containsExactly(duplicates(151, 155));
    }

    /**
     * The winning side goes on with an incarnation of the losing one, and still knows what it handed out in the former
     * incarnation.
     */
    @Test
    void aThirdSideIsComparedWithAnIncarnationOfTheWinningSideThatWasDestroyed() {
        Holder holder = holder();
        holder.block(10);
        long ofFirstIncarnation = incarnation;
        IntegerPool winning = pool;
        IntegerPool losing = split();
        IntegerPool third = split();
        holder.block(5);
        pool.destroy(incarnation, TestOwner.at(NOW));
        pool = losing;
        pool.destroy(incarnation, TestOwner.at(NOW));
        open(PLAIN);
        assertThat(merge(winning, losing, NOW + 2)).isEmpty();
        pool = third;
        incarnation = ofFirstIncarnation;
        holder.block(8);

        assertThat(merge(winning, third, NOW + 3)).containsExactly(duplicates(11, 15));
    }

    @Test
    void anIncarnationGoesOnAboveADestroyedOneOfALosingSideThatLostItsSuccessor() {
        Holder holder = holder();
        long ofWinner = incarnation;
        holder.block(100);
        IntegerPool winning = pool;
        pool = split();
        holder.block(400);
        pool.destroy(incarnation, TestOwner.at(NOW));
        open(PLAIN);
        IntegerPool losing = successor(2, NOW + 2);

        merge(winning, losing, NOW + 3);
        pool = winning;
        incarnation = ofWinner;
        assertThat(holder.block(1)).isEqualTo(Block.of(501, 501));
    }

    @Test
    void aSuccessorOfTheLosingSideWithAnotherLastValueTakesNothingThatNobodyHandedOut() {
        holder().block(100);
        IntegerPool losing = split();
        IntegerPool winning = pool;
        long ofWinner = incarnation;
        pool = losing;
        pool.destroy(incarnation, TestOwner.at(NOW));
        PoolDefinition longer = new PoolDefinition(1, 2_000, 1, false);
        open(longer);
        new Holder(longer).block(50);

        merge(winning, losing, NOW + 2);
        pool = winning;
        incarnation = ofWinner;
        assertThat(new Holder(PLAIN).block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void aCopyThatHasAllThatIsLeftOfALostTableLosesNothingMore() {
        holder();
        PartitionContainer copy = new PartitionContainer();
        copy.join(sent(5, 0, List.of()), OWNER, true);
        copy.join(sent(1, NOW, List.of(pool.snapshotFor(1))), OWNER, true);
        copy.join(sent(5, 0, List.of()), OWNER, true);
        promote(copy, 1, NOW + 100);
        pool = copy.pool("customers");
        assertThatThrownBy(() -> open(PLAIN)).hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW) + ",");
    }

    @Test
    void aCopyOfATableRemembersTheMostNamesThatTheOwnerHad() {
        holder();
        PartitionContainer copy = new PartitionContainer();
        copy.join(sent(2, 0, List.of(pool.snapshotFor(1))), OWNER, true);
        copy.join(sent(1, 0, List.of()), OWNER, true);
        promote(copy, 1, NOW + 100);
        pool = copy.pool("customers");
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    /** The other side lost the sequence and began it anew, so it does not know that it was destroyed here. */
    @Test
    void anIncarnationThatComesOverRevivesNoneThatWasDestroyedHere() {
        Holder ofDestroyed = holder();
        pool.destroy(incarnation, TestOwner.at(NOW));
        ReserveRequest late = ofDestroyed.request(10);
        IntegerPool winning = pool;
        pool = new IntegerPool("orders");
        pool.reserve(ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), -1, null), TestOwner.at(NOW + 1));

        merge(winning, pool, NOW + 2);

        assertThat(winning.snapshotFor(0).lifecycle().living()).isEqualTo(PLAIN);
        assertThat(ask(winning, late, NOW + 3)).isNull();
    }

    @Test
    void aSequenceOfWhichTheLosingSideDidNotKnowWhatWasHandedOutComesOverAsLost() {
        holder().block(10);
        Snapshot<PoolDefinition, RememberedReply> withoutValue = pool.snapshotFor(2);
        pool = new IntegerPool("orders");

        pool.merge(withoutValue, EPOCHS.nextLong(), NOW + 1);

        assertThatThrownBy(() -> open(PLAIN)).hasMessageContaining("all replicas of its pool were lost at 2023");
    }

    /** As by a property that is left where it was. */
    @Test
    void aDecisionDoesNotHoldForALaterLossAlsoWhenTheClockWasSetBack() {
        holder().block(10);
        promote(pool, 2, NOW + 60_000);
        AfterLoss decision = new AfterLoss(11, NOW + 60_001);
        ReserveRequest resume = ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), -1, decision);
        incarnation = Objects.requireNonNull(ask(pool, resume, NOW + 61_000)).incarnation();
        new Holder(PLAIN).block(20);

        promote(pool, 2, NOW);
        assertThatThrownBy(() -> ask(pool, resume, NOW + 62_000))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("all replicas of its pool were lost");
    }

    @Test
    void aLaterLossOfATableHasALaterTimeAlsoWhenTheClockWasSetBack() {
        PartitionContainer copy = new PartitionContainer();
        copy.join(sent(5, NOW, List.of()), OWNER, true);
        promote(copy, 1, NOW - 100);
        pool = copy.pool("customers");
        assertThatThrownBy(() -> open(PLAIN))
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 1) + ",");
    }

    private static ContainerSnapshot sent(
            int nameCount, long lostSinceMillis, List<Snapshot<PoolDefinition, RememberedReply>> pools) {
        return new ContainerSnapshot(new ContainerState(lostSinceMillis, lostSinceMillis), nameCount, List.of(), pools);
    }

    /** Three owners in a row. The second one's clock is ahead; what it hands out last, only one copy hears of. */
    private final class ClocksThatDiffer {
        final Holder holder = holder();
        final UUID second = UUID.randomUUID();
        final UUID third = UUID.randomUUID();
        final PartitionContainer ofFirst = new PartitionContainer();
        final PartitionContainer ofSecond = new PartitionContainer();
        final PartitionContainer ofThird = new PartitionContainer();
        final PartitionContainer copy = new PartitionContainer();

        ClocksThatDiffer() {
            ofFirst.put("orders", pool);
            holder.block(10);
            List.of(ofSecond, ofThird, copy).forEach(table -> table.join(ofFirst.snapshotFor(1), OWNER, true));
            promote(ofSecond, 1, NOW + 1_000);
            pool = ofSecond.pool("orders");
            holder.block(20);
            copy.join(ofSecond.snapshotFor(1), second, true);
            promote(ofThird, 1, NOW);
            pool = ofThird.pool("orders");
        }
    }

    @Test
    void aCopyGoesByThePresentOwnerThoughItsClockIsBehindThatOfAFormerOne() {
        ClocksThatDiffer owners = new ClocksThatDiffer();
        Block answered = new Holder(PLAIN).block(50);
        owners.copy.join(owners.ofThird.snapshotFor(1), owners.third, true);

        assertGoesOnAbove(answered, owners.copy);
    }

    /** A count of names without the names would look like a loss. */
    @Test
    void aCopyTakesNothingOfWhatItRefuses() {
        ClocksThatDiffer owners = new ClocksThatDiffer();
        ContainerSnapshot before = owners.copy.snapshotFor(0);
        ContainerSnapshot refused =
                sent(9, NOW, List.of(owners.ofThird.pool("orders").snapshotFor(1)));

        assertThatThrownBy(() -> owners.copy.join(refused, owners.third, false))
                .hasMessageContaining("of a member that is not known as the owner");

        assertThat(owners.copy.snapshotFor(0)).isEqualTo(before);
        assertThat(owners.copy.lacksNames()).isFalse();
    }

    /** As one that has come by migration, and is not known as the owner everywhere yet. */
    @Test
    void aCopyAcknowledgesAnotherOwnerThatGoesOnWithTheNumbersThatItKnows() {
        PartitionContainer ofOwner = new PartitionContainer();
        PartitionContainer copy = new PartitionContainer();
        ofOwner.put("orders", pool);
        Block answered = holder().block(10);
        copy.join(ofOwner.snapshotFor(1), OWNER, true);
        copy.join(ofOwner.snapshotFor(1), UUID.randomUUID(), false);

        assertGoesOnAbove(answered, copy);
    }

    /** What came from an unknown member may be of another owner than the one that is known. */
    @Test
    void aCopyGoesByItsOwnerAgainAfterAnUnknownMemberHasSentMore() {
        PartitionContainer ofOwner = new PartitionContainer();
        PartitionContainer ofOther = new PartitionContainer();
        PartitionContainer copy = new PartitionContainer();
        ofOwner.put("orders", pool);
        Holder first = holder();
        first.block(10);
        List.of(ofOther, copy).forEach(table -> table.join(ofOwner.snapshotFor(1), OWNER, true));
        ofOther.promoted(1, new UUID(0, 2), EPOCHS.nextLong(), NOW + 1_000, 0);
        copy.join(ofOther.snapshotFor(1), null, false);
        Block answered = first.block(20);
        copy.join(ofOwner.snapshotFor(1), OWNER, true);

        assertGoesOnAbove(answered, copy);
    }

    /** The holder did not hear of it either, and asks again. */
    @Test
    void aCopyRepeatsNoReplyThatThePresentOwnerNeverHeardOf() {
        Holder first = holder();
        PartitionContainer ofFirst = new PartitionContainer();
        PartitionContainer ofSecond = new PartitionContainer();
        PartitionContainer copy = new PartitionContainer();
        ofFirst.put("orders", pool);
        ofSecond.join(ofFirst.snapshotFor(1), OWNER, true);
        ReserveRequest unanswered = first.request(10);
        Block given = first.send(unanswered).block();
        copy.join(ofFirst.snapshotFor(1), OWNER, true);

        promote(ofSecond, 1, NOW + 1_000);
        pool = ofSecond.pool("orders");
        assertThat(new Holder(PLAIN).block(10)).isEqualTo(given);
        copy.join(ofSecond.snapshotFor(1), UUID.randomUUID(), true);
        promote(copy, 1, NOW + 2_000);
        pool = copy.pool("orders");
        assertThat(first.send(unanswered).block()).isNotEqualTo(given);
    }

    @Test
    void aCopyIsNotSetBackByAnOlderMessageOfTheSameOwner() {
        ClocksThatDiffer owners = new ClocksThatDiffer();
        ContainerSnapshot older = owners.ofSecond.snapshotFor(1);
        pool = owners.ofSecond.pool("orders");
        Block answered = owners.holder.block(50);
        owners.copy.join(owners.ofSecond.snapshotFor(1), owners.second, true);
        owners.copy.join(older, owners.second, true);

        assertGoesOnAbove(answered, owners.copy);
    }

    /** It stood still, and is told where to go on, with the integers that it was giving when it lost them. */
    @Test
    void aCopyOfAnOwnerThatLostItsDataRepeatsNoReplyOfBefore() {
        PartitionContainer owner = new PartitionContainer();
        PartitionContainer copy = new PartitionContainer();
        Holder holder = holder();
        owner.put("orders", pool);
        ReserveRequest unanswered = holder.request(20);
        Block before = holder.send(unanswered).block();
        copy.join(owner.snapshotFor(1), OWNER, true);
        PartitionContainer lost = PartitionContainer.lost(NOW + 1_000, NOW + 1_000);
        pool = lost.pool("orders");
        pool.reserve(resume(1, NOW + 1_001), TestOwner.at(NOW + 2_000));
        assertThat(new Holder(PLAIN).block(20)).isEqualTo(before);
        lost.put("orders", pool);
        copy.join(lost.snapshotFor(1), OWNER, true);

        promote(copy, 1, NOW + 3_000);
        pool = copy.pool("orders");
        assertThat(holder.send(unanswered).block()).isEqualTo(Block.of(21, 40));
    }

    @Test
    void afterAMergeASequenceGoesOnAboveAnIncarnationThatTheOtherSideDestroyed() {
        holder().block(500);
        pool.destroy(incarnation, TestOwner.at(NOW));
        Snapshot<PoolDefinition, RememberedReply> losing = pool.snapshotFor(0);
        pool = new IntegerPool("orders");
        holder().block(10);

        pool.merge(losing, EPOCHS.nextLong(), NOW + 2);
        assertThat(holder().block(10).first()).isEqualTo(501);
    }

    @Test
    void aMergeWithASideThatHandedOutNothingReportsNothing() {
        holder().block(100);
        IntegerPool losing = split();
        holder().block(10);
        assertThat(merge(pool, losing, NOW + 2)).isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    @Test
    void aSequenceThatTheWinningSideDidNotKnowOrHadLostComesOver() {
        holder().block(100);
        IntegerPool losing = split();
        pool = IntegerPool.unknownBefore("orders", NOW + 1);
        assertThat(merge(pool, losing, NOW + 2)).isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
        pool = new IntegerPool("orders");
        assertThat(merge(pool, losing, NOW + 2)).isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
    }

    /** The copy of the other side is older than what was lost. */
    @Test
    void aSequenceThatWasResumedBeforeTheMergeTakesNoOlderValueOver() {
        holder().block(100);
        IntegerPool losing = split();
        Block lost = holder().block(50);
        pool.promoted(2, new UUID(0, 2), EPOCHS.nextLong(), NOW + 1, 0);
        ask(pool, resume(lost.last() + 1, NOW + 2_000), NOW + 3_000);

        merge(pool, losing, NOW + 4_000);

        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    /** A member without a replica that is cut off alone loses all pools at once, and hands out nothing. */
    @Test
    void aSideThatLostTheCounterWhenTheNetworkWasSplitTakesNothing() {
        holder().block(100);
        IntegerPool losing = successor(2, NOW + 1);
        holder().block(10);
        assertThat(merge(pool, losing, NOW + 2)).isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    @Test
    void anIncarnationThatComesOverGoesOnAboveADestroyedOneOfASideThatLostItsSuccessor() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool losing = split();
        holder.block(400);
        pool.destroy(incarnation, TestOwner.at(NOW));
        open(PLAIN);
        IntegerPool winning = successor(2, NOW + 1);

        merge(winning, losing, NOW + 2);
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(501, 501));
    }

    @Test
    void aMergeWithADestroyedSequenceRaisesWhereTheNextOneBegins() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool losing = split();
        pool.destroy(incarnation, TestOwner.at(NOW));
        IntegerPool winning = pool;
        pool = losing;
        holder.block(50);
        assertThat(merge(winning, losing, NOW + 2)).isEmpty();
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void anIncarnationThatBeganOnTheLosingSideComesOverAboveTheDestroyedOneOfTheWinningSide() {
        Holder holder = holder();
        holder.block(100);
        IntegerPool losing = split();
        holder.block(30);
        pool.destroy(incarnation, TestOwner.at(NOW));
        IntegerPool winning = pool;
        pool = losing;
        pool.destroy(incarnation, TestOwner.at(NOW));
        assertThat(holder().block(20)).isEqualTo(Block.of(101, 120));
        assertThat(merge(winning, pool, NOW + 2)).containsExactly(duplicates(101, 120));
        pool = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(131, 131));
    }

    /** Of two sides whose owners took over in the same millisecond. */
    @Test
    void whatWasReservedOnOneSideIsNotTakenBackOnTheOther() {
        holder().block(100);
        IntegerPool other = split();
        pool = split();
        Holder holder = holder();
        Reservation reserved = holder.reserve(10);
        pool = other;
        holder().block(10);
        assertThat(holder.giveBack(Objects.requireNonNull(reserved.block()), reserved.version()))
                .isEqualTo(GiveBackRequest.REFUSED);
    }
}
