// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.Counts;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import java.util.stream.LongStream;

/**
 * An {@link Attachment} whose slots are numbered from 1. A slot is a millisecond and a counter: an ID without its node
 * ID. Negative results are not slots, and are returned unchanged.
 */
final class NumberedAttachment {
    private static final long START = 8_000_000;
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);
    private static final int PER_MILLISECOND = 4;

    private static final SnowcastLayout MANY = new SnowcastLayout(24, 1, 7);
    private static final int MANY_MILLIS = 10_000;

    private static final SequencerConfig PLENTY = config(SnowcastLayout.DEFAULT);
    private static final SequencerConfig FEW = config(new SnowcastLayout(24, 1, 2));

    private final SnowcastLayout layout;
    private final long slotBefore;
    private final RaceClock clock;
    private final Attachment attachment;

    /**
     * @param used how many slots of the current millisecond are already used
     * @param millis how many milliseconds are granted, including the current one
     * @param millisOnRequest how many milliseconds are granted after a call has requested a renewal
     */
    private NumberedAttachment(SequencerConfig config, int used, int millis, int millisOnRequest) {
        this(config, used, millis, millisOnRequest, new RaceClock(EPOCH.getEpochOffset() + START));
    }

    private NumberedAttachment(SequencerConfig config, int used, int millis, int millisOnRequest, RaceClock clock) {
        this.clock = clock;
        this.layout = config.layout();
        this.slotBefore = (START << layout.counterBits()) + used - 1;
        this.attachment = new Attachment(
                config,
                new GrantInUse.Terms(0, START, START + millis, slotBefore),
                0,
                clock,
                new Counts(),
                grant -> renew(millisOnRequest));
    }

    private static SequencerConfig config(SnowcastLayout layout) {
        return SequencerConfig.builder("race")
                .epoch(EPOCH)
                .layout(layout)
                .counterStart(CounterStart.ZERO)
                .build();
    }

    /** Returns an unused attachment with more slots than a race takes. */
    static NumberedAttachment plenty() {
        return new NumberedAttachment(PLENTY, 0, 1, 0);
    }

    /** Returns an attachment whose rate is so high that it uses the cached clock as soon as that clock ticks. */
    static NumberedAttachment hot() {
        RaceClock clock = new RaceClock(EPOCH.getEpochOffset() + START, 1);
        NumberedAttachment hot = new NumberedAttachment(config(MANY), 0, MANY_MILLIS, 0, clock);
        hot.next();
        hot.passMilli();
        hot.next();
        hot.next();
        return hot;
    }

    /** Returns an attachment with {@code slots} slots left. A renewal on request grants the next millisecond. */
    static NumberedAttachment left(int slots) {
        return new NumberedAttachment(FEW, PER_MILLISECOND - slots, 1, 2);
    }

    /** Returns an attachment whose current millisecond is not granted yet. */
    static NumberedAttachment notGranted() {
        return new NumberedAttachment(FEW, 0, 0, 0);
    }

    void passMilli() {
        clock.parkUntil(clock.millis() + 1);
    }

    void tick() {
        clock.cachedClock().tick();
    }

    long next() {
        try {
            return number(attachment.next());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long tryNext() {
        return number(attachment.tryNext());
    }

    long[] fill(int count) {
        long[] ids = new long[count];
        try {
            int end = attachment.fill(ids, 0, count);
            return LongStream.of(ids).limit(end).map(this::numberOfId).toArray();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long seal() {
        return number(attachment.seal());
    }

    void renew(int toMillis) {
        attachment.renew(START + toMillis);
    }

    long grantedMillis() {
        return attachment.ceiling() - START;
    }

    long lastGranted() {
        return number((attachment.ceiling() << layout.counterBits()) - 1);
    }

    private long number(long slot) {
        return slot < 0 ? slot : slot - slotBefore;
    }

    private long numberOfId(long id) {
        return number(layout.timestampValue(id) << layout.counterBits() | layout.counterValue(id));
    }
}
