// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HighWaterMarkTest {
    private static HighWaterMark open(long until, long written) {
        return new HighWaterMark(until, written, State.OPEN);
    }

    private static HighWaterMark handedOver(long until, long written) {
        return new HighWaterMark(until, written, State.HANDED_OVER);
    }

    private static HighWaterMark closed(long until, long written) {
        return new HighWaterMark(until, written, State.CLOSED);
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
    void aClosedOneOutweighsThoseThatWereHandedOverBefore() {
        requireTogether(closed(700, 30), handedOver(900, 10), closed(700, 30), handedOver(800, 30));
    }

    /**
     * The members to which that one has handed over are still running, or have crashed, and their marks are missing.
     */
    @Test
    void oneThatWasHandedOverLaterCounts() {
        requireTogether(open(800, 31), closed(700, 30), handedOver(800, 31), handedOver(900, 10));
        requireTogether(handedOver(900, 30), handedOver(900, 10), handedOver(800, 30));
    }

    /** The member of the open mark has crashed, or was cut off from the member of the closed one and continued. */
    @Test
    void aClosedOneOutweighsNoOpenOneThoughItIsYounger() {
        requireTogether(open(900, 30), open(900, 10), closed(700, 30), open(800, 20));
        requireTogether(open(900, 30), open(800, 10), closed(900, 30), handedOver(950, 20));
    }

    /** Without split-brain protection, both sides of a split can stop in order. */
    @Test
    void aClosedOneOutweighsNoClosedOneOfAnotherSide() {
        requireTogether(closed(900, 30), closed(900, 20), handedOver(950, 10), closed(700, 30), handedOver(800, 25));
    }

    @Test
    void marksCanBePutTogetherInSteps() {
        HighWaterMark ofDirectory = HighWaterMark.of(List.of(handedOver(900, 10), closed(700, 30)));

        requireTogether(closed(700, 30), ofDirectory, handedOver(800, 20));
        requireTogether(open(750, 30), ofDirectory, open(750, 20));
    }

    /** A closed mark of another directory outweighs only the one that was handed over, so the other one keeps it. */
    @Test
    void ofDifferentOnesThatCountNoneIsOutweighedInALaterStep() {
        HighWaterMark ofDirectory = HighWaterMark.of(List.of(closed(900, 10), handedOver(800, 20)));

        requireTogether(open(900, 30), ofDirectory, closed(700, 30));
        requireTogether(open(900, 20), ofDirectory, handedOver(850, 15));
    }
}
