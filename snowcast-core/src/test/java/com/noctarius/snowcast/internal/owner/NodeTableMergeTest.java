// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static com.noctarius.snowcast.internal.owner.Requester.detach;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the merge of the tables that the two sides of a split network have for one sequencer. Most tests use a single
 * node ID, so that both sides grant the same one.
 */
class NodeTableMergeTest {
    private static final long EPOCH = 1_600_000_000_000L;
    private static final long NOW = 1_700_000_000_000L;
    private static final long IDNOW = NOW - EPOCH;
    private static final long LEASE = 60_000;
    private static final long SKEW = 5_000;
    private static final long APART = NOW - SKEW;
    private static final TableRules RULES = new TableRules(LEASE, SKEW, 2 * LEASE, 0, 0);
    private static final TableRules TWO_NODES = new TableRules(LEASE, SKEW, 2 * LEASE, 0, 1);
    private static final Definition DEFINITION = new Definition(EPOCH, SnowcastLayout.DEFAULT, 1, null);

    private final ReplicatedTable winning = new ReplicatedTable(Requester.NAME, 1);
    private final ReplicatedTable losing = new ReplicatedTable(Requester.NAME, 2);

    private static Requester holder(int number) {
        return new Requester(number, NOW, DEFINITION);
    }

    private static Grant attach(ReplicatedTable table, Requester requester, long requestNumber, TableRules rules) {
        return Objects.requireNonNull(table.table()
                .attach(requester.attach(requestNumber), requester.now(), rules)
                .answer()
                .orElse(null));
    }

    private static Grant attach(ReplicatedTable table, Requester requester) {
        return attach(table, requester, 1, RULES);
    }

    private static PossibleDuplicates duplicates(int logicalNodeId, long fromMillis, long toMillis) {
        return new PossibleDuplicates(
                Requester.NAME, logicalNodeId, Instant.ofEpochMilli(fromMillis), Instant.ofEpochMilli(toMillis));
    }

    private List<PossibleDuplicates> merge() {
        return merge(winning, losing, NOW);
    }

    private static List<PossibleDuplicates> merge(ReplicatedTable winner, ReplicatedTable loser, long now) {
        return merge(winner, loser, APART, now);
    }

    private static List<PossibleDuplicates> merge(
            ReplicatedTable winner, ReplicatedTable loser, long apartSince, long now) {
        return winner.merge(loser.snapshotFor(0), apartSince, now);
    }

    private static RenewReply renew(ReplicatedTable table, Requester requester, Grant grant) {
        return table.table()
                .renew(requester.renew(grant), requester.now(), RULES)
                .answer();
    }

    private static void assertRenewed(ReplicatedTable table, Requester requester, Grant grant) {
        assertThat(renew(table, requester, grant).outcome()).isEqualTo(Outcome.RENEWED);
    }

    private static void promote(ReplicatedTable copy, long epoch, long now) {
        copy.becomeOwner(1, epoch, now, now + RULES.lossWaitMillis());
    }

    private static ReplicatedTable successorOf(ReplicatedTable owner, long epoch, long now) {
        ReplicatedTable promoted = Copies.of(owner.snapshotFor(1));
        promote(promoted, epoch, now);
        return promoted;
    }

    @Test
    void aNodeIdOfBothSidesIsReportedAndBothHoldersAttachAgain() {
        Grant mine = attach(winning, holder(1));
        Grant theirs = attach(losing, holder(2).at(NOW - 1_000));

        assertThat(merge()).containsExactly(duplicates(0, APART, theirs.ceiling() + EPOCH));

        assertThat(renew(winning, holder(1), mine)).isEqualTo(RenewReply.REFUSED);
        assertThat(renew(winning, holder(2), theirs)).isEqualTo(RenewReply.REFUSED);
        Requester later = holder(1).at(NOW + LEASE).havingUsed(IDNOW);
        assertThat(attach(winning, later, 2, RULES).floor())
                .as("of the one whose grant ends later")
                .isEqualTo(theirs.ceiling());
    }

