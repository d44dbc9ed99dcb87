// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.explorer.Membership.Rule;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Visits every state of a few members that are paused, crash and merge. See {@link Membership}. */
@Tag("faults")
class MembershipTest {
    @ParameterizedTest
    @CsvSource({
        "2, 2, 8, 3, 0, false",
        "2, 2, 6, 2, 0, true",
        "3, 3, 3, 1, 0, false",
        "3, 3, 4, 0, 2, false",
        "3, 3, 3, 1, 1, false",
        "5, 3, 2, 0, 1, false"
    })
    void nobodyActsWhoDoesNotKnowWhatTheOthersDid(
            int members, int groups, int ticks, int faults, int paused, boolean late) {
        Membership.Result result = explore(members, groups, ticks, faults, paused, false, late, Rule.NONE);
        assertThat(result.wrong()).isNull();
        assertThat(result.acts()).isGreaterThan(100);
        result.reached().require(needed(members, ticks));
    }

    /** Two of four members have crashed while a third one is paused. The fourth one acts, and keeps its data. */
    @Test
    void nobodyMakesOneThatActsDiscardItsData() {
        Membership.Result result = explore(4, 3, 6, 0, 1, true, false, Rule.NONE);
        assertThat(result.wrong()).isNull();
        result.reached().require(EnumSet.of(MembershipState.WENT_ON_WITHOUT_OWN_DATA));
    }

    /**
     * Returns the rare states that a search must reach. A search with two members must reach all of them. A search with
     * more members need not reach a pause during a wait, nor the end of a stale member's wait; with two ticks, it need
     * not reach {@code STALE_CONFIRMED_BY_ALL} nor any state of an isolated member.
     */
    private static Set<MembershipState> needed(int members, int ticks) {
        if (members == 2) { // With two members nobody is left to act.
            return EnumSet.complementOf(EnumSet.of(MembershipState.WENT_ON_WITHOUT_OWN_DATA));
        }
        Set<MembershipState> needed = EnumSet.range(MembershipState.OUTDATED, MembershipState.UNCONFIRMED_BY_DROP);
        if (ticks == 2) {
            needed.remove(MembershipState.STALE_CONFIRMED_BY_ALL);
        } else {
            needed.addAll(EnumSet.of(
                    MembershipState.ABSENT_REACHED, MembershipState.WENT_ON_AFTER_SILENCE, MembershipState.EXCUSED));
        }
        return needed;
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, 8, 3, 0, false, GAP",
        "2, 2, 8, 3, 0, false, SEARCH",
        "2, 2, 8, 3, 0, false, STALLS",
        "2, 2, 8, 3, 0, false, LOSS",
        "3, 3, 3, 1, 0, false, SAME_LIST",
        "3, 3, 3, 1, 0, false, SHRINKING",
        "2, 2, 6, 2, 0, true, ASKED",
        "3, 3, 3, 1, 0, false, WOKEN",
        "3, 3, 4, 0, 2, false, CURRENT"
    })
    void aRuleThatIsLeftOutLetsSomebodyAct(
            int members, int groups, int ticks, int faults, int paused, boolean late, Rule leftOut) {
        assertThat(explore(members, groups, ticks, faults, paused, false, late, leftOut)
                        .wrong())
                .isNotNull();
    }

    private static Membership.Result explore(
            int members,
            int groups,
            int ticks,
            int faults,
            int paused,
            boolean isSecondGone,
            boolean late,
            Rule leftOut) {
        long start = System.nanoTime();
        Membership.Result result =
                new Membership(members, groups, ticks, faults, paused, isSecondGone, late, leftOut).explore();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.printf(
                "%d members in %d groups, %d ticks, %d faults, %d paused, late answers %s, %s: %,d states, %,d ms%n",
                members, groups, ticks, faults, paused, late, leftOut, result.states(), millis);
        if (result.wrong() != null) {
            result.wrong().forEach(step -> System.out.println("    " + step));
        }
        return result;
    }
}
