// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KnowledgeTest {
    private static final UUID ME = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);
    private static final UUID THIRD = new UUID(0, 3);

    private final Knowledge knowledge = new Knowledge(3);

    private static ToIntFunction<Standing> confirmedBy(Standing... others) {
        return atLeast -> (int)
                Stream.of(others).filter(each -> each.compareTo(atLeast) >= 0).count();
    }

    private static ToIntFunction<Standing> confirmedByKnowing(int members) {
        return atLeast -> atLeast == Standing.ACTS ? 0 : members;
    }

    private Standing standing() {
        return knowledge.standing(false);
    }

    /** Sets up a member that knows the decisions of three members, and leaves them for the winning side of a split. */
    private void leaveLosingSide() {
        knowledge.listed(3, false);
        knowledge.settle();
        knowledge.leavesLosingSide(Set.of(ME, SECOND, THIRD));
        knowledge.reset();
    }

    @Test
    void withoutProtectionNobodyHasToKnow() {
        assertThat(new Knowledge(0).isEnough(confirmedBy())).isTrue();
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
    }

    @Test
    void quorumsOverlapWhileTwoOfThemAreMoreThanAllMembers() {
        knowledge.listed(5, false);
        assertThat(knowledge.doQuorumsOverlap()).isTrue();
        knowledge.listed(6, false);
        assertThat(knowledge.doQuorumsOverlap()).isFalse();
        knowledge.listed(5, false);
        assertThat(knowledge.doQuorumsOverlap())
                .as("a quorum of the six may still be in use")
                .isFalse();
        assertThat(knowledge.mostListed()).isEqualTo(6);
    }

    @Test
    void moreMembersMustKnowThanAQuorumCanLeaveOut() {
        assertThat(knowledge.missing(confirmedBy())).isEqualTo(1);
        knowledge.listed(4, false);
        assertThat(knowledge.missing(confirmedBy())).isEqualTo(2);
        knowledge.listed(5, false);
        assertThat(knowledge.missing(confirmedBy())).isEqualTo(3);
        assertThat(knowledge.missing(confirmedByKnowing(1))).isEqualTo(2);
        assertThat(knowledge.isEnough(confirmedByKnowing(2))).isFalse();
        assertThat(knowledge.isEnough(confirmedByKnowing(3))).isTrue();
        knowledge.listed(9, false);
        assertThat(knowledge.missing(confirmedBy()))
                .as("a quorum of three is a majority of five at most")
                .isEqualTo(3);
    }

    @Test
    void aMemberThatComesFromAnotherSideDoesNotCount() {
        knowledge.listed(5, false);
        assertThat(knowledge.missing(confirmedBy(Standing.NEW, Standing.COMING, Standing.KNOWS)))
                .isEqualTo(2);
    }

    @Test
    void oneThatActsIsEnough() {
        knowledge.listed(5, false);
        assertThat(knowledge.isEnough(confirmedBy(Standing.KNOWS))).isFalse();
        assertThat(knowledge.isEnough(confirmedBy(Standing.ACTS))).isTrue();
    }

    @Test
    void whoHasActedCountsItself() {
        knowledge.listed(5, false);
        assertThat(standing()).isEqualTo(Standing.NEW);
        knowledge.settle();
        assertThat(standing()).isEqualTo(Standing.KNOWS);
        assertThat(knowledge.standing(true)).isEqualTo(Standing.ACTS);
        assertThat(knowledge.missing(confirmedByKnowing(1))).isEqualTo(1);
        knowledge.forget();
        assertThat(standing()).isEqualTo(Standing.NEW);
        assertThat(knowledge.missing(confirmedByKnowing(1))).isEqualTo(2);
    }

    @Test
    void whoHasActedNeedsNoOtherThatKnowsUntilAMemberLeaves() {
        knowledge.listed(5, false);
        knowledge.settle();
        knowledge.listed(5, false);
        assertThat(knowledge.isEnough(confirmedBy())).isTrue();
        knowledge.listed(4, true);
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
        knowledge.settle();
        assertThat(knowledge.isEnough(confirmedBy())).isTrue();
        knowledge.reset();
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
        assertThat(standing()).isEqualTo(Standing.NEW);
    }

    @Test
    void whoStartedTheClusterNeedsNobodyThatKnowsUntilItHasActed() {
        knowledge.listed(3, false);
        knowledge.startedCluster();
        knowledge.confirmedBy(Standing.NEW, 3);
        assertThat(knowledge.isEnough(confirmedBy())).isTrue();
        knowledge.settle();
        knowledge.listed(2, true);
        knowledge.forget();
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
    }

    @Test
    void whoLeavesTheClusterThatItStartedNeedsThoseThatKnow() {
        knowledge.startedCluster();
        knowledge.reset();
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
    }

    @Test
    void whoIsConfirmedByOneThatHasSeenMoreMembersNeedsThoseThatKnow() {
        knowledge.listed(3, false);
        knowledge.startedCluster();
        knowledge.confirmedBy(Standing.NEW, 4);
        assertThat(knowledge.isEnough(confirmedBy())).isFalse();
        assertThat(knowledge.mostListed()).isEqualTo(4);
    }

    @Test
    void whoComesOverKnowsWhenAllOfItsSideHaveSentTheirData() {
        leaveLosingSide();
        assertThat(standing()).isEqualTo(Standing.COMING);
        knowledge.excuse(SECOND);
        knowledge.sentData(ME);
        assertThat(standing()).as("the third has not sent its data").isEqualTo(Standing.NEW);
        knowledge.excuse(new UUID(0, 4));
        assertThat(standing()).isEqualTo(Standing.NEW);
        knowledge.excuse(THIRD);
        assertThat(standing()).isEqualTo(Standing.KNOWS);
    }

    @Test
    void whoComesOverLastKnowsWhenItHasSentItsData() {
        leaveLosingSide();
        knowledge.excuse(SECOND);
        knowledge.excuse(THIRD);
        knowledge.excuse(ME);
        assertThat(standing()).as("its own data is not there yet").isEqualTo(Standing.COMING);
        knowledge.sentData(ME);
        assertThat(standing()).isEqualTo(Standing.KNOWS);
    }

    @Test
    void whoCouldNotSendAllKnowsNothing() {
        leaveLosingSide();
        knowledge.excuse(SECOND);
        knowledge.sentData(null);
        assertThat(standing()).isEqualTo(Standing.NEW);
        knowledge.excuse(ME);
        knowledge.excuse(THIRD);
        assertThat(standing()).isEqualTo(Standing.NEW);
    }

    @Test
    void whoSendsItsDataAgainKnowsNoMoreThanBefore() {
        leaveLosingSide();
        knowledge.sentData(ME);
        knowledge.sentData(SECOND);
        knowledge.excuse(THIRD);
        assertThat(standing()).isEqualTo(Standing.NEW);
    }

    @Test
    void whoKnewNothingOnTheLosingSideKnowsNothingOnTheWinningOne() {
        knowledge.leavesLosingSide(Set.of(ME));
        assertThat(standing()).isEqualTo(Standing.NEW);
        knowledge.sentData(ME);
        assertThat(standing()).isEqualTo(Standing.NEW);
    }

    @Test
    void whoBecomesALiteMemberWhileItComesOverKnowsNothing() {
        leaveLosingSide();
        knowledge.forgetAll();
        assertThat(standing()).isEqualTo(Standing.NEW);
        knowledge.excuse(SECOND);
        knowledge.excuse(THIRD);
        knowledge.sentData(ME);
        assertThat(standing()).isEqualTo(Standing.NEW);
    }
}