    /** The promoted backup lacks the renewal, but has a later change. The holder got no answer, and its clock lags. */
    @Test
    void aHolderIsNotRenewedBelowWhatTheOtherSideGrantedOfItsNodeId() {
        Grant known = attach(winning, holder(1));
        ReplicatedTable promoted = Copies.of(winning.snapshotFor(1));
        renew(winning, holder(1).at(NOW + 1_000), known);
        Grant later = attach(winning, holder(2), 1, TWO_NODES);
        promoted.join(winning.change(Set.of(later.logicalNodeId())), null, false);
        long split = NOW + LEASE;
        promote(promoted, 3, split);
        Grant theirs = attach(promoted, holder(3).at(split).asking(500));

        merge(winning, promoted, split);

        Requester lagging = holder(1).at(split - SKEW);
        assertThat(winning.table().renew(lagging.renew(known), split, RULES).answer())
                .isEqualTo(RenewReply.REFUSED);
        assertThat(attach(winning, lagging.at(split).havingUsed(known.ceiling() - 1), 2, RULES)
                        .floor())
                .isEqualTo(theirs.ceiling());
    }

    @Test
    void aRequestThatBothSidesAnsweredHasTwoGrants() {
        attach(winning, holder(1));
        Grant theirs = attach(losing, holder(1).at(NOW + 1_000));
        merge();
        Requester later = holder(1).at(NOW + 1_000 + LEASE).havingUsed(IDNOW);
        assertThat(attach(winning, later, 2, RULES).floor())
                .as("above both: it may have heard of either")
                .isEqualTo(theirs.ceiling());
    }

    @Test
    void grantsThatEndedCountAsLongAsTheyLasted() {
        Grant mine = attach(winning, holder(1));
        winning.table().detach(detach(mine, IDNOW + 50));
        Grant theirs = attach(losing, holder(2));
        losing.table().detach(detach(theirs, IDNOW + 30));

        assertThat(merge()).containsExactly(duplicates(0, APART, NOW + 31));
        assertThat(attach(winning, holder(3)).floor()).isEqualTo(IDNOW + 51);
    }

    @Test
    void aNodeIdOfTheOtherSideOnlyStaysWithItsHolder() {
        attach(winning, holder(1));
        Grant theirs = attach(losing, holder(2), 1, new TableRules(LEASE, SKEW, 2 * LEASE, 1, 1));
        assertThat(merge()).isEmpty();

        assertRenewed(winning, holder(2), theirs);
        Grant again = attach(winning, holder(2).havingUsed(IDNOW + 7), 2, TWO_NODES);
        assertThat(again.logicalNodeId()).isEqualTo(theirs.logicalNodeId());
        assertThat(again.floor()).isEqualTo(IDNOW + 8);
    }

    @Test
    void aHolderOfTheOtherSideTellsWhatItUsedAlsoOfANodeIdThatWasFreeHere() {
        Grant mine = attach(winning, holder(1));
        winning.table().detach(detach(mine, IDNOW + 50));
        attach(losing, holder(2));
        merge();
        assertThat(attach(winning, holder(2).havingUsed(IDNOW + 7), 2, RULES).floor())
                .as("above what either side used")
                .isEqualTo(IDNOW + 51);
    }

    @Test
    void aSequencerThatOnlyTheOtherSideKnewGoesOn() {
        Grant theirs = attach(losing, holder(2));
        assertThat(merge()).isEmpty();
        assertRenewed(winning, holder(2), theirs);
        winning.table().detach(detach(theirs, IDNOW + 3));
        assertThat(attach(winning, holder(3)).floor()).isEqualTo(IDNOW + 4);
    }

    @Test
    void aGrantOfBeforeTheSplitIsOneAndKeepsTheHigherCeiling() {
        Grant grant = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        RenewReply renewed = renew(other, holder(1).at(NOW + LEASE / 2), grant);

        assertThat(merge(winning, other, NOW)).isEmpty();

        long end = renewed.ceiling() + EPOCH;
        assertThat(attach(winning, holder(2).at(end)).floor()).isEqualTo(renewed.ceiling());
    }

