// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/** Builds attachments. By default, they have four slots (IDs) per millisecond, so that a few calls reach the limits. */
final class AttachmentBuilder {
    /** The ID time at which the clocks of this class start. */
    static final long START = 8_000_000;

    static final int NODE = 5;
    static final long EPOCH_OFFSET = 1_700_000_000_000L;

    private static final SnowcastLayout TINY = new SnowcastLayout(24, 3, 2);

    private final Clock clock;
    private SnowcastLayout layout = TINY;
    private long floor = START;
    private long ceiling = START + 10_000_000;
    private long lastSlot;
    private CounterStart counterStart = CounterStart.ZERO;
    private long randomSalt = 42;
    private Counts counts = new Counts();
    private Runnable renewalRequest = () -> {};
    private ClockReads clockReads = (first, again) -> {};

    /** Receives the two times that a call reads before it moves the attachment far ahead. */
    interface ClockReads {
        void read(long firstMillis, long againMillis);
    }

    private AttachmentBuilder(Clock clock) {
        this.clock = clock;
    }

    static AttachmentBuilder attachment(Clock clock) {
        return new AttachmentBuilder(clock);
    }

    static ManualClock autoAdvancingClock() {
        return ManualClock.autoAdvancing(EPOCH_OFFSET + START);
    }

    static ManualClock blockingClock() {
        return ManualClock.blocking(EPOCH_OFFSET + START);
    }

    static long slot(long millis, int counter) {
        return millis << TINY.counterBits() | counter;
    }

    static long idMillis(Clock clock) {
        return clock.millis() - EPOCH_OFFSET;
    }

    /** Makes many interrupted calls, which lose slots, so that the last slot is as far ahead as possible. */
    static void runAhead(Attachment attachment) {
        for (int i = 0; i < 1_000; i++) {
            Thread.currentThread().interrupt();
            try {
                attachment.next();
            } catch (InterruptedException e) {
                // Thrown by each call that has to wait.
            }
        }
        Thread.interrupted();
    }

    AttachmentBuilder layout(SnowcastLayout layout) {
        this.layout = layout;
        return this;
    }

    AttachmentBuilder granted(long floor, long ceiling) {
        this.floor = floor;
        this.ceiling = ceiling;
        return this;
    }

    AttachmentBuilder lastSlot(long lastSlot) {
        this.lastSlot = lastSlot;
        return this;
    }

    AttachmentBuilder randomStart(long randomSalt) {
        this.counterStart = CounterStart.RANDOM;
        this.randomSalt = randomSalt;
        return this;
    }

    AttachmentBuilder counts(Counts counts) {
        this.counts = counts;
        return this;
    }

    AttachmentBuilder onRenewalRequest(Runnable renewalRequest) {
        this.renewalRequest = renewalRequest;
        return this;
    }

    AttachmentBuilder onClockReads(ClockReads clockReads) {
        this.clockReads = clockReads;
        return this;
    }

    Attachment build() {
        SequencerConfig config = SequencerConfig.builder("test")
                .epoch(SnowcastEpoch.byTimestamp(EPOCH_OFFSET))
                .layout(layout)
                .counterStart(counterStart)
                .build();
        Runnable request = renewalRequest;
        ClockReads reads = clockReads;
        Renewer renewer = new Renewer() {
            @Override
            public void request(GrantInUse grant) {
                request.run();
            }

            @Override
            public void clockWasRead(long firstMillis, long againMillis) {
                reads.read(firstMillis, againMillis);
            }
        };
        GrantInUse.Terms terms = new GrantInUse.Terms(NODE, floor, ceiling, lastSlot);
        return new Attachment(config, terms, randomSalt, clock, counts, renewer);
    }
}
