// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentFillTest {
    private static final SnowcastLayout SIXTEEN_PER_MILLISECOND = new SnowcastLayout(24, 3, 4);

    private final ManualClock clock = autoAdvancingClock();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 15, 16, 17, 100})
    void writesSuccessiveIdsWithoutGaps(int count) throws InterruptedException {
        Attachment attachment =
                attachment(clock).layout(SIXTEEN_PER_MILLISECOND).build();
        long[] ids = new long[count];

        assertThat(attachment.fill(ids, 0, count)).isEqualTo(count);
        assertThat(ids)
                .isEqualTo(LongStream.range(START << 4, (START << 4) + count)
                        .map(attachment::idOf)
                        .toArray());
        assertThat(idMillis(clock)).isEqualTo(START + Math.max(count - 1, 0) / 16);
    }

    @Test
    void writesOnlyItsRange() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        long[] ids = new long[4];

        assertThat(attachment.fill(ids, 1, 3)).isEqualTo(3);
        assertThat(ids).containsExactly(0, attachment.idOf(slot(START, 0)), attachment.idOf(slot(START, 1)), 0);
    }

    @Test
    void needsNoMoreThanOneSlotPerMillisecond() throws InterruptedException {
        Attachment attachment =
                attachment(clock).layout(new SnowcastLayout(24, 3, 0)).build();
        long[] ids = new long[3];

        assertThat(attachment.fill(ids, 0, 3)).isEqualTo(3);
        assertThat(Arrays.stream(ids).map(id -> id >> 3)).containsExactly(START, START + 1, START + 2);
    }

    @Test
    void takesAtMostAQuarterOfAMillisecondAtATime() throws InterruptedException {
        Attachment attachment =
                attachment(clock).layout(SIXTEEN_PER_MILLISECOND).build();
        int before = clock.readCount();

        attachment.fill(new long[16], 0, 16);

        assertThat(clock.readCount() - before).as("one read for each step").isEqualTo(4);
    }

    @Test
    void anotherCallerIsServedBetweenTwoSteps() throws InterruptedException {
        Attachment attachment =
                attachment(clock).layout(SIXTEEN_PER_MILLISECOND).build();
        long[] ids = new long[32];
        long[] others = new long[1];
        clock.onNextPark(() -> {
            clock.advanceMillis(1);
            others[0] = attachment.tryNext();
        });

        attachment.fill(ids, 0, 32);

        assertThat(others[0]).isEqualTo((START + 1) << 4 | 1);
        assertThat(ids).isSorted().doesNotHaveDuplicates().doesNotContain(attachment.idOf(others[0]));
        assertThat(ids[31]).isEqualTo(attachment.idOf((START + 2) << 4));
    }

    @Test
    void stopsAtTheSealBehindTheLastIdWritten() throws InterruptedException {
        Attachment attachment =
                attachment(clock).layout(SIXTEEN_PER_MILLISECOND).build();
        long[] ids = new long[100];
        long[] sealed = new long[1];
        clock.onNextPark(() -> sealed[0] = attachment.seal());

        assertThat(attachment.fill(ids, 10, 100)).isEqualTo(26);

        assertThat(ids[25]).isEqualTo(attachment.idOf(START << 4 | 15)).isLessThan(attachment.idOf(sealed[0]));
        assertThat(Arrays.copyOfRange(ids, 26, 100)).containsOnly(0);
    }

    @Test
    void writesWhatIsLeftOfTheMillisecondBeforeItWaits() throws InterruptedException {
        Attachment attachment = attachment(clock)
                .layout(SIXTEEN_PER_MILLISECOND)
                .lastSlot(START << 4 | 13)
                .build();
        clock.onNextPark(attachment::seal);

        assertThat(attachment.fill(new long[4], 0, 4)).isEqualTo(2);
    }

    @Test
    void staysBelowTheCeiling() {
        Attachment attachment = attachment(clock).granted(START, START + 2).build();
        long[] ids = new long[9];

        assertThatThrownBy(() -> attachment.fill(ids, 0, 9)).isInstanceOf(SnowcastStateException.class);
        assertThat(ids[7]).isEqualTo(attachment.idOf(slot(START + 1, 3)));
        assertThat(ids[8]).isZero();
        assertThat(attachment.lastSlot()).isEqualTo(slot(START + 1, 3));
    }

    @Test
    void waitsForTheFloor() throws InterruptedException {
        Attachment attachment =
                attachment(clock).granted(START + 20, START + 30).build();
        long[] ids = new long[1];

        attachment.fill(ids, 0, 1);
        assertThat(ids[0]).isEqualTo(attachment.idOf(slot(START + 20, 0)));
    }
}