    @Test
    void aGrantThatWasGivenBackOnOneSideIsFreeFromItsCeilingOn() {
        Grant grant = attach(winning, holder(1));
        ReplicatedTable other = successorOf(winning, 3, NOW);
        other.table().detach(detach(grant, IDNOW + 3));
        assertThat(merge(winning, other, NOW)).isEmpty();
        assertThat(renew(winning, holder(1), grant)).isEqualTo(RenewReply.REFUSED);
        assertThat(attach(winning, holder(2).at(NOW + LEASE)).floor()).isEqualTo(grant.ceiling());
    }

    /** This side has renewed the grant. The side that received the release does not know of the renewal. */
    @Test
    void aGrantThatWasGivenBackOnOneSideWasUsedUpToTheCeilingOfTheOther() {
        Grant grant = attach(winning, holder(1));
        ReplicatedTable other = successorOf(winning, 3, NOW);
        Requester later = holder(1).at(NOW + LEASE / 2);
        RenewReply renewed = renew(winning, later, grant);
        other.table().detach(detach(grant, renewed.ceiling() - 1));
        merge(winning, other, NOW + LEASE);
        assertThat(attach(winning, holder(2).at(NOW + 2 * LEASE)).floor()).isEqualTo(renewed.ceiling());
    }

    @Test
    void aHolderThatCameOverIsNoTwin() {
        Grant theirs = attach(losing, holder(1));
        Grant mine = attach(winning, holder(1).havingUsed(IDNOW), 2, RULES);
        assertThat(theirs.logicalNodeId()).isEqualTo(mine.logicalNodeId());
        assertThat(merge()).isEmpty();
        assertThat(merge()).as("the request is sent twice").isEmpty();
    }

    /**
     * The promoted backup lacks the grant of holder 2, but has the later grant of holder 3. Holder 2 repeats its
     * request, and receives the grant after the split.
     */
    @Test
    void aGrantThatTheOtherSideMissedAloneIsReported() {
        TableRules threeNodes = new TableRules(LEASE, SKEW, 2 * LEASE, 0, 2);
        attach(winning, holder(1), 1, threeNodes);
        ReplicatedTable other = Copies.of(winning.snapshotFor(1));
        int missed = attach(winning, holder(2), 1, threeNodes).logicalNodeId();
        Grant later = attach(winning, holder(3), 1, threeNodes);
        other.join(winning.change(Set.of(later.logicalNodeId())), null, false);
        other.becomeOwner(1, 3, NOW, NOW + threeNodes.lossWaitMillis());
        assertThat(attach(other, holder(4), 1, threeNodes).logicalNodeId()).isEqualTo(missed);
        attach(winning, holder(2), 1, threeNodes);

        assertThat(merge(winning, other, NOW))
                .extracting(PossibleDuplicates::logicalNodeId)
                .containsExactly(missed);
    }

    @Test
    void whatOneSideAloneGrantedSinceTheSplitIsNotReported() {
        Grant former = attach(winning, holder(1));
        winning.table().detach(detach(former, IDNOW + 50));
        ReplicatedTable other = successorOf(winning, 3, NOW + 100);
        Grant present = attach(winning, holder(2).at(NOW + 100));

        assertThat(merge(winning, other, NOW + 100, NOW + 200)).isEmpty();
        assertRenewed(winning, holder(2), present);
    }

    @Test
    void noGrantBeginsBelowTheFloorOfTheLosingSide() {
        Grant former = attach(losing, holder(2));
        losing.table().destroy(former.incarnation(), NOW);
        losing.table().detach(detach(former, IDNOW + 1_000));
        TableRules nodeOne = new TableRules(LEASE, SKEW, 2 * LEASE, 1, 1);
        Grant next = attach(losing, holder(2), 2, nodeOne);
        assertThat(next.floor()).isGreaterThan(IDNOW + 1_000);
        attach(winning, holder(1), 1, nodeOne);

        merge();

        assertThat(attach(winning, holder(3)).floor()).isEqualTo(next.floor());
    }

