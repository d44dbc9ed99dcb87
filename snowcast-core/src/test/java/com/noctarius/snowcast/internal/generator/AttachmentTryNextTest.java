// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttachmentTryNextTest {
    private final ManualClock clock = autoAdvancingClock();

    @AfterEach
    void neverWaits() {
        assertThat(clock.parkCount()).isZero();
    }

    @Test
    void issuesTheSlotsOfAMillisecondAndIsThenEmptyUntilTheNextBegins() {
        Attachment attachment = attachment(clock).build();
        for (int counter = 0; counter < 4; counter++) {
            assertThat(attachment.tryNext()).isEqualTo(slot(START, counter));
        }

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        clock.advanceMillis(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void isEmptyAtTheCeilingUntilRenewed() {
        Attachment attachment = attachment(clock).granted(START, START + 1).build();
        clock.advanceMillis(1);

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        attachment.renew(START + 2);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void isEmptyBelowTheFloor() {
        Attachment attachment = attachment(clock).granted(START + 1, START + 2).build();

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        clock.advanceMillis(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void isEmptyWhileReservedSlotsOrASmallStepBackLieAhead() {
        Attachment attachment = attachment(clock).lastSlot(slot(START + 60, 0)).build();

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        clock.advanceMillis(59);
        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        clock.advanceMillis(1);
        assertThat(attachment.tryNext()).isEqualTo(slot(START + 60, 1));
    }

    @Test
    void leavesTheInterruptFlagSet() {
        Attachment attachment = attachment(clock).build();
        Thread.currentThread().interrupt();

        assertThat(attachment.tryNext()).isEqualTo(slot(START, 0));
        assertThat(Thread.interrupted()).isTrue();
    }
}
