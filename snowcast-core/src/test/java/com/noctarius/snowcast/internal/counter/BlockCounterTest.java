// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.counter.ReserveRequest.AfterLoss;
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

class BlockCounterTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final CounterDefinition PLAIN = new CounterDefinition(1, 1_000, 1, false);
    private static final CounterDefinition TIER = new CounterDefinition(1, 1_000_000, 1, true);

    private static final Random EPOCHS = new Random();

    private BlockCounter counter = new BlockCounter("orders");
    private long incarnation;

    private final class Holder {
        final UUID id = UUID.randomUUID();
        final CounterDefinition definition;
        long number;
        long highest = -1;
        long installs;

        Holder(CounterDefinition definition) {
            this.definition = definition;
        }

        ReserveRequest request(long size, @Nullable Block range) {
            return new ReserveRequest(
                    "orders", definition, incarnation, id, ++number, size, highest, installs, range, null);
        }

        Reservation send(ReserveRequest request) {
            Reservation reservation = Objects.requireNonNull(counter.reserve(request, NOW));
            installs = reservation.installs();
            return reservation;
        }

        Reservation reserve(long size) {
            return send(request(size, null));
        }

        Block block(long size) {
            return Objects.requireNonNull(reserve(size).block());
        }
    }

    private long open(CounterDefinition definition) {
        return open(definition, null);
    }

    private long open(CounterDefinition definition, @Nullable AfterLoss afterLoss) {
        Reservation opened =
                counter.reserve(ReserveRequest.toOpen("orders", definition, UUID.randomUUID(), -1, afterLoss), NOW);
        incarnation = Objects.requireNonNull(opened).incarnation();
        return incarnation;
    }

    private Holder holder() {
        open(PLAIN);
        return new Holder(PLAIN);
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
    void allIntegersThereAreCanBeASequence() {
        CounterDefinition all = new CounterDefinition(0, Long.MAX_VALUE, 0, false);
        open(all);
        Holder holder = new Holder(all);
        assertThat(holder.block(1)).isEqualTo(Block.of(0, 0));
        assertThat(holder.block(Long.MAX_VALUE).last()).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void aRepeatedRequestGetsItsFirstAnswer() {
        Holder holder = holder();
        ReserveRequest request = holder.request(10, null);
        Reservation first = holder.send(request);
        holder().block(7);

        assertThat(holder.send(request)).isEqualTo(first);
    }

    @Test
    void aRequestThatComesAfterItsSuccessorIsRefused() {
        Holder holder = holder();
        ReserveRequest late = holder.request(10, null);
        holder.block(10);

        assertThatThrownBy(() -> holder.send(late))
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders: request 1 of this holder came after request 2");
    }

    @Test
    void aRepeatedRequestWhoseReplyWasForgottenGetsAnotherBlock() {
        Holder holder = holder();
        ReserveRequest request = holder.request(1, null);
        Reservation first = holder.send(request);
        for (int i = 0; i < RememberedReplies.MAX_COUNT; i++) {
            holder().block(1);
        }

        assertThat(counter.snapshotFor(0).replies()).hasSize(RememberedReplies.MAX_COUNT);
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
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(41, 100), reserved.version())))
                .isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(41, 50));
    }

    @Test
    void nothingIsTakenBackAfterAnotherReservation() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        holder().block(10);
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(41, 100), reserved.version())))
                .isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    /**
     * 41 to 100 are given back; another holder gets exactly these, so that the highest integer is again what it was; then
     * a copy of the first message comes that was long under way, when nobody's answer is remembered any more.
     */
    @Test
    void aLateCopyOfGivingBackTakesNothingFromTheNextHolder() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        GiveBackRequest request = new GiveBackRequest("orders", incarnation, Block.of(41, 100), reserved.version());
        counter.giveBack(request);
        assertThat(holder().block(60)).isEqualTo(Block.of(41, 100));

        assertThat(counter.giveBack(request)).isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
    }

    @Test
    void twoBlocksAreGivenBackFromTheEnd() {
        Holder holder = holder();
        holder.reserve(10);
        Reservation next = holder.reserve(10);
        long version = counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(11, 20), next.version()));
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(6, 10), version)))
                .isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(6, 15));
    }

    @Test
    void aBlockBehindAnotherHoldersIsNotTakenBack() {
        Holder holder = holder();
        holder.reserve(10);
        holder().block(10);
        Reservation next = holder.reserve(10);
        long version = counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(21, 30), next.version()));
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(6, 10), version)))
                .isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(21, 30));
    }

    @Test
    void anotherOwnerTakesNothingBack() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        counter = BlockCounter.of(counter.snapshotFor(1));
        counter.promoted(1, EPOCHS.nextLong(), NOW + 1);
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(41, 100), reserved.version())))
                .isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(1)).isEqualTo(Block.of(101, 101));
    }

    /** An earlier owner handed it out: the network may have been split since, and another side may have what it gave. */
    @Test
    void anOwnerTakesABlockOfARangeBackThatItHandedOutItselfOnly() {
        Holder holder = tierHolder();
        Block first = holder.send(holder.request(10, Block.of(1_000, 1_099))).block();
        counter = split();
        Reservation second = holder.reserve(10);
        long version = counter.giveBack(givenBack(second));
        assertThat(version).isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(counter.giveBack(new GiveBackRequest("orders", incarnation, Objects.requireNonNull(first), version)))
                .isEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(90)).isEqualTo(Block.of(1_010, 1_099));

        Reservation ofNewRange = holder.send(holder.request(10, Block.of(2_000, 2_099)));
        assertThat(counter.giveBack(givenBack(ofNewRange))).isNotEqualTo(GiveBackRequest.REFUSED);
        assertThat(holder.block(10)).isEqualTo(Block.of(2_000, 2_009));
    }

    private GiveBackRequest givenBack(Reservation reservation) {
        return new GiveBackRequest(
                "orders", incarnation, Objects.requireNonNull(reservation.block()), reservation.version());
    }

    // --- the end of all integers

    @Test
    void aNextLifeIsRefusedWhenTheHighestIntegerThereIsWasHandedOut() {
        CounterDefinition last = new CounterDefinition(Long.MAX_VALUE - 1, Long.MAX_VALUE, 1, false);
        open(last);
        assertThat(new Holder(last).block(2)).isEqualTo(Block.of(Long.MAX_VALUE - 1, Long.MAX_VALUE));
        counter.destroy(incarnation);
        assertThatThrownBy(() -> open(last))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("leaves no room above 9223372036854775807");
        open(TIER);
        Holder holder = new Holder(TIER);
        assertThat(holder.send(holder.request(1, Block.of(Long.MAX_VALUE, Long.MAX_VALUE)))
                        .block())
                .isNull();
    }

    @Test
    void afterALossNothingFollowsTheHighestIntegerThereIs() {
        CounterDefinition last = new CounterDefinition(1, Long.MAX_VALUE, 1, false);
        counter = BlockCounter.lost("orders", NOW - 1);
        ReserveRequest request =
                ReserveRequest.toOpen("orders", last, UUID.randomUUID(), Long.MAX_VALUE, new AfterLoss(1, NOW));
        assertThatThrownBy(() -> counter.reserve(request, NOW))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("leaves no room above 9223372036854775807");
    }

    @Test
    void aMergeReportsTheHighestIntegerThereIs() {
        CounterDefinition last = new CounterDefinition(Long.MAX_VALUE, Long.MAX_VALUE, 1, false);
        open(last);
        BlockCounter winning = counter;
        BlockCounter losing = split();
        new Holder(last).block(1);
        counter = losing;
        new Holder(last).block(1);
        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .containsExactly(new PossibleDuplicateIntegers("orders", Long.MAX_VALUE, Long.MAX_VALUE));
    }

    // --- definitions and lives

    @Test
    void anotherDefinitionIsRefusedAndChangesNothing() {
        Holder holder = holder();
        holder.block(10);
        assertThatThrownBy(() -> open(new CounterDefinition(1, 2_000, 1, false)))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                .hasMessage("integer sequence orders is registered with another definition: first value 1, last value"
                        + " 1000, 1 backups, without a parent store, not first value 1, last value 2000, 1 backups,"
                        + " without a parent store");
        assertThat(holder.block(1)).isEqualTo(Block.of(11, 11));
    }

    @Test
    void aDestroyedSequenceGivesNothingAndTheNextOneBeginsAbove() {
        Holder holder = holder();
        holder.block(10);
        long before = incarnation;
        assertThat(counter.destroy(before)).isTrue();
        assertThat(counter.reserve(holder.request(1, null), NOW)).isNull();
        Holder next = holder();

        assertThat(incarnation).isGreaterThan(before);
        assertThat(next.block(5)).isEqualTo(Block.of(11, 15));
        assertThat(counter.destroy(before)).as("the former life once more").isFalse();
        assertThat(next.block(5)).isEqualTo(Block.of(16, 20));
    }

    @Test
    void aNextLifeWithoutRoomIsRefusedWithBothValues() {
        holder().block(100);
        counter.destroy(incarnation);
        assertThatThrownBy(() -> open(new CounterDefinition(1, 100, 1, false)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the last value, 100,")
                .hasMessageContaining("leaves no room above 100,");
        open(new CounterDefinition(1, 101, 1, false));
        assertThat(new Holder(new CounterDefinition(1, 101, 1, false)).block(5)).isEqualTo(Block.of(101, 101));
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
        counter = BlockCounter.of(counter.snapshotFor(2));
        counter.promoted(2, EPOCHS.nextLong(), NOW + 1);

        assertThatThrownBy(() -> holder.reserve(1))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 1))
                .hasMessageContaining("resumeIntegerSequence(config, v, t)");
    }

    @Test
    void aCopyThatIsNoBackupAnyMoreHandsOutNothing() {
        Holder holder = holder();
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        holder.block(10);
        counter = copy;
        counter.promoted(2, EPOCHS.nextLong(), NOW + 1);

        assertThatThrownBy(() -> holder.reserve(1)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    @Test
    void aCopyThatMissedAChangeOfWhichItHeardHandsOutNothing() {
        Holder holder = holder();
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        holder.block(10);
        copy.join(counter.snapshotFor(2));
        counter = copy;
        counter.promoted(1, EPOCHS.nextLong(), NOW + 1);

        assertThatThrownBy(() -> holder.reserve(1)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    @Test
    void somebodySaysWhereToGoOnAfterALoss() {
        Holder holder = holder();
        holder.block(10);
        counter = BlockCounter.lost("orders", NOW - 1);
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);

        open(PLAIN, new AfterLoss(200, NOW));
        assertThat(holder.block(10)).isEqualTo(Block.of(200, 209));
        open(PLAIN, new AfterLoss(100, NOW));
        assertThat(holder.block(1)).as("nothing is lost now").isEqualTo(Block.of(210, 210));
    }

    @Test
    void whatTheAskingHolderWasGivenCountsAfterALossToo() {
        counter = BlockCounter.lost("orders", NOW - 1);
        Reservation opened = counter.reserve(
                ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), 300, new AfterLoss(200, NOW)), NOW);
        incarnation = Objects.requireNonNull(opened).incarnation();
        assertThat(new Holder(PLAIN).block(1)).isEqualTo(Block.of(301, 301));
    }

    @Test
    void aValueForAnEarlierLossIsRefused() {
        counter = BlockCounter.lost("orders", NOW);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("; not " + Instant.ofEpochMilli(NOW));
    }

    /** It would decide for losses that nobody knows of when it is written. */
    @Test
    void aValueForLossesThatAreStillToComeIsRefused() {
        counter = BlockCounter.lost("orders", NOW - 1);
        assertThatThrownBy(() -> open(PLAIN, new AfterLoss(200, NOW + 1)))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("; not " + Instant.ofEpochMilli(NOW + 1))
                .hasMessageContaining("not in the future");
        open(PLAIN, new AfterLoss(200, NOW));
    }

    @Test
    void aLostSequenceThatIsDestroyedStaysLost() {
        holder().block(10);
        counter = BlockCounter.lost("orders", NOW - 1);
        assertThat(counter.destroy(incarnation)).isTrue();
        assertThat(counter.reserve(new Holder(PLAIN).request(1, null), NOW)).isNull();
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
        open(PLAIN, new AfterLoss(11, NOW));
    }

    @Test
    void aCopyKeepsTheNewestStateInWhateverOrderTheyArrive() {
        Holder holder = holder();
        CounterSnapshot first = counter.snapshotFor(1);
        holder.block(10);
        CounterSnapshot second = counter.snapshotFor(1);
        holder.block(10);
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        copy.join(first);
        copy.join(second);
        assertThat(copy.snapshotFor(1)).isEqualTo(counter.snapshotFor(1));
    }

    @Test
    void aRepeatedRequestGetsItsFirstAnswerFromTheNextOwner() {
        Holder holder = holder();
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        ReserveRequest request = holder.request(10, null);
        Reservation first = holder.send(request);
        copy.join(counter.change(holder.id).forReplica(1));
        counter = copy;
        counter.promoted(1, EPOCHS.nextLong(), NOW);
        assertThat(holder.send(request).block()).isEqualTo(first.block());
    }

    /** The change that the copy missed may have been that the block was given back. */
    @Test
    void aCopyThatMissedAChangeGivesNoFormerAnswerAgain() {
        Holder holder = tierHolder();
        ReserveRequest request = holder.request(10, Block.of(1_000, 1_099));
        holder.send(request);
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        tierHolder().block(10);
        copy.join(counter.snapshotFor(2));
        counter = copy;
        counter.promoted(1, EPOCHS.nextLong(), NOW + 1);
        assertThat(holder.send(request).block()).isNull();
    }

    // --- ranges of a parent store

    private Holder tierHolder() {
        open(TIER);
        Holder holder = new Holder(TIER);
        holder.send(holder.request(0, null));
        return holder;
    }

    @Test
    void blocksAreCutFromRangesInTheOrderOfTheirInstallation() {
        Holder holder = tierHolder();
        assertThat(holder.reserve(10).block()).as("no range yet").isNull();
        assertThat(holder.send(holder.request(10, Block.of(1_000, 1_099))).block())
                .isEqualTo(Block.of(1_000, 1_009));
        holder.send(holder.request(0, Block.of(500, 599)));

        assertThat(holder.block(200)).isEqualTo(Block.of(1_010, 1_099));
        assertThat(holder.block(10)).isEqualTo(Block.of(500, 509));
    }

    @Test
    void aRangeIsInstalledOnceHoweverOftenItComes() {
        Holder holder = tierHolder();
        ReserveRequest install = holder.request(0, Block.of(1_000, 1_009));
        holder.send(install);
        holder.block(10);
        holder.send(install);
        assertThat(holder.reserve(10).block()).isNull();
    }

    @Test
    void aCopyOfAnInstallationThatIsTooOldToTellIsAGap() {
        Holder holder = tierHolder();
        ReserveRequest install = holder.request(0, Block.of(1_000, 1_000));
        holder.send(install);
        for (int i = 0; i <= CounterValue.MAX_REMEMBERED; i++) {
            holder.send(holder.request(0, Block.of(2_000 + i, 2_000 + i)));
        }
        holder.block(1);
        while (holder.reserve(1).block() != null) {
            // until all is used
        }
        assertThat(counter.reserve(install, NOW)).isNotNull();
        assertThat(holder.reserve(1).block()).isNull();
    }

    @Test
    void aCopyOfAnInstallationFromBeforeALossIsAGap() {
        Holder holder = tierHolder();
        ReserveRequest install = holder.request(0, Block.of(1_000, 1_009));
        holder.send(install);
        holder.block(10);
        counter = BlockCounter.lost("orders", NOW + 1);
        counter.reserve(holder.request(0, null), NOW + 2);
        counter.reserve(install, NOW + 2);
        assertThat(holder.reserve(10).block()).isNull();
    }

    @Test
    void withAParentStoreALossIsAGap() {
        Holder holder = tierHolder();
        holder.send(holder.request(10, Block.of(1_000, 1_099)));
        counter = BlockCounter.lost("orders", NOW + 1);

        assertThat(holder.reserve(10).block()).isNull();
        assertThat(holder.send(holder.request(10, Block.of(2_000, 2_099))).block())
                .isEqualTo(Block.of(2_000, 2_009));
    }

    @Test
    void oneHolderIsAskedForTheNextRangeAndAnotherOneWhenItDoesNotCome() {
        Holder holder = tierHolder();
        Holder other = tierHolder();
        holder.send(holder.request(1, Block.of(1, 100)));
        assertThat(holder.reserve(40).rangeWanted()).isFalse();
        assertThat(holder.reserve(10).rangeWanted()).isTrue();
        assertThat(other.reserve(10).rangeWanted()).isFalse();
        Reservation later = counter.reserve(other.request(1, null), NOW + BlockCounter.RANGE_ASKED_MILLIS);
        assertThat(Objects.requireNonNull(later).rangeWanted()).isTrue();
    }

    @Test
    void rangesKeepClearOfADestroyedSequenceWithoutAParentStore() {
        holder().block(100);
        counter.destroy(incarnation);
        Holder holder = tierHolder();
        assertThat(holder.send(holder.request(10, Block.of(50, 149))).block()).isEqualTo(Block.of(101, 110));
    }

    @Test
    void aSequenceWithoutAParentStoreBeginsAboveADestroyedOneWithOne() {
        Holder holder = tierHolder();
        holder.send(holder.request(10, Block.of(500, 599)));
        counter.destroy(incarnation);
        assertThat(holder().block(1)).isEqualTo(Block.of(510, 510));
    }

    @Test
    void stripesOfAParentStoreStayApart() {
        Holder holder = tierHolder();
        holder.send(holder.request(0, new Block(10, 5, 3)));
        assertThat(holder.block(2)).isEqualTo(new Block(10, 2, 3));
        holder.highest = 13;
        assertThat(holder.block(2)).isEqualTo(new Block(16, 2, 3));
    }

    // --- merge

    /** A split: the owner goes on as it was, its backup becomes the owner on the other side. */
    private BlockCounter split() {
        BlockCounter other = BlockCounter.of(counter.snapshotFor(1));
        other.promoted(1, EPOCHS.nextLong(), NOW + 1);
        return other;
    }

    @Test
    void afterAMergeItGoesOnAboveBothSidesAndReportsWhatBothHandedOut() {
        Holder holder = holder();
        holder.block(100);
        BlockCounter losing = split();
        holder.block(30);
        BlockCounter winning = counter;
        counter = losing;
        holder().block(50);

        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .containsExactly(new PossibleDuplicateIntegers("orders", 101, 130));
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void aMergeCountsChangesOnFromBothSidesWhateverTheirClocksShow() {
        holder().block(100);
        BlockCounter losing = split();
        losing.promoted(1, EPOCHS.nextLong(), NOW + 3_600_000);

        counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);

        assertThat(counter.snapshotFor(0).lifecycle().changeNumber())
                .isGreaterThan(losing.snapshotFor(0).lifecycle().changeNumber());
    }

    @Test
    void whatASideOfManyOwnersHandedOutIsLeftOutThoughNobodyRemembersTheFirst() {
        BlockCounter winning = counter;
        holder();
        counter = split();
        for (int owner = 0; owner < 20; owner++) {
            holder().block(10);
            counter.promoted(1, EPOCHS.nextLong(), NOW + 2);
        }
        winning.merge(counter.snapshotFor(0), EPOCHS.nextLong(), NOW + 3);
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(201, 201));
    }

    @Test
    void whatASideHandedOutIsReportedThoughTheOtherHadManyOwners() {
        holder().block(100);
        BlockCounter winning = counter;
        counter = split();
        BlockCounter losing = counter;
        for (int owner = 0; owner < 20; owner++) {
            holder().block(10);
            counter.promoted(1, EPOCHS.nextLong(), NOW + 2);
        }
        counter = winning;
        holder().block(50);
        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 3))
                .singleElement()
                .satisfies(range -> {
                    assertThat(range.first()).isLessThanOrEqualTo(101);
                    assertThat(range.last()).isEqualTo(150);
                });
        assertThat(holder().block(1)).isEqualTo(Block.of(301, 301));
    }

    /** A migration changes the owner without a takeover: the former one may not learn of it. */
    @Test
    void whatTwoOwnersAfterTheSameTakeoverHandedOutIsReported() {
        holder().block(100);
        BlockCounter losing = BlockCounter.of(counter.snapshotFor(0));
        holder().block(10);
        BlockCounter winning = counter;
        counter = losing;
        holder().block(20);
        List<PossibleDuplicateIntegers> found = winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);
        assertThat(found).singleElement().satisfies(range -> {
            assertThat(range.first()).isLessThanOrEqualTo(101);
            assertThat(range.last()).isEqualTo(110);
        });
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(121, 121));
    }

    /** The other side may have handed out the same. */
    @Test
    void anAnswerFromBeforeAMergeIsGivenAgainByNoOwner() {
        Holder holder = holder();
        BlockCounter losing = split();
        ReserveRequest request = holder.request(10, null);
        assertThat(holder.send(request).block()).isEqualTo(Block.of(1, 10));
        BlockCounter copy = BlockCounter.of(counter.snapshotFor(1));
        counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);
        copy.join(counter.snapshotFor(1));

        assertThat(holder.send(request).block()).isEqualTo(Block.of(11, 20));
        copy.promoted(1, EPOCHS.nextLong(), NOW + 3);
        counter = copy;
        assertThat(holder.send(request).block()).isEqualTo(Block.of(11, 20));
    }

    @Test
    void aCopyOfATableThatLacksANameBeginsNoOther() {
        CounterTable owner = new CounterTable();
        owner.put("orders", counter);
        CounterTable copy = new CounterTable();
        copy.join(owner.snapshot(List.of()));
        copy.promoted(1, EPOCHS.nextLong(), NOW);
        counter = copy.counter("customers");
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    /** Neither side remembers the owner that both had. */
    @Test
    void whatBothSidesHandedOutIsReportedHoweverManyOwnersTheyHad() {
        BlockCounter winning = counter;
        holder().block(100);
        BlockCounter losing = split();
        for (BlockCounter side : List.of(winning, losing)) {
            counter = side;
            for (int owner = 0; owner < 20; owner++) {
                holder().block(10);
                counter.promoted(1, EPOCHS.nextLong(), NOW + 2);
            }
        }
        List<PossibleDuplicateIntegers> found = winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 3);
        assertThat(found).singleElement().satisfies(range -> {
            assertThat(range.first()).isLessThanOrEqualTo(101);
            assertThat(range.last()).isEqualTo(300);
        });
    }

    @Test
    void whatWasOnlyTakenBackIsNotReported() {
        Holder holder = holder();
        Reservation reserved = holder.reserve(100);
        BlockCounter losing = split();
        counter.giveBack(new GiveBackRequest("orders", incarnation, Block.of(41, 100), reserved.version()));
        BlockCounter winning = counter;
        counter = losing;
        holder().block(50);
        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void ofThreeSidesTheThirdIsComparedFromTheSplitOn() {
        holder().block(100);
        BlockCounter second = split();
        BlockCounter third = split();
        BlockCounter winning = counter;
        holder().block(10);
        counter = second;
        holder().block(20);
        counter = third;
        holder().block(30);

        assertThat(winning.merge(second.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .containsExactly(new PossibleDuplicateIntegers("orders", 101, 110));
        assertThat(winning.merge(third.snapshotFor(0), EPOCHS.nextLong(), NOW + 3))
                .containsExactly(new PossibleDuplicateIntegers("orders", 101, 120));
    }

    /** The winning side goes on with a life of the losing one, and still knows what it handed out in the former life. */
    @Test
    void aThirdSideIsComparedWithALifeOfTheWinningSideThatWasDestroyed() {
        Holder holder = tierHolder();
        holder.send(holder.request(10, Block.of(1, 100)));
        long ofFirstLife = incarnation;
        BlockCounter winning = counter;
        BlockCounter losing = split();
        BlockCounter third = split();
        holder.block(5);
        counter.destroy(incarnation);
        counter = losing;
        counter.destroy(incarnation);
        open(TIER);
        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        counter = third;
        incarnation = ofFirstLife;
        holder.block(8);

        assertThat(winning.merge(third.snapshotFor(0), EPOCHS.nextLong(), NOW + 3))
                .containsExactly(new PossibleDuplicateIntegers("orders", 11, 15));
    }

    @Test
    void aLifeGoesOnAboveADestroyedOneOfALosingSideThatLostItsSuccessor() {
        Holder holder = holder();
        long ofWinner = incarnation;
        holder.block(100);
        BlockCounter winning = counter;
        counter = split();
        holder.block(400);
        counter.destroy(incarnation);
        open(PLAIN);
        BlockCounter losing = BlockCounter.of(counter.snapshotFor(2));
        losing.promoted(2, EPOCHS.nextLong(), NOW + 2);

        winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 3);
        counter = winning;
        incarnation = ofWinner;
        assertThat(holder.block(1)).isEqualTo(Block.of(501, 501));
    }

    @Test
    void aSuccessorOfTheLosingSideWithAnotherLastValueTakesNothingThatNobodyHandedOut() {
        holder().block(100);
        BlockCounter losing = split();
        BlockCounter winning = counter;
        long ofWinner = incarnation;
        counter = losing;
        counter.destroy(incarnation);
        CounterDefinition longer = new CounterDefinition(1, 2_000, 1, false);
        open(longer);
        new Holder(longer).block(50);

        winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);
        counter = winning;
        incarnation = ofWinner;
        assertThat(new Holder(PLAIN).block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void aCopyThatHasAllThatIsLeftOfALostTableLosesNothingMore() {
        holder();
        CounterTable copy = new CounterTable();
        copy.join(new CounterTable.Snapshot(5, 0, List.of()));
        copy.join(new CounterTable.Snapshot(1, NOW, List.of(counter.snapshotFor(1))));
        copy.join(new CounterTable.Snapshot(5, 0, List.of()));
        copy.promoted(1, EPOCHS.nextLong(), NOW + 100);
        counter = copy.counter("customers");
        assertThatThrownBy(() -> open(PLAIN)).hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW) + ",");
    }

    @Test
    void aCopyOfATableRemembersTheMostNamesThatTheOwnerHad() {
        holder();
        CounterTable copy = new CounterTable();
        copy.join(new CounterTable.Snapshot(2, 0, List.of(counter.snapshotFor(1))));
        copy.join(new CounterTable.Snapshot(1, 0, List.of()));
        copy.promoted(1, EPOCHS.nextLong(), NOW + 100);
        counter = copy.counter("customers");
        assertThatThrownBy(() -> open(PLAIN)).isExactlyInstanceOf(SnowcastIllegalStateException.class);
    }

    /** The other side lost the sequence and began it anew, so it does not know that it was destroyed here. */
    @Test
    void aLifeThatComesOverRevivesNoneThatWasDestroyedHere() {
        Holder ofDestroyed = holder();
        counter.destroy(incarnation);
        ReserveRequest late = ofDestroyed.request(10, null);
        BlockCounter winning = counter;
        counter = new BlockCounter("orders");
        counter.reserve(ReserveRequest.toOpen("orders", PLAIN, UUID.randomUUID(), -1, null), NOW + 1);

        winning.merge(counter.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);

        assertThat(winning.definition()).isEqualTo(PLAIN);
        assertThat(winning.reserve(late, NOW + 3)).isNull();
    }

    @Test
    void aSequenceOfWhichTheLosingSideDidNotKnowWhatWasHandedOutComesOverAsLost() {
        holder().block(10);
        CounterSnapshot withoutValue = counter.snapshotFor(2);
        counter = new BlockCounter("orders");

        counter.merge(withoutValue, EPOCHS.nextLong(), NOW + 1);

        assertThatThrownBy(() -> open(PLAIN))
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 1) + ",");
    }

    @Test
    void aLaterLossOfATableHasALaterTimeAlsoWhenTheClockWasSetBack() {
        CounterTable copy = new CounterTable();
        copy.join(new CounterTable.Snapshot(5, NOW, List.of()));
        copy.promoted(1, EPOCHS.nextLong(), NOW - 100);
        counter = copy.counter("customers");
        assertThatThrownBy(() -> open(PLAIN))
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW + 1) + ",");
    }

    @Test
    void aMergeWithASideThatHandedOutNothingReportsNothing() {
        holder().block(100);
        BlockCounter losing = split();
        holder().block(10);
        assertThat(counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    @Test
    void aSequenceThatTheWinningSideDidNotKnowOrHadLostComesOver() {
        holder().block(100);
        BlockCounter losing = split();
        counter = BlockCounter.lost("orders", NOW + 1);
        assertThat(counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
        counter = new BlockCounter("orders");
        assertThat(counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(101, 101));
    }

    /** A member without a replica that is cut off alone loses all counters at once, and hands out nothing. */
    @Test
    void aSideThatLostTheCounterWhenTheNetworkWasSplitTakesNothing() {
        holder().block(100);
        BlockCounter losing = BlockCounter.of(counter.snapshotFor(2));
        losing.promoted(2, EPOCHS.nextLong(), NOW + 1);
        holder().block(10);
        assertThat(counter.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        assertThat(holder().block(1)).isEqualTo(Block.of(111, 111));
    }

    @Test
    void rangesKeepClearOfWhatTheLosingSideHandedOutWithoutAParentStore() {
        Holder former = holder();
        former.block(100);
        BlockCounter losing = split();
        counter.destroy(incarnation);
        tierHolder();
        BlockCounter winning = counter;
        counter = losing;
        former.block(50);

        winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);
        counter = winning;
        Holder holder = tierHolder();
        assertThat(holder.send(holder.request(10, Block.of(120, 219))).block()).isEqualTo(Block.of(151, 160));
    }

    @Test
    void aLifeThatComesOverGoesOnAboveADestroyedOneOfASideThatLostItsSuccessor() {
        Holder holder = holder();
        holder.block(100);
        BlockCounter losing = split();
        holder.block(400);
        counter.destroy(incarnation);
        open(PLAIN);
        BlockCounter winning = BlockCounter.of(counter.snapshotFor(2));
        winning.promoted(2, EPOCHS.nextLong(), NOW + 1);

        winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2);
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(501, 501));
    }

    @Test
    void aMergeWithADestroyedSequenceRaisesWhereTheNextOneBegins() {
        Holder holder = holder();
        holder.block(100);
        BlockCounter losing = split();
        counter.destroy(incarnation);
        BlockCounter winning = counter;
        counter = losing;
        holder.block(50);
        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .isEmpty();
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(151, 151));
    }

    @Test
    void aLifeThatBeganOnTheLosingSideComesOverAboveTheDestroyedOneOfTheWinningSide() {
        Holder holder = holder();
        holder.block(100);
        BlockCounter losing = split();
        holder.block(30);
        counter.destroy(incarnation);
        BlockCounter winning = counter;
        counter = losing;
        counter.destroy(incarnation);
        assertThat(holder().block(20)).isEqualTo(Block.of(101, 120));
        assertThat(winning.merge(counter.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .containsExactly(new PossibleDuplicateIntegers("orders", 101, 120));
        counter = winning;
        assertThat(holder().block(1)).isEqualTo(Block.of(131, 131));
    }

    @Test
    void rangesOfBothSidesGoOnAboveWhatEitherHandedOut() {
        Holder holder = tierHolder();
        holder.send(holder.request(10, Block.of(1_000, 1_099)));
        BlockCounter losing = split();
        holder.block(20);
        BlockCounter winning = counter;
        counter = losing;
        Holder other = tierHolder();
        other.block(50);
        ReserveRequest install = other.request(0, Block.of(3_000, 3_009));
        other.send(install);

        assertThat(winning.merge(losing.snapshotFor(0), EPOCHS.nextLong(), NOW + 2))
                .containsExactly(new PossibleDuplicateIntegers("orders", 1_010, 1_029));
        counter = winning;
        Holder after = tierHolder();
        assertThat(after.block(100)).isEqualTo(Block.of(1_060, 1_099));
        counter.reserve(install, NOW + 3);
        assertThat(after.reserve(1).block())
                .as("a range that the other side had")
                .isNull();
    }

    /** Of two sides whose owners took over in the same millisecond. */
    @Test
    void whatWasReservedOnOneSideIsNotTakenBackOnTheOther() {
        holder().block(100);
        BlockCounter other = split();
        counter = split();
        Reservation reserved = holder().reserve(10);
        counter = other;
        holder().block(10);
        assertThat(counter.giveBack(new GiveBackRequest(
                        "orders", incarnation, Objects.requireNonNull(reserved.block()), reserved.version())))
                .isEqualTo(GiveBackRequest.REFUSED);
    }
}