    @Test
    void nobodyIsAttachedBeforeTheRecoveryTimeOfTheLosingSide() {
        long until = NOW + 2 * LEASE;
        for (boolean isKnownThere : List.of(true, false)) {
            for (boolean isDestroyedHere : List.of(true, false)) {
                ReplicatedTable table = new ReplicatedTable(Requester.NAME, 3);
                Grant mine = attach(table, holder(1));
                ReplicatedTable other =
                        isKnownThere ? successorOf(table, 4, NOW) : new ReplicatedTable(Requester.NAME, 5);
                other.table().startWait(6, until);
                if (isDestroyedHere) {
                    table.table().destroy(mine.incarnation(), NOW);
                    table.table().detach(detach(mine, IDNOW));
                }
                merge(table, other, NOW);
                assertThatThrownBy(() -> attach(table, holder(2).at(until - 1), 1, TWO_NODES))
                        .isInstanceOf(SnowcastIllegalStateException.class);
                assertThat(attach(table, holder(2).at(until), 1, TWO_NODES).floor())
                        .isEqualTo(until - EPOCH);
            }
        }
    }

    @Test
    void aCopyHearsOfAMergeThatChangedNoNodeId() {
        attach(winning, holder(1));
        ReplicatedTable copy = Copies.of(winning.snapshotFor(1));
        losing.table().startWait(6, NOW + LEASE);
        merge();
        copy.join(winning.snapshotFor(1), null, false);
        assertThatThrownBy(() -> attach(copy, holder(2), 1, TWO_NODES))
                .isInstanceOf(SnowcastIllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sidesWithDifferentDefinitionsReportAllThatTheLosingOneGranted(boolean isDestroyedThere) {
        Definition other = new Definition(EPOCH, SnowcastLayout.POSITIVE, 1, null);
        attach(winning, holder(1));
        Grant theirs = attach(losing, holder(2).of(other));
        if (isDestroyedThere) {
            losing.table().destroy(theirs.incarnation(), NOW);
        }

        assertThat(merge()).containsExactly(duplicates(-1, APART, theirs.ceiling() + EPOCH));
        assertThat(renew(winning, holder(2).of(other), theirs)).isEqualTo(RenewReply.DESTROYED);
    }

    @Test
    void aSequencerThatTheWinnerDestroyedStaysDestroyedAndItsSuccessorBeginsAboveBothSides() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        RenewReply renewed = renew(other, holder(1).at(NOW + LEASE / 2), mine);
        winning.table().destroy(mine.incarnation(), NOW);
        winning.table().detach(detach(mine, IDNOW));

        merge(winning, other, NOW);

        assertThat(winning.table().definition()).isNull();
        assertThatThrownBy(() -> attach(winning, holder(2))).isInstanceOf(SnowcastIllegalStateException.class);
        long end = renewed.ceiling() + EPOCH;
        assertThat(attach(winning, holder(2).at(end)).floor()).isEqualTo(renewed.ceiling());
    }

    @Test
    void aLaterIncarnationOfTheOtherSideFollowsTheDestroyedOne() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        winning.table().destroy(mine.incarnation(), NOW);
        other.table().destroy(mine.incarnation(), NOW);
        other.table().detach(detach(mine, IDNOW));
        Grant later = attach(other, holder(2));

        assertThat(merge(winning, other, NOW)).containsExactly(duplicates(-1, APART, mine.ceiling() + EPOCH));
        Requester again = holder(2).at(NOW + LEASE).in(later.incarnation()).havingUsed(IDNOW + 1);
        assertThat(attach(winning, again, 2, RULES).incarnation()).isEqualTo(later.incarnation());
        assertThat(renew(winning, holder(1), mine)).isEqualTo(RenewReply.DESTROYED);
    }

    /**
     * A paused holder of the destroyed incarnation may issue IDs up to its ceiling. This side has changed the entry of
     * the node ID more often than the other side, which must not matter.
     */
    @Test
    void aLaterIncarnationOfTheOtherSideContinuesAboveWhatThisSideMayHaveIssuedOfTheDestroyedOne() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        endIncarnation(other, mine);
        Grant later = attach(other, holder(2));
        long end = mine.ceiling();
        for (int i = 1; i <= 10; i++) {
            end = renew(winning, holder(1).at(NOW + 1_000L * i), mine).ceiling();
        }
        winning.table().destroy(mine.incarnation(), NOW + 10_000);
        assertThat(later.ceiling()).isLessThan(end);

        merge(winning, other, NOW + 10_000);

