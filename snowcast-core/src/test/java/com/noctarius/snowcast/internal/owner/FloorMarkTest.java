// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloorMarkTest {
    private static FloorMark open(long until, long written) {
        return new FloorMark(until, written, false);
    }

    private static FloorMark closed(long until, long written) {
        return new FloorMark(until, written, true);
    }

    private static void requireTogether(FloorMark expected, FloorMark... marks) {
        assertThat(FloorMark.of(List.of(marks))).isEqualTo(expected);
        List<FloorMark> reversed = new ArrayList<>(List.of(marks));
        Collections.reverse(reversed);
        assertThat(FloorMark.of(reversed)).isEqualTo(expected);
    }

    @Test
    void noMarksAreThatOfANewMember() {
        assertThat(FloorMark.of(List.of())).isEqualTo(FloorMark.NONE);
        requireTogether(FloorMark.NONE, FloorMark.NONE, FloorMark.NONE);
    }

    @Test
    void theHighestCounts() {
        requireTogether(open(900, 30), open(900, 10), open(800, 30), open(700, 20));
    }

    @Test
    void aNewMemberChangesNothing() {
        requireTogether(open(900, 10), open(900, 10), FloorMark.NONE);
        requireTogether(closed(900, 10), closed(900, 10), FloorMark.NONE);
    }

    @Test
    void theYoungestCountsIfItIsClosed() {
        requireTogether(closed(700, 30), open(900, 10), closed(700, 30), open(800, 20));
    }

    @Test
    void aClosedOneThatIsNotTheYoungestLowersNothing() {
        requireTogether(open(900, 40), open(900, 10), closed(700, 30), open(800, 40));
        requireTogether(open(900, 40), closed(900, 30), open(800, 40));
    }

    @Test
    void ofTwoOfTheSameTimeTheOpenOneIsTakenForTheYoungest() {
        requireTogether(open(900, 30), open(900, 30), closed(700, 30));
    }

    @Test
    void marksCanBePutTogetherInSteps() {
        FloorMark ofDirectory = FloorMark.of(List.of(open(900, 10), closed(700, 30)));

        requireTogether(closed(700, 30), ofDirectory, open(950, 20));
        requireTogether(open(750, 40), ofDirectory, open(750, 40));
    }
}
