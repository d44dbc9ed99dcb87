// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.explorer.Membership.Rule;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Visits every state of some members that are paused, crash and come over. See {@link Membership}. */
@Tag("faults")
class MembershipTest {
    @ParameterizedTest
    @CsvSource({"2, 2, 8, 3, 0", "3, 3, 3, 1, 0", "3, 3, 4, 0, 2", "5, 3, 2, 0, 1"})
    void nobodyActsWhoDoesNotKnowWhatTheOthersDid(int members, int groups, int ticks, int faults, int paused) {
        Membership.Result result = explore(members, groups, ticks, faults, paused, Rule.NONE);
        assertThat(result.wrong()).isNull();
        assertThat(result.acts()).isGreaterThan(100);
        result.reached().require(needed(members, ticks));
    }

    /** The search of two members takes so many ticks that it reaches all; in two ticks no isolated member goes on. */
    private static Set<MembershipState> needed(int members, int ticks) {
        if (members == 2) {
            return EnumSet.allOf(MembershipState.class);
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
        "2, 2, 8, 3, 0, GAP",
        "2, 2, 8, 3, 0, SEARCH",
        "2, 2, 8, 3, 0, STALLS",
        "2, 2, 8, 3, 0, LOSS",
        "3, 3, 3, 1, 0, SAME_LIST",
        "3, 3, 3, 1, 0, SHRINKING",
        "3, 3, 3, 1, 0, WOKEN",
        "3, 3, 4, 0, 2, CURRENT"
    })
    void aRuleThatIsLeftOutLetsSomebodyAct(int members, int groups, int ticks, int faults, int paused, Rule leftOut) {
        assertThat(explore(members, groups, ticks, faults, paused, leftOut).wrong())
                .isNotNull();
    }

    private static Membership.Result explore(int members, int groups, int ticks, int faults, int paused, Rule leftOut) {
        long start = System.nanoTime();
        Membership.Result result = new Membership(members, groups, ticks, faults, paused, leftOut).explore();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.printf(
                "%d members in %d groups, %d ticks, %d faults, %d paused, %s: %,d states, %,d ms%n",
                members, groups, ticks, faults, paused, leftOut, result.states(), millis);
        if (result.wrong() != null) {
            result.wrong().forEach(step -> System.out.println("    " + step));
        }
        return result;
    }
}
