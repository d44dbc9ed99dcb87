// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import static com.noctarius.snowcast.internal.vote.Electorate.Eligibility.BEHIND;
import static com.noctarius.snowcast.internal.vote.Electorate.Eligibility.CONFIRMED;
import static com.noctarius.snowcast.internal.vote.Electorate.Eligibility.ISOLATED;
import static com.noctarius.snowcast.internal.vote.Electorate.Eligibility.UNCONFIRMED;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import com.noctarius.snowcast.internal.vote.Electorate.Ending;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ElectorateTest {
    private static final long MAX_GAP_MILLIS = 5_000;
    private static final long SEARCH_MILLIS = 100_000;
    private static final UUID ME = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);
    private static final UUID THIRD = new UUID(0, 3);
    private static final UUID FOURTH = new UUID(0, 4);
    private static final UUID FIFTH = new UUID(0, 5);

    private final ManualClock clock = ManualClock.blocking(1_000_000);
    private final Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 0);
    private List<UUID> members = List.of(ME);
    private int version = 1;

    private Eligibility look() {
        return electorate.decide(ME, members, version);
    }

    /** Lets time pass, with a check in each second, as in a running member. */
    private Eligibility lookFor(long millis) {
        for (long passed = 0; passed < millis; passed += 1_000) {
            look();
            clock.advanceMillis(Math.min(millis - passed, 1_000));
        }
        return look();
    }

    private Eligibility list(UUID... nowMembers) {
        members = List.of(nowMembers);
        version++;
        return look();
    }

    private Asked ask() {
        return electorate.asked();
    }

    private static Vote vote(long listHash, boolean isCurrent) {
        return new Vote(listHash, isCurrent, Standing.KNOWS, 0, 0);
    }

    private void confirmedBy(UUID... others) {
        Stream.of(others).forEach(other -> confirmedBy(other, ask(), true));
    }

    private void confirmedBy(UUID other, Asked asked, boolean isCurrent) {
        electorate.answered(other, vote(ask().listHash(), isCurrent), asked);
    }

    /** Sets up a confirmed cluster of three members, of which this one is the first. */
    private void three() {
        look();
        list(ME, SECOND, THIRD);
        confirmedBy(SECOND, THIRD);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void theFirstMemberOfAClusterActsAtOnce() {
        assertThat(electorate.isCurrent()).isFalse();
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();
        assertThat(list(ME, SECOND)).as("who has just joined has no vote yet").isEqualTo(CONFIRMED);
    }

    @Test
    void whoJoinsWaitsForThoseWhoActed() {
        members = List.of(SECOND, ME);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedBy(SECOND, ask(), false);
        assertThat(look())
                .as("confirmed by one that may itself have been removed")
                .isEqualTo(UNCONFIRMED);
        assertThat(electorate.isCurrent()).isFalse();
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();
    }

    /**
     * When several members start at once, only the first one has a vote at the beginning. Each member needs a majority
     * of itself and the members before it, so the members are confirmed one after the other.
     */
    @Test
    void manyThatJoinAtOnceAreConfirmed() {
        List<UUID> all = List.of(SECOND, THIRD, FOURTH, FIFTH, ME);
        members = all;
        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedBy(SECOND);
        assertThat(look()).as("one of four elders has a vote").isEqualTo(UNCONFIRMED);
        confirmedBy(THIRD);
        assertThat(look()).as("half of them, and it is the fifth").isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();

        electorate.reset();
        members = List.of(SECOND, ME, THIRD, FOURTH, FIFTH);
        look();
        confirmedBy(SECOND);
        assertThat(look()).as("those that joined after it are no elders").isEqualTo(CONFIRMED);
    }

    @Test
    void aMajorityIsEnoughAndHalfIsNot() {
        three();
        assertThat(lookFor(10_000)).isEqualTo(CONFIRMED);
        clock.advanceMillis(1);
        assertThat(look()).as("after ten seconds").isEqualTo(UNCONFIRMED);
        confirmedBy(THIRD);
        assertThat(look()).as("two of three").isEqualTo(CONFIRMED);

        list(ME, SECOND, THIRD, FOURTH);
        confirmedBy(SECOND, THIRD, FOURTH);
        look();
        lookFor(10_001);
        confirmedBy(SECOND);
        assertThat(look()).as("two of four").isEqualTo(UNCONFIRMED);
    }

    @Test
    void theClockThatMovedFurtherDecides() {
        three();
        clock.stepWall(-1_000_000);
        lookFor(10_001);
        assertThat(look()).as("the wall clock was set back").isEqualTo(UNCONFIRMED);
        confirmedBy(SECOND, THIRD);
        clock.stepWall(10_001);
        assertThat(look())
                .as("a machine was suspended, and its monotonic clock with it")
                .isEqualTo(UNCONFIRMED);
        assertThat(electorate.isCurrent()).isFalse();
    }

    @Test
    void aConfirmationThatComesLateDoesNotReplaceAYoungerOne() {
        three();
        Asked late = ask();
        lookFor(5_000);
        confirmedBy(SECOND, THIRD);
        confirmedBy(SECOND, late, true);
        confirmedBy(THIRD, late, true);
        assertThat(lookFor(9_000)).isEqualTo(CONFIRMED);
    }

    @Test
    void whatWasAskedBeforeAMemberLeftDoesNotCount() {
        three();
        Asked before = ask();
        assertThat(list(ME, SECOND)).isEqualTo(ISOLATED);
        confirmedBy(SECOND, before, true);
        assertThat(look()).isEqualTo(ISOLATED);
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.absent()).as("two are the electorate now").isEmpty();
        assertThat(electorate.confirming().size()).isEqualTo(1);
    }

    /**
     * If new members could vote at once, two majorities without a common member would be possible. One is the second
     * and the third member, two of the three members that last acted together. The other is this member with the two
     * new members.
     */
    @Test
    void newcomersHaveNoVoteBeforeAMajorityWithThemConfirms() {
        three();
        lookFor(12_000);
        confirmedBy(SECOND);
        assertThat(list(ME, SECOND, THIRD, FOURTH, FIFTH)).isEqualTo(CONFIRMED);

        list(ME, FOURTH, FIFTH);
        confirmedBy(FOURTH, FIFTH);
        assertThat(look()).isEqualTo(ISOLATED);
    }

    @Test
    void anAnswerCountsIfBothHadTheListWhenItWasAskedAndHaveItWhenItComes() {
        three();
        Asked before = ask();
        list(ME, SECOND, THIRD, FOURTH);
        confirmedBy(FOURTH, before, true);
        assertThat(electorate.confirming().size())
                .as("asked under the list of three")
                .isEqualTo(2);
        electorate.answered(FOURTH, vote(before.listHash(), true), ask());
        assertThat(electorate.confirming().size())
                .as("the fourth has the list of three")
                .isEqualTo(2);
        electorate.answered(FOURTH, vote(before.listHash(), true), before);
        assertThat(electorate.confirming().size()).as("both had it").isEqualTo(2);
        confirmedBy(FIFTH);
        assertThat(electorate.confirming().size()).as("the fifth is not listed").isEqualTo(2);
        confirmedBy(FOURTH);
        assertThat(electorate.confirming().size()).isEqualTo(3);
    }

    @Test
    void aMemberVotesByItsListAndByWhetherItStoodStill() {
        assertThat(electorate.vote()).isEqualTo(new Vote(0, false, Standing.NEW, 0, 0));
        three();
        assertThat(electorate.vote()).isEqualTo(new Vote(ask().listHash(), true, Standing.ACTS, 3, 0));
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();
        assertThat(electorate.vote()).isEqualTo(new Vote(ask().listHash(), false, Standing.KNOWS, 3, 0));
    }

    @Test
    void twoSidesOfASplitDifferThoughTheyCountAlike() {
        three();
        list(ME, SECOND);
        long hash = ask().listHash();
        electorate.reset();
        version--;
        list(ME, THIRD);
        assertThat(ask().listHash()).isNotEqualTo(hash);
    }

    /** A confirmation expires ten seconds after its request, however late its answer arrives. */
    @Test
    void aConfirmationCountsFromWhenItWasAskedFor() {
        three();
        assertThat(lookFor(10_001)).isEqualTo(UNCONFIRMED);
        Asked asked = ask();
        lookFor(4_000);
        confirmedBy(SECOND, asked, true);
        assertThat(lookFor(6_000)).isEqualTo(CONFIRMED);
        clock.advanceMillis(1);
        assertThat(look()).as("ten seconds after it was asked").isEqualTo(UNCONFIRMED);
    }

    @Test
    void aThreadThatSawAnOlderListChangesNothing() {
        three();
        list(ME, SECOND);
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.decide(ME, List.of(ME, SECOND, THIRD), version - 1))
                .isEqualTo(CONFIRMED);
        assertThat(look()).isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();
        confirmedBy(SECOND, ask(), false);
        assertThat(look()).as("two are all").isEqualTo(CONFIRMED);
    }

    @Test
    void whoStoodStillNeedsAMajorityThatDidNot() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        assertThat(electorate.isCurrent()).isFalse();
        confirmedBy(SECOND, ask(), false);
        assertThat(look()).as("both may have been removed by the third").isEqualTo(UNCONFIRMED);
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();
    }

    /** After a pause, a member may find answers that were sent before the other members removed it from their lists. */
    @Test
    void whatWasAskedBeforeItStoodStillDoesNotCount() {
        three();
        Asked before = ask();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();
        confirmedBy(SECOND, before, true);
        confirmedBy(THIRD, before, true);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void orAllWithWhomItActed() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();
        confirmedBy(SECOND, ask(), false);
        confirmedBy(THIRD, ask(), false);
        assertThat(look()).as("all stood still, and nobody removed anybody").isEqualTo(CONFIRMED);
    }

    @Test
    void whoLosesTheOthersGoesOnWhenTheyAreSilent() {
        three();
        assertThat(list(ME)).isEqualTo(ISOLATED);
        assertThat(electorate.absent()).containsExactlyInAnyOrder(SECOND, THIRD);
        lookFor(3_000);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(1);
        assertThat(electorate.goOn(Ending.WITH_DATA, 0)).isTrue();
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();
    }

    /**
     * Two of four members crash while this one stands still. The fourth, which did not, continues and acts: this member
     * has no reason to make it discard its data.
     */
    @Test
    void whoStoodStillGoesOnWithoutItsOwnDataIfOneThatActsConfirmsIt() {
        staleOfTwoThatAreLeft();
        confirmedBy(FOURTH);
        lookFor(3_001);
        assertThat(electorate.ending()).as("it only knows, and may not act").isEqualTo(Ending.NOT_YET);
        actsAndConfirms(FOURTH, false);
        assertThat(electorate.ending()).as("it is stale itself").isEqualTo(Ending.NOT_YET);
        actsAndConfirms(FOURTH, true);
        assertThat(electorate.ending())
                .as("others may have acted while it stood still")
                .isEqualTo(Ending.WITHOUT_OWN_DATA);
        assertThat(electorate.goOn(Ending.WITHOUT_ALL_DATA, 5)).isFalse();
        assertThat(electorate.goOn(Ending.WITHOUT_OWN_DATA, 5)).isTrue();
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.isCurrent()).isTrue();
        assertThat(electorate.discardedMillis()).as("the others keep theirs").isZero();
    }

    @Test
    void aPauseAfterTheDecisionHowToGoOnIsNotForgotten() {
        staleOfTwoThatAreLeft();
        lookFor(3_001);
        actsAndConfirms(FOURTH, true);
        assertThat(electorate.ending()).isEqualTo(Ending.WITHOUT_OWN_DATA);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();

        assertThat(electorate.goOn(Ending.WITHOUT_OWN_DATA, 5)).isFalse();
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        assertThat(electorate.isCurrent()).isFalse();
    }

    @Test
    void whoStoodStillWaitsForAbsentMembersThoughOneThatActsConfirmsIt() {
        staleOfTwoThatAreLeft();
        lookFor(2_000);
        electorate.reached();
        actsAndConfirms(FOURTH, true);
        lookFor(3_000);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(1);
        assertThat(electorate.ending()).isEqualTo(Ending.WITHOUT_OWN_DATA);
        lookFor(7_000);
        assertThat(electorate.ending()).as("confirmed for ten seconds").isEqualTo(Ending.NOT_YET);
    }

    /** Sets up a confirmed cluster of four, of which two are gone after this one stood still. */
    private void staleOfTwoThatAreLeft() {
        look();
        list(ME, SECOND, THIRD, FOURTH);
        confirmedBy(SECOND, THIRD, FOURTH);
        assertThat(look()).isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(list(ME, FOURTH)).isEqualTo(ISOLATED);
    }

    private void actsAndConfirms(UUID other, boolean isCurrent) {
        Asked asked = ask();
        electorate.answered(other, new Vote(asked.listHash(), isCurrent, Standing.ACTS, 0, 0), asked);
    }

    /** A check uses the median of three reads of the wall clock. */
    @Test
    void aSingleWrongReadOfTheWallClockEndsNoVoteAndMakesNoWaitLonger() {
        three();
        clock.lieOnce(0, 3_600_000);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(list(ME)).isEqualTo(ISOLATED);
        clock.advanceMillis(1_000);
        clock.lieOnce(0, 3_600_000);
        look();
        clock.advanceMillis(2_001);
        look();
        assertThat(electorate.ending()).isEqualTo(Ending.WITH_DATA);
    }

    private Eligibility ofOneThatBeganAndIsJoinedBy(Standing standing, int mostListed) {
        Electorate begun = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 2);
        assertThat(begun.decide(ME, List.of(ME), 1)).isEqualTo(UNCONFIRMED);
        begun.decide(ME, List.of(ME, SECOND), 2);
        confirm(begun, SECOND, standing, mostListed);
        return begun.decide(ME, List.of(ME, SECOND), 2);
    }

    private static void confirm(Electorate electorate, UUID member, Standing standing, int mostListed) {
        Asked asked = electorate.asked();
        electorate.answered(member, new Vote(asked.listHash(), false, standing, mostListed, 0), asked);
    }

    @Test
    void whoBeginsAClusterDoesNotKnowWhatWasDecidedInAnotherOne() {
        assertThat(ofOneThatBeganAndIsJoinedBy(Standing.NEW, 2)).isEqualTo(CONFIRMED);
        assertThat(ofOneThatBeganAndIsJoinedBy(Standing.COMING, 3)).isEqualTo(BEHIND);
        assertThat(ofOneThatBeganAndIsJoinedBy(Standing.KNOWS, 3)).isEqualTo(BEHIND);
        assertThat(ofOneThatBeganAndIsJoinedBy(Standing.NEW, 3))
                .as("it was in a cluster of three, and could not send its data")
                .isEqualTo(BEHIND);
    }

    /** The member from another cluster confirmed, and left before there was a quorum. */
    @Test
    void whoBeginsAClusterRemembersThatSomethingWasDecidedInAnotherOne() {
        List<UUID> three = List.of(ME, THIRD, FOURTH);
        Electorate begun = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 3);
        begun.decide(ME, List.of(ME), 1);
        begun.decide(ME, List.of(ME, SECOND), 2);
        confirm(begun, SECOND, Standing.COMING, 2);
        assertThat(begun.decide(ME, three, 3)).isEqualTo(UNCONFIRMED);
        confirm(begun, THIRD, Standing.NEW, 3);
        confirm(begun, FOURTH, Standing.NEW, 3);
        assertThat(begun.decide(ME, three, 3)).isEqualTo(BEHIND);
    }

    @Test
    void whoReachesThemWaitsForHazelcastToMerge() {
        three();
        list(ME);
        for (int i = 0; i < 50; i++) {
            lookFor(2_000);
            electorate.reached();
            assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        }
        assertThat(electorate.waitMillis()).isZero();
        lookFor(1);
        assertThat(electorate.ending()).isEqualTo(Ending.WITH_DATA);
    }

    /** A member may be paused again and again, for example on an overloaded host. */
    @Test
    void theWaitEndsThoughItStandsStillOverAndOverAgain() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(list(ME)).isEqualTo(ISOLATED);
        long ranMillis = 0;
        while (electorate.ending() == Ending.NOT_YET) {
            assertThat(ranMillis).isLessThanOrEqualTo(SEARCH_MILLIS);
            lookFor(1_000);
            ranMillis += 1_000;
            clock.advanceMillis(2 * MAX_GAP_MILLIS);
            assertThat(look()).isEqualTo(ISOLATED);
        }
        assertThat(ranMillis).isEqualTo(SEARCH_MILLIS + 1_000);
        assertThat(electorate.isCurrent()).as("it is to lose its data").isFalse();
        assertThat(electorate.goOn(Ending.WITHOUT_ALL_DATA, 0)).isTrue();
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    /**
     * If an absent member is reached, Hazelcast will merge its cluster with that of this member. After a pause,
     * Hazelcast has to search for the absent member again, so the wait begins again.
     */
    @Test
    void theWaitBeginsAgainWithAPauseIfAnAbsentMemberWasReached() {
        three();
        list(ME);
        lookFor(2_000);
        electorate.reached();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(look()).isEqualTo(ISOLATED);
        assertThat(electorate.waitMillis()).isEqualTo(SEARCH_MILLIS);
        lookFor(2_000);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(look()).isEqualTo(ISOLATED);
        assertThat(electorate.waitMillis()).as("nothing was reached since").isEqualTo(SEARCH_MILLIS - 2_000);
    }

    @Test
    void whoJoinedAndLosesTheOthersBeforeTheyConfirmIsAsOneThatStoodStill() {
        members = List.of(SECOND, ME);
        look();
        assertThat(list(ME)).isEqualTo(ISOLATED);
        lookFor(4_000);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
    }

    @Test
    void whoJoinedGoesByTheEldersThatAreLeft() {
        members = List.of(SECOND, THIRD, FOURTH, ME);
        look();
        members = List.of(FOURTH, ME);
        version++;
        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedBy(FOURTH);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void thoseThatComeOverFromAnotherClusterAreNotWaitedFor() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        list(ME, FOURTH, FIFTH);
        electorate.hasSent(FOURTH, SECOND);
        electorate.hasSent(FIFTH, THIRD);
        confirmedBy(FOURTH);
        assertThat(look()).as("the third is absent").isEqualTo(ISOLATED);
        confirmedBy(FIFTH);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    /**
     * The other member of the losing side joined it after this member had last acted, so it is not in the electorate.
     */
    @Test
    void whoMergesIsWaitedForUntilItsWholeSideHasSentItsData() {
        look();
        list(ME, SECOND);
        confirmedBy(SECOND);
        assertThat(look()).isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        list(ME, FOURTH, FIFTH);
        electorate.hasSent(FOURTH, SECOND);
        answered(FOURTH, Standing.NEW);
        assertThat(look()).as("the fifth has not sent its data").isEqualTo(ISOLATED);
        answered(FOURTH, Standing.KNOWS);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    private void answered(UUID other, Standing standing) {
        Asked asked = ask();
        electorate.answered(other, new Vote(asked.listHash(), true, standing, 0, 0), asked);
    }

    @Test
    void whoLosesTheOthersWaitsWhileOneOfThemSendsItsData() {
        three();
        list(ME, FOURTH);
        lookFor(4_000);
        answered(FOURTH, Standing.COMING);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        answered(FOURTH, Standing.NEW);
        assertThat(electorate.ending()).isEqualTo(Ending.WITH_DATA);
    }

    /** The removed member may have confirmed the absent one, which has just resumed. */
    @Test
    void theSilenceBeginsAgainWhenAnotherMemberIsRemoved() {
        three();
        list(ME, THIRD);
        assertThat(lookFor(3_000)).isEqualTo(ISOLATED);
        list(ME);
        assertThat(lookFor(3_000)).isEqualTo(ISOLATED);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(1_000);
        assertThat(electorate.ending()).isEqualTo(Ending.WITH_DATA);
    }

    /** Hazelcast does not merge with a cluster that is FROZEN or PASSIVE. */
    @Test
    void nobodyGoesOnWhileAnAbsentMemberAnswers() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        list(ME);
        for (long passed = 0; passed <= SEARCH_MILLIS; passed += 1_000) {
            lookFor(1_000);
            electorate.reached();
        }
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(4_000);
        assertThat(electorate.ending()).isEqualTo(Ending.WITHOUT_ALL_DATA);
    }

    @Test
    void whoIsListedIsNotExcused() {
        three();
        // Wait until the former confirmations have expired. Otherwise they would hide an error of excuse(): if it
        // removed the second member from the electorate, this member would still be confirmed, and decide() would make
        // all listed members the electorate again.
        lookFor(10_001);
        electorate.excuse(SECOND);
        confirmedBy(SECOND);
        assertThat(look()).as("two of three").isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        look();
        confirmedBy(THIRD, ask(), false);
        assertThat(look()).as("not all").isEqualTo(UNCONFIRMED);
    }

    @Test
    void theWaitBeginsAnewAfterAConfirmation() {
        look();
        list(ME, SECOND, THIRD, FOURTH);
        confirmedBy(SECOND, THIRD, FOURTH);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(list(ME, SECOND)).isEqualTo(ISOLATED);
        assertThat(list(ME, SECOND, THIRD)).isEqualTo(ISOLATED);
        confirmedBy(SECOND, THIRD);
        assertThat(lookFor(5_000)).isEqualTo(CONFIRMED);

        assertThat(list(ME)).isEqualTo(ISOLATED);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
    }

    /** A merge gives a member a new UUID. At first, the list of the new cluster does not contain this UUID. */
    @Test
    void aListWithoutThisMemberConfirmsNothing() {
        three();
        electorate.reset();
        members = List.of(SECOND, THIRD);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        members = List.of(SECOND, ME);
        assertThat(look()).as("it goes by its elder").isEqualTo(UNCONFIRMED);
    }

    @Test
    void onlyAMemberThatIsIsolatedOrBehindWaits() {
        assertThat(Stream.of(Eligibility.values()).filter(Eligibility::isWaiting))
                .containsExactly(ISOLATED, BEHIND);
    }

    @Test
    void aGapOfTheAllowedLengthIsNoPause() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS);
        assertThat(look()).isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(look()).isEqualTo(UNCONFIRMED);
    }

    /** A member of the list turns out to run without snowcast: the list then has fewer voters, and the same version. */
    @Test
    void aListOfTheSameVersionWithOtherMembersCounts() {
        three();
        members = List.of(ME, SECOND);
        look();
        assertThat(electorate.listed()).containsExactlyInAnyOrder(ME, SECOND);
    }

    @Test
    void halfOfTheListedMembersAreNoMajorityWithWhichTheListBecomesTheElectorate() {
        three();
        lookFor(12_000);
        confirmedBy(SECOND);
        assertThat(list(ME, SECOND, THIRD, FOURTH)).isEqualTo(CONFIRMED);
        assertThat(look()).as("two of three").isEqualTo(CONFIRMED);
    }

    @Test
    void whoGoesOnIsCurrentAndWaitsNoMore() {
        three();
        list(ME);
        lookFor(3_001);
        electorate.goOn(Ending.WITH_DATA, 0);
        assertThat(electorate.absent()).isEmpty();
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        assertThat(electorate.waitMillis()).isZero();

        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        list(ME);
        lookFor(SEARCH_MILLIS + 1);
        assertThat(electorate.goOn(Ending.WITHOUT_ALL_DATA, 7)).isTrue();
        assertThat(electorate.isCurrent()).isTrue();
        assertThat(electorate.discardedMillis()).isEqualTo(7);
        assertThat(electorate.vote().discardedMillis()).isEqualTo(7);
    }

    @Test
    void theVersionOfTheListWithWhichAMemberLastActedIsThatOfItsLastConfirmation() {
        three();
        int actedAt = version;
        assertThat(electorate.actedAtVersion()).isEqualTo(actedAt);
        assertThat(list(ME)).isEqualTo(ISOLATED);
        assertThat(electorate.actedAtVersion()).isEqualTo(actedAt);
    }

    /** With a quorum of 2, three members are listed, and the second one has confirmed. */
    private Electorate behind(Standing ofSecond) {
        Electorate behind = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 2);
        List<UUID> three = List.of(SECOND, ME, THIRD);
        assertThat(behind.decide(ME, three, 1)).isEqualTo(UNCONFIRMED);
        assertThat(behind.missing()).as("it has no quorum").isZero();
        confirm(behind, SECOND, ofSecond, 3);
        assertThat(behind.decide(ME, three, 1)).isEqualTo(BEHIND);
        return behind;
    }

    private Eligibility lookFor(Electorate other, long millis, Standing ofSecond) {
        List<UUID> three = List.of(SECOND, ME, THIRD);
        Eligibility last = other.decide(ME, three, 1);
        for (long passed = 0; passed < millis; passed += 1_000) {
            clock.advanceMillis(Math.min(millis - passed, 1_000));
            confirm(other, SECOND, ofSecond, 3);
            last = other.decide(ME, three, 1);
        }
        return last;
    }

    @Test
    void whoIsBehindSaysHowManyMustKnowAndGoesOnWithoutDataAfterThreeSeconds() {
        Electorate behind = behind(Standing.KNOWS);
        assertThat(behind.doQuorumsOverlap()).isTrue();
        assertThat(behind.missing()).isEqualTo(1);
        lookFor(behind, 3_000, Standing.KNOWS);
        assertThat(behind.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(behind, 1, Standing.KNOWS);
        assertThat(behind.goOn(Ending.WITHOUT_ALL_DATA, 7)).isTrue();
        assertThat(behind.vote().standing()).isEqualTo(Standing.KNOWS);
        assertThat(behind.missing()).isZero();
        assertThat(behind.decide(ME, List.of(SECOND, ME, THIRD), 1)).isEqualTo(CONFIRMED);
    }

    @Test
    void whoIsBehindWaitsForAMemberThatSendsItsData() {
        Electorate behind = behind(Standing.COMING);
        assertThat(lookFor(behind, SEARCH_MILLIS, Standing.COMING)).isEqualTo(BEHIND);
        assertThat(behind.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(behind, 1, Standing.COMING);
        assertThat(behind.ending()).as("the search is over").isEqualTo(Ending.WITHOUT_ALL_DATA);
    }

    @Test
    void whoDiscardsItsDataWithoutAQuorumKnowsNothing() {
        Electorate alone = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 2);
        List<UUID> four = List.of(ME, SECOND, THIRD, FOURTH);
        alone.decide(ME, List.of(ME), 1);
        alone.decide(ME, four, 2);
        confirm(alone, SECOND, Standing.NEW, 4);
        confirm(alone, THIRD, Standing.NEW, 4);
        assertThat(alone.decide(ME, four, 2)).isEqualTo(CONFIRMED);
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(alone.decide(ME, List.of(ME), 3)).isEqualTo(ISOLATED);
        assertThat(alone.vote().standing()).isEqualTo(Standing.KNOWS);
        for (long passed = 0; passed <= SEARCH_MILLIS; passed += 1_000) {
            clock.advanceMillis(1_000);
            alone.decide(ME, List.of(ME), 3);
        }

        assertThat(alone.goOn(Ending.WITHOUT_ALL_DATA, 8)).isTrue();

        assertThat(alone.vote().standing()).isEqualTo(Standing.NEW);
    }

    @Test
    void withoutProtectionAndWithASmallQuorumQuorumsDoNotOverlap() {
        assertThat(electorate.doQuorumsOverlap()).isFalse();
        Electorate small = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 1);
        small.decide(ME, List.of(SECOND, ME), 1);
        assertThat(small.doQuorumsOverlap()).isFalse();
    }

    @Test
    void whoComesOverSaysSoUntilItsWholeSideHasSentItsData() {
        three();
        electorate.leavesLosingSide();
        electorate.reset();
        members = List.of(FOURTH, ME);
        look();
        assertThat(electorate.vote().standing()).isEqualTo(Standing.COMING);
        electorate.sentData(THIRD);
        assertThat(electorate.vote().standing()).isEqualTo(Standing.NEW);
        electorate.excuse(ME);
        electorate.excuse(SECOND);
        assertThat(electorate.vote().standing()).isEqualTo(Standing.KNOWS);
    }

    /** Hazelcast lets a member that leaves its cluster, but reaches no other one, start a new cluster. */
    @Test
    void whoLeavesItsClusterAndStartsAnotherOneHasLostItsData() {
        electorate.reset();
        look();
        assertThat(electorate.discardedMillis()).as("it had no cluster before").isZero();
        three();
        electorate.reset();
        assertThat(electorate.absent()).isEmpty();
        assertThat(electorate.vote().standing()).isEqualTo(Standing.NEW);
        members = List.of(ME);
        assertThat(look()).isEqualTo(CONFIRMED);
        assertThat(electorate.discardedMillis()).isEqualTo(clock.millis());
    }

    /** A set-back of the wall clock is no pause, but the step ahead that follows it looks like one. */
    @Test
    void aWallClockThatGoesBackAndForthMakesNoWaitLonger() {
        three();
        clock.advanceMillis(MAX_GAP_MILLIS + 1);
        assertThat(list(ME)).isEqualTo(ISOLATED);
        for (int i = 0; i < 3; i++) {
            clock.stepWall(-7_200_000);
            lookFor(1_000);
            clock.stepWall(7_200_000);
            look();
        }
        assertThat(electorate.waitMillis()).isEqualTo(SEARCH_MILLIS - 3_000);
        lookFor(SEARCH_MILLIS - 3_000);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);
        lookFor(1);
        assertThat(electorate.ending()).isEqualTo(Ending.WITHOUT_ALL_DATA);
    }

    private void promotedAmong(UUID... dataMembers) {
        electorate.noteLite();
        members = List.of(dataMembers);
        assertThat(look()).isEqualTo(UNCONFIRMED);
    }

    private void confirmedByOneThatIsStale(UUID other, Standing standing) {
        electorate.answered(other, new Vote(ask().listHash(), false, standing, 0, 0), ask());
    }

    /** A member that is promoted keeps its place in the list, and may be the oldest of all. */
    @Test
    void whoIsPromotedDependsOnAllAlsoOnThoseThatJoinedLater() {
        promotedAmong(ME, SECOND, THIRD);
        confirmedBy(SECOND);
        assertThat(look()).as("two of three").isEqualTo(CONFIRMED);

        promotedAmong(SECOND, ME, THIRD, FOURTH);
        confirmedBy(SECOND);
        assertThat(look()).as("two of four").isEqualTo(UNCONFIRMED);
        confirmedBy(THIRD);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void whoIsPromotedWaitsForThoseThatLeaveBeforeTheyConfirm() {
        promotedAmong(ME, SECOND, THIRD);
        assertThat(list(ME)).isEqualTo(ISOLATED);
        lookFor(4_000);
        assertThat(electorate.ending()).isEqualTo(Ending.NOT_YET);

        promotedAmong(SECOND, THIRD, ME);
        assertThat(list(THIRD, ME))
                .as("like one that joined, it goes by those that are left")
                .isEqualTo(UNCONFIRMED);
        confirmedBy(THIRD);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void whoIsPromotedAsTheOnlyDataMemberActsAtOnce() {
        electorate.noteLite();
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void theOldestOfManyThatArePromotedAtOnceActsIfNobodyHasActed() {
        promotedAmong(ME, SECOND, THIRD);
        confirmedByOneThatIsStale(SECOND, Standing.NEW);
        assertThat(look()).as("the third may have acted").isEqualTo(UNCONFIRMED);
        confirmedByOneThatIsStale(THIRD, Standing.NEW);
        assertThat(look()).isEqualTo(CONFIRMED);

        promotedAmong(ME, SECOND);
        confirmedByOneThatIsStale(SECOND, Standing.KNOWS);
        assertThat(look()).as("both may have been removed by another member").isEqualTo(UNCONFIRMED);

        promotedAmong(SECOND, ME);
        confirmedByOneThatIsStale(SECOND, Standing.NEW);
        assertThat(look()).as("it is not the oldest").isEqualTo(UNCONFIRMED);

        electorate.reset();
        members = List.of(SECOND, ME);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedByOneThatIsStale(SECOND, Standing.NEW);
        assertThat(list(ME, SECOND)).as("it was not promoted").isEqualTo(UNCONFIRMED);
    }

    /** None of them is current for the others, so there is no majority of current members. */
    @Test
    void manyThatArePromotedAtOnceActIfAllConfirmThemAndOneOfThemActs() {
        promotedAmong(SECOND, ME, THIRD, FOURTH);
        actsAndConfirms(SECOND, true);
        confirmedByOneThatIsStale(THIRD, Standing.NEW);
        assertThat(look()).as("the fourth may have acted").isEqualTo(UNCONFIRMED);
        confirmedByOneThatIsStale(FOURTH, Standing.NEW);
        assertThat(look()).isEqualTo(CONFIRMED);
    }

    @Test
    void whoIsDemotedForgetsItsVote() {
        three();
        electorate.noteLite();
        assertThat(electorate.vote()).isEqualTo(new Vote(0, false, Standing.NEW, 3, 0));
        assertThat(electorate.self()).isNull();
        assertThat(electorate.listed()).isEmpty();
        assertThat(electorate.absent()).isEmpty();
        assertThat(electorate.actedAtVersion()).isZero();

        assertThat(look()).isEqualTo(UNCONFIRMED);
        confirmedByOneThatIsStale(SECOND, Standing.NEW);
        confirmedByOneThatIsStale(THIRD, Standing.KNOWS);
        assertThat(look()).as("it counts as one that has just joined").isEqualTo(UNCONFIRMED);
    }

    /** With split-brain protection, a member that counts as the starter of its cluster would act without knowledge. */
    @Test
    void whoIsPromotedBeginsNoClusterUntilItHasLeftIt() {
        Electorate promoted = new Electorate(clock, MAX_GAP_MILLIS, SEARCH_MILLIS, 2);
        promoted.noteLite();
        assertThat(promoted.decide(ME, List.of(ME), 1)).isEqualTo(UNCONFIRMED);
        promoted.decide(ME, List.of(ME, SECOND), 2);
        confirm(promoted, SECOND, Standing.NEW, 2);
        assertThat(promoted.decide(ME, List.of(ME, SECOND), 2)).isEqualTo(BEHIND);

        promoted.noteLite();
        promoted.reset();
        promoted.decide(ME, List.of(ME, SECOND), 1);
        confirm(promoted, SECOND, Standing.NEW, 2);
        assertThat(promoted.decide(ME, List.of(ME, SECOND), 1)).isEqualTo(CONFIRMED);
    }

    @Test
    void whoLeavesItsClusterForgetsAll() {
        three();
        electorate.reset();
        assertThat(electorate.isCurrent()).isFalse();
        assertThat(electorate.self()).isNull();
        members = List.of(SECOND, ME);
        assertThat(look()).isEqualTo(UNCONFIRMED);
        assertThat(electorate.self()).isEqualTo(ME);
    }
}