        Requester again = holder(2).at(end + EPOCH).in(later.incarnation()).havingUsed(IDNOW);
        assertThat(renew(winning, again, later)).isEqualTo(RenewReply.REFUSED);
        assertThat(attach(winning, again, 2, RULES).floor()).isEqualTo(end);
    }

    /** The merge is sent again if its answer was lost, or if a backup has not acknowledged the merge. */
    @Test
    void aMergeThatComesAgainReportsTheSame() {
        Grant shared = attach(winning, holder(1));
        winning.table().detach(detach(shared, IDNOW + 50));
        ReplicatedTable other = successorOf(winning, 3, NOW + 100);
        Grant ofOther = attach(other, holder(2).at(NOW + 100));
        other.table().detach(detach(ofOther, IDNOW + 150));

        List<PossibleDuplicates> found = merge(winning, other, NOW + 200);
        Snapshot merged = winning.snapshotFor(0);
        assertThat(merge(winning, other, NOW + 300)).isEqualTo(found).isNotEmpty();
        assertThat(winning.snapshotFor(0)).isEqualTo(merged);
    }

    @Test
    void aHolderOfAnIncarnationThatWasDestroyedHereHasNoPartInTheLaterIncarnationOfTheOtherSide() {
        Grant mine = attach(winning, holder(1));
        winning.table().destroy(mine.incarnation(), NOW);
        attach(losing, holder(2).at(NOW + 1));
        merge();

        Requester late = holder(1).in(mine.incarnation());
        assertThat(winning.table().attach(late.attach(2), NOW, RULES).answer().orElse(null))
                .isNull();
        assertThat(winning.table().renew(late.renew(mine), NOW, RULES).answer()).isEqualTo(RenewReply.DESTROYED);
    }

    @Test
    void anEmptyTableChangesNothing() {
        Grant mine = attach(winning, holder(1));
        assertThat(merge()).isEmpty();
        assertRenewed(winning, holder(1), mine);
    }

    /**
     * The holder detaches after the sides {@code one} and {@code other} have split off, so only {@code winning} and
     * {@code next} know that the node ID is free. Both grant it again, from a time before the end of the released lease
     * on. The sides {@code one} and {@code other} take in one of these two sides each, and then {@code one} takes in
     * {@code other}.
     */
    @Test
    void whatSidesIssuedUnderAGrantOfBeforeTheSplitIsReportedThoughTheyWereMergedWithOthersBefore() {
        Grant common = attach(winning, holder(1));
        ReplicatedTable one = successorOf(winning, 3, NOW);
        ReplicatedTable other = successorOf(winning, 4, NOW);
        winning.table().detach(detach(common, IDNOW + 1));
        ReplicatedTable next = successorOf(winning, 5, NOW);
        Grant first = attach(next, holder(2));
        next.table().detach(detach(first, IDNOW + 50));
        Grant second = attach(winning, holder(3));
        winning.table().detach(detach(second, IDNOW + 30));

        merge(one, next, NOW);
        merge(other, winning, NOW);
        assertThat(merge(one, other, NOW))
                .as("above 30 only holder 2 issued IDs, but of holder 1 neither side knows that it has ended")
                .containsExactly(duplicates(0, APART, NOW + 51));

        assertThat(attach(one, holder(4).at(NOW + LEASE)).floor())
                .as("above both, and the ceiling that they know")
                .isEqualTo(common.ceiling());
    }

    /**
     * One of two sides has merged a third side before the two sides merge. If it merged the third side after the two
     * sides had parted, the report begins when the third side parted. If it did so earlier, the report begins when the
     * two sides parted.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAThirdSideGrantedIsReportedFromWhereItHadPartedIfItWasMergedAfterTheOtherTwoParted(boolean byWinner) {
        long parted = NOW + 10_000;
        for (boolean isAfter : List.of(true, false)) {
            ReplicatedTable one = new ReplicatedTable(Requester.NAME, 3);
            ReplicatedTable other = new ReplicatedTable(Requester.NAME, 4);
            ReplicatedTable third = new ReplicatedTable(Requester.NAME, 5);
            attach(byWinner ? other : one, holder(1));
            Grant ofThird = attach(third, holder(3));
            merge(byWinner ? one : other, third, isAfter ? parted : parted - 1);

            assertThat(merge(one, other, parted, parted))
                    .containsExactly(duplicates(0, isAfter ? APART : parted, ofThird.ceiling() + EPOCH));
        }
    }

    /**
     * After a loss, the table does not know which request led to a grant that it takes over. The grant may be newer
     * than the grant that the same holder has on the other side, so the merge must not let the holder keep the grant of
     * the other side.
     */
    @Test
    void aGrantThatWasTakenOverAfterALossIsNotTakenForAFormerOne() {
        Grant mine = attach(winning, holder(1));
        Requester later = holder(1).at(NOW + 10_000);
        Grant newer = attach(new ReplicatedTable(Requester.NAME, 3), later, 2, RULES);
        losing.table().startWait(4, NOW + LEASE);
        assertRenewed(losing, later, newer);

        merge();

        assertThat(renew(winning, later, mine)).isEqualTo(RenewReply.REFUSED);
    }

    /** After a loss, no data shows which grants both sides knew, so the report begins at the epoch. */
    @Test
    void whatAGrantIssuedBeforeItWasTakenOverAfterALossIsReported() {
        Grant grant = attach(winning, holder(1));
        ReplicatedTable other = successorOf(winning, 3, NOW);
        Requester later = holder(1).at(NOW + LEASE / 2);
        long ceiling = renew(other, later, grant).ceiling();
        attach(winning, holder(2).at(NOW + LEASE));

        other.table().startWait(4, NOW + 2 * LEASE);
        other.table().renew(later.renew(grant, ceiling), NOW + LEASE / 2, RULES);

        assertThat(merge(winning, other, NOW + LEASE)).containsExactly(duplicates(0, EPOCH, ceiling + EPOCH));
    }

    // --- incarnations that end and begin while the network is split

    /**
     * Both sides have destroyed the first incarnation. Before that, this side had renewed a grant of it, so the grant
     * ends later here than on the other side.
     */
    @Test
    void theSuccessorOfALaterIncarnationThatTheOtherSideDestroyedBeginsAboveBothSides() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        endIncarnation(other, mine);
        endIncarnation(other, attach(other, holder(2)));
        long ceiling = renew(winning, holder(1).at(NOW + 10_000), mine).ceiling();
        winning.table().destroy(mine.incarnation(), NOW + 10_000);

        merge(winning, other, NOW + 10_000);

        assertThat(attach(winning, holder(3).at(NOW + 10_000 + LEASE)).floor()).isEqualTo(ceiling);
    }

    /**
     * The third side ({@code losing}) has created the name with another definition, so a merge does not unite its node
     * IDs with those of the other sides. The merge keeps only the highest ID that the third side may have issued.
     */
    @Test
    void theSuccessorOfADestroyedIncarnationBeginsAboveAThirdSide() {
        Grant mine = attach(winning, holder(1));
        endIncarnation(winning, mine);
        ReplicatedTable second = Copies.of(winning.snapshotFor(0));
        Grant third =
                attach(losing, holder(2).at(NOW - 1_000).of(new Definition(EPOCH, SnowcastLayout.DEFAULT, 0, null)));

        merge(second, losing, NOW);
        merge(winning, second, NOW);

        assertThat(attach(winning, holder(3).at(NOW + LEASE)).floor()).isEqualTo(third.ceiling());
    }

    @Test
    void whatTheOtherSideGrantedBeforeItDestroyedTheIncarnationIsReportedAndNotGivenAgain() {
        Grant mine = attach(winning, holder(1), 1, TWO_NODES);
        ReplicatedTable other = successorOf(winning, 3, NOW);
        Grant theirs = attach(other, holder(2).at(NOW + 1_000), 1, TWO_NODES);
        other.table().destroy(theirs.incarnation(), NOW + 1_000);
        winning.table().renew(holder(1).at(NOW + 2_000).renew(mine), NOW + 2_000, TWO_NODES);

        assertThat(merge(winning, other, NOW + 2_000)).containsExactly(duplicates(-1, APART, theirs.ceiling() + EPOCH));

        assertThat(winning.table()
                        .renew(holder(1).at(NOW + 2_000).renew(mine), NOW + 2_000, TWO_NODES)
                        .answer())
                .as("of a holder that knows of less than the other side granted")
                .isEqualTo(RenewReply.REFUSED);
        for (int number = 3; number <= 4; number++) {
            assertThat(attach(winning, holder(number).at(NOW + 2 * LEASE), 1, TWO_NODES)
                            .floor())
                    .isGreaterThanOrEqualTo(theirs.ceiling());
        }
    }

    /** The holder releases its grant of this side. This release does not concern holders of the other side. */
    @Test
    void aDetachAfterTheMergeDoesNotForgetWhatTheOtherSideIssuedOfADestroyedIncarnation() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        Grant theirs = attach(other, holder(2).at(NOW + 10_000), 1, TWO_NODES);
        winning.table().destroy(mine.incarnation(), NOW);

        merge(winning, other, NOW + 10_000);
        winning.table().detach(detach(mine, IDNOW));

        assertThat(attach(winning, holder(3).at(NOW + 10_000 + LEASE)).floor()).isEqualTo(theirs.ceiling());
    }

    /**
     * The name may get the other side's definition later. From then on, its IDs must be above the IDs that the other
     * side has issued.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSuccessorOfAnIncarnationBeginsAboveWhatTheOtherSideIssuedByAnotherDefinition(boolean isDestroyedThere) {
        Definition other = new Definition(EPOCH, SnowcastLayout.DEFAULT, 0, null);
        Grant mine = attach(winning, holder(1));
        Grant theirs = attach(losing, holder(2).at(NOW + 1_000).of(other));
        if (isDestroyedThere) {
            losing.table().destroy(theirs.incarnation(), NOW);
        }
        merge();

        endIncarnation(winning, mine);

        assertThat(attach(winning, holder(3).at(NOW + 2 * LEASE).of(other)).floor())
                .isEqualTo(theirs.ceiling());
    }

    private static void endIncarnation(ReplicatedTable table, Grant only) {
        table.table().destroy(only.incarnation(), NOW);
        table.table().detach(detach(only, IDNOW));
    }

    /** The copy has higher change numbers than the losing side, but these numbers belong to the ended incarnation. */
    @Test
    void aCopyHearsOfALaterIncarnationOfTheOtherSide() {
        Grant mine = attach(winning, holder(1));
        ReplicatedTable other = Copies.of(winning.snapshotFor(0));
        endIncarnation(other, mine);
        Grant later = attach(other, holder(2));
        ReplicatedTable promoted = successorOf(winning, 3, NOW + 10_000);
        promoted.table().destroy(mine.incarnation(), NOW + 10_000);
        ReplicatedTable copy = Copies.of(promoted.snapshotFor(1));

        merge(promoted, other, NOW + 20_000);
        copy.join(promoted.snapshotFor(1), null, false);

        Requester again = holder(2).at(NOW + LEASE).in(later.incarnation()).havingUsed(IDNOW + 1);
        assertThat(attach(copy, again, 2, RULES).incarnation()).isEqualTo(later.incarnation());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLaterIncarnationOfTheOtherSideCountsChangesOnFromBothSidesThoughAClockIsAhead(boolean isAheadHere) {
        Grant mine = attach(winning, holder(1));
        attach(losing, holder(2).at(NOW + 1));
        promote(isAheadHere ? winning : losing, 3, NOW + 3_600_000);
        winning.table().destroy(mine.incarnation(), NOW);
        long before = Math.max(changeNumber(winning), changeNumber(losing));
        merge();

        assertThat(changeNumber(winning)).isGreaterThan(before);
    }

    private static long changeNumber(ReplicatedTable table) {
        return table.snapshotFor(0).lifecycle().changeNumber();
    }

    @Test
    void twoSidesThatTakeOneTableOverMakeDifferentTokens() {
        Grant theirs = attach(losing, holder(1));
        losing.table().detach(detach(theirs, IDNOW + 3));
        ReplicatedTable second = new ReplicatedTable(Requester.NAME, 3);
        merge();
        merge(second, losing, NOW);
        assertThat(attach(winning, holder(2)).token())
                .isNotEqualTo(attach(second, holder(3)).token());
    }
}
