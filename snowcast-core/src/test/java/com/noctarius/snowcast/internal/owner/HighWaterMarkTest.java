// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HighWaterMarkTest {
    private static HighWaterMark open(long until, long written) {
        return new HighWaterMark(until, written, false);
    }

    private static HighWaterMark closed(long until, long written) {
        return new HighWaterMark(until, written, true);
    }

    private static void requireTogether(HighWaterMark expected, HighWaterMark... marks) {
        assertThat(HighWaterMark.of(List.of(marks))).isEqualTo(expected);
        List<HighWaterMark> reversed = new ArrayList<>(List.of(marks));
        Collections.reverse(reversed);
        assertThat(HighWaterMark.of(reversed)).isEqualTo(expected);
    }

    @Test
    void noMarksAreThatOfANewMember() {
        assertThat(HighWaterMark.of(List.of())).isEqualTo(HighWaterMark.NONE);
        requireTogether(HighWaterMark.NONE, HighWaterMark.NONE, HighWaterMark.NONE);
    }

    @Test
    void theHighestCounts() {
        requireTogether(open(900, 30), open(900, 10), open(800, 30), open(700, 20));
    }

    @Test
    void aNewMemberChangesNothing() {
        requireTogether(open(900, 10), open(900, 10), HighWaterMark.NONE);
        requireTogether(closed(900, 10), closed(900, 10), HighWaterMark.NONE);
    }

    @Test
    void ofClosedOnesTheYoungestCounts() {
        requireTogether(closed(700, 30), closed(900, 10), closed(700, 30), closed(800, 20));
        requireTogether(closed(900, 30), closed(900, 30), closed(700, 30));
    }

    /** The member of the open mark has crashed, or was cut off from the member of the closed one and continued. */
    @Test
    void aClosedOneOutweighsNoOpenOneThoughItIsYounger() {
        requireTogether(open(900, 30), open(900, 10), closed(700, 30), open(800, 20));
        requireTogether(open(900, 30), open(800, 10), closed(900, 30), closed(950, 20));
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
        HighWaterMark ofDirectory = HighWaterMark.of(List.of(closed(900, 10), closed(700, 30)));

        requireTogether(closed(700, 30), ofDirectory, closed(800, 20));
        requireTogether(open(750, 30), ofDirectory, open(750, 20));
    }
}
