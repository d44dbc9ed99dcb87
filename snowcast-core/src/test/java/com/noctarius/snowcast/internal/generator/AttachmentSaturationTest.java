// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.Attachment.MAX_BEHIND_MILLIS;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.Test;

/**
 * Tests an attachment whose calls use up all slots: it loses no slot if waiting threads wake up at most
 * {@code MAX_BEHIND_MILLIS} late.
 */
class AttachmentSaturationTest {
    private final ManualClock clock = autoAdvancingClock();
    private final Attachment attachment = attachment(clock).build();

    /** Uses up the present millisecond, and waits for the first slot of the next one. */
    private void saturate() throws InterruptedException {
        for (int counter = 0; counter < 4; counter++) {
            assertThat(attachment.next()).isEqualTo(slot(START, counter));
        }
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void saturatedWordCountsOnThroughTheMillisecondsThatWereMissed() throws InterruptedException {
        saturate();
        clock.advanceMillis(MAX_BEHIND_MILLIS);
        for (int taken = 1; taken <= 4 * MAX_BEHIND_MILLIS; taken++) {
            assertThat(attachment.next()).isEqualTo(slot(START + 1, 0) + taken);
        }
    }

    @Test
    void batchAndTryNextCountOnAsWell() throws InterruptedException {
        saturate();
        clock.advanceMillis(3);
        long[] ids = new long[5];
        attachment.fill(ids, 0, 5);
        assertThat(ids[4]).isEqualTo(attachment.idOf(slot(START + 2, 1)));
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 2, 2));
    }

    @Test
    void wordThatFellFurtherBehindMovesToThePresent() throws InterruptedException {
        saturate();
        clock.advanceMillis(MAX_BEHIND_MILLIS + 1);
        assertThat(attachment.next()).isEqualTo(slot(START + 1 + MAX_BEHIND_MILLIS + 1, 0));
    }

    @Test
    void wordThatIsNotSaturatedMovesToThePresentAtOnce() throws InterruptedException {
        attachment.next();
        attachment.next();
        clock.advanceMillis(1);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
        clock.advanceMillis(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 2, 0));
    }
}
