// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.vote.Electorate.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VoteRoundsTest {
    private final VoteRounds rounds = new VoteRounds();
    private Moment now = new Moment(1_000_000, 0);
    private long listHash = 1;

    private boolean begins(boolean isUrgent) {
        return rounds.beginIfDue(new Asked(1, listHash, now), isUrgent);
    }

    private void pass(long millis) {
        now = new Moment(now.millis() + millis, now.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void whoIsConfirmedAsksEveryTwoSeconds() {
        assertThat(begins(false)).isTrue();
        pass(1_999);
        assertThat(begins(false)).isFalse();
        pass(1);
        assertThat(begins(false)).isTrue();
        listHash++;
        assertThat(begins(false)).as("the list has changed").isTrue();
    }

    @Test
    void whoIsNotConfirmedAsksFastAndThenSlowerUntilTheListChanges() {
        assertThat(gapsBetweenRounds()).containsExactly(0, 40, 80, 160, 320, 640, 1_280, 2_000, 2_000);
        listHash++;
        assertThat(gapsBetweenRounds()).containsExactly(0, 40, 80, 160, 320, 640, 1_280, 2_000, 2_000);

        pass(2_000);
        assertThat(begins(false)).isTrue();
        pass(40);
        assertThat(begins(true)).as("it was confirmed, and is not any more").isTrue();
    }

    /** Returns the milliseconds before each of the next nine rounds of requests. */
    private List<Integer> gapsBetweenRounds() {
        List<Integer> gaps = new ArrayList<>();
        int gap = 0;
        while (gaps.size() < 9) {
            if (begins(true)) {
                gaps.add(gap);
                gap = 0;
            } else {
                pass(20);
                gap += 20;
            }
        }
        return gaps;
    }
}
