// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ForwardingClock;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a call that runs at a chosen point within another call. While ID time runs at half rate, a call reads the
 * monotonic clock after it has read the last slot and before it takes its own slot. The clock of this class runs the
 * other call during that read.
 */
class AttachmentInterleavingTest {
    private static final int HOUR = 3_600_000;

    private final ManualClock clock = autoAdvancingClock();
    private final InterleavingClock interleavingClock = new InterleavingClock(clock);

    @BeforeEach
    void runAtHalfRate() {
        clock.stepWall(-HOUR);
    }

    @Test
    void reservedSlotBehindTheCeilingIsIssuedOnceRenewed() throws InterruptedException {
        Attachment attachment = attachmentWithOneSlotLeftOfWhichAnotherCallTakesIt();
        clock.onNextPark(() -> clock.advanceMillis(2));
        clock.onNextPark(() -> attachment.renew(START + 2));

        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void reservedSlotBehindTheCeilingFailsWhenSealedAndTheSealCoversIt() throws InterruptedException {
        Attachment attachment = attachmentWithOneSlotLeftOfWhichAnotherCallTakesIt();
        clock.onNextPark(() -> clock.advanceMillis(2));
        clock.onNextPark(() -> assertThat(attachment.seal()).isEqualTo(slot(START + 1, 0)));

        assertThat(attachment.next()).isEqualTo(Attachment.SEALED);
    }

    @Test
    void reservedSlotBehindTheCeilingIsLostWhenTheCallFails() throws InterruptedException {
        Attachment attachment = attachmentWithOneSlotLeftOfWhichAnotherCallTakesIt();
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
        assertThat(attachment.issuedCount()).as("that of the other call").isOne();

        attachment.renew(START + 2);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 1));
    }

    @Test
    void batchThatLosesTheRaceForItsMillisecondRunsOverIntoTheNext() throws InterruptedException {
        Attachment attachment =
                attachment(interleavingClock).lastSlot(slot(START, 2)).build();
        interleavingClock.onNextNanos(() -> assertThat(attachment.tryNext()).isEqualTo(slot(START, 3)));
        long[] ids = new long[1];

        attachment.fill(ids, 0, 1);

        assertThat(ids[0]).isEqualTo(attachment.idOf(slot(START + 1, 0)));
    }

    @Test
    void batchThatRunsOverWaitsForItsLastSlot() throws InterruptedException {
        Attachment attachment = attachment(interleavingClock)
                .layout(new SnowcastLayout(24, 3, 4))
                .lastSlot(START << 4 | 11)
                .build();
        interleavingClock.onNextNanos(() -> assertThat(attachment.tryNext()).isEqualTo(START << 4 | 12));
        long[] ids = new long[4];

        attachment.fill(ids, 0, 4);

        assertThat(ids[0]).isEqualTo(attachment.idOf(START << 4 | 13));
        assertThat(ids[3]).isEqualTo(attachment.idOf((START + 1) << 4));
        assertThat(attachment.idTimeMillis()).isEqualTo(START + 1);
    }

    @Test
    void callSealedWhileItTakesItsSlotFails() throws InterruptedException {
        Attachment attachment =
                attachment(interleavingClock).lastSlot(slot(START, 1)).build();
        interleavingClock.onNextNanos(() -> assertThat(attachment.seal()).isEqualTo(slot(START, 1)));

        assertThat(attachment.next()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.issuedCount()).isZero();
        assertThat(attachment.isSealed()).isTrue();
        assertThat(attachment.lastSlot()).isGreaterThan(slot(START, 1));
    }

    @Test
    void batchSealedWhileItTakesItsSlotsWritesNone() throws InterruptedException {
        Attachment attachment =
                attachment(interleavingClock).lastSlot(slot(START, 1)).build();
        interleavingClock.onNextNanos(attachment::seal);
        long[] ids = new long[2];

        assertThat(attachment.fill(ids, 0, 2)).isZero();
        assertThat(ids).containsOnly(0);
    }

    @Test
    void waitAtHalfRateDoesNotLastUntilTheWallHasCaughtUp() throws InterruptedException {
        Attachment attachment =
                attachment(interleavingClock).lastSlot(slot(START, 2)).build();
        attachment.next();
        // The second call of next() takes the slot (START + 1, 0). During its second read of the monotonic clock,
        // another call ends the half rate.
        interleavingClock.onNextNanos(() -> interleavingClock.onNextNanos(() -> {
            clock.stepWall(HOUR + 20);
            assertThat(attachment.tryNext()).isEqualTo(slot(START + 20, 0));
            clock.stepWall(-HOUR - 20);
        }));

        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
        assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanos())).isLessThan(HOUR);
    }

    private Attachment attachmentWithOneSlotLeftOfWhichAnotherCallTakesIt() {
        Attachment attachment = attachment(interleavingClock)
                .granted(START, START + 1)
                .lastSlot(slot(START, 2))
                .build();
        interleavingClock.onNextNanos(() -> assertThat(attachment.tryNext()).isEqualTo(slot(START, 3)));
        return attachment;
    }

    /** A clock that runs an action between reading the monotonic time and returning it. */
    private static final class InterleavingClock extends ForwardingClock {
        private @Nullable Runnable action;

        InterleavingClock(ManualClock clock) {
            super(clock);
        }

        void onNextNanos(Runnable action) {
            this.action = action;
        }

        @Override
        public long nanos() {
            long nanos = super.nanos();
            Runnable present = action;
            action = null;
            if (present != null) {
                present.run();
            }
            return nanos;
        }
    }
}
