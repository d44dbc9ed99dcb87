// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdTimeTest {
    private final ManualClock clock = autoAdvancingClock();
    private final IdTime time = new IdTime(clock, EPOCH_OFFSET, () -> {});

    @Test
    void isTheWallClockAsLongAsTheWordIsNearIt() {
        assertThat(time.at(START, START)).isEqualTo(START);
        assertThat(time.at(START, START - 1_000)).isEqualTo(START);
        assertThat(time.at(START, START + IdTime.STEP_BACK_MILLIS)).isEqualTo(START);
    }

    @Test
    void goesAtHalfTheRateFromTheWordOnWhileTheWallClockIsBehindIt() {
        clock.advanceMillis(500);
        long last = START + 500;
        clock.stepWall(-10_000);
        assertThat(time.at(idMillis(clock), last)).isEqualTo(last);
        clock.advanceMillis(1_000);
        assertThat(time.at(idMillis(clock), last)).isEqualTo(last + 500);
        clock.stepWall(10_000);
        assertThat(time.at(idMillis(clock), last)).isEqualTo(last + 1_000);
    }

    @Test
    void clockThatIsBehindTheWordIsReportedToTheLease() {
        List<Long> reads = new ArrayList<>();
        Renewer renewer = new Renewer() {
            @Override
            public void request() {}

            @Override
            public void clockWasRead(long firstMillis, long againMillis) {
                reads.addAll(List.of(firstMillis, againMillis));
            }
        };
        IdTime reporting = new IdTime(clock, EPOCH_OFFSET, renewer);
        reporting.at(START, START + IdTime.STEP_BACK_MILLIS);
        assertThat(reads).isEmpty();
        reporting.at(START, START + IdTime.STEP_BACK_MILLIS + 1);
        assertThat(reads).containsExactly(EPOCH_OFFSET + START, EPOCH_OFFSET + START);
    }
}
