// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests random schedules of calls, renewals and clock steps: the slots of a grant increase strictly, so none is issued
 * twice, and each lies in the grant. A failing test prints its seed; {@code -Dsnowcast.seed=…} repeats it.
 */
@Tag("integration")
class AttachmentPropertyTest {
    private static final int RUNS = 300;
    private static final int STEPS = 1_000;

    @Test
    void slotsStrictlyIncreaseWithinTheGrantWhateverTheClockDoes() throws InterruptedException {
        Long fixed = Long.getLong("snowcast.seed");
        if (fixed != null) {
            new Schedule(fixed).run();
            return;
        }
        Random seeds = new Random();
        for (int i = 0; i < RUNS; i++) {
            new Schedule(seeds.nextLong()).run();
        }
    }

    private static final class Schedule {
        private final long seed;
        private final Random random;
        private final ManualClock clock = autoAdvancingClock();
        private final SnowcastLayout layout;
        private final long floor;
        private final Attachment attachment;

        private long ceiling;
        private long last;
        private boolean sealed;

        Schedule(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.layout = new SnowcastLayout(30, 3, random.nextInt(9));
            this.floor = START + random.nextInt(200) - 100;
            this.ceiling = floor + random.nextInt(100);
            this.last = (START - 200 + random.nextInt(400)) << layout.counterBits();
            if (random.nextBoolean()) {
                clock.caching(1 + random.nextInt(8));
            }
            AttachmentBuilder builder =
                    attachment(clock).layout(layout).granted(floor, ceiling).lastSlot(last);
            this.attachment = (random.nextBoolean() ? builder.randomStart(seed) : builder).build();
        }

        void run() throws InterruptedException {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(4) == 0) {
                    clock.onNextPark(this::disturb);
                }
                try {
                    call();
                } catch (SnowcastStateException e) {
                    renew();
                }
                if (random.nextInt(8) == 0) {
                    disturb();
                }
                if (random.nextInt(16) == 0) {
                    clock.tick();
                }
                if (random.nextInt(STEPS) == 0) {
                    seal();
                }
            }
        }

        private void call() throws InterruptedException {
            switch (random.nextInt(3)) {
                case 0 -> check(attachment.next());
                case 1 -> check(attachment.tryNext());
                default -> {
                    long[] ids = new long[random.nextInt(70)];
                    int end = attachment.fill(ids, 0, ids.length);
                    assertThat(sealed || end == ids.length).as(describe()).isTrue();
                    for (int i = 0; i < end; i++) {
                        check((layout.timestampValue(ids[i]) << layout.counterBits()) | layout.counterValue(ids[i]));
                    }
                }
            }
        }

        private void check(long slot) {
            if (slot == Attachment.EMPTY) {
                return;
            }
            if (slot == Attachment.SEALED) {
                assertThat(sealed).as(describe()).isTrue();
                return;
            }
            long millis = attachment.millisOf(slot);
            if (slot <= last || slot > attachment.lastSlot() || millis < floor || millis >= ceiling) {
                throw new AssertionError(describe() + ": slot " + slot + " of " + millis + " after " + last
                        + ", granted from " + floor + " to before " + ceiling);
            }
            last = slot;
        }

        private void disturb() {
            switch (random.nextInt(7)) {
                case 0 -> clock.stepWall(random.nextInt(20) - 10);
                case 1 -> clock.stepWall(random.nextInt(400) - 200);
                case 2 -> clock.stepWall(random.nextInt(20_000) - 10_000);
                case 3 -> clock.advanceMillis(random.nextInt(200));
                case 4 -> clock.advanceMillis(1);
                default -> renew();
            }
        }

        private void renew() {
            long present = Math.max(attachment.idTimeMillis(), idMillis(clock));
            long granted = present + random.nextInt(100) - 20;
            attachment.renew(granted);
            if (!sealed) {
                ceiling = Math.max(ceiling, granted);
            }
        }

        private void seal() {
            assertThat(attachment.seal()).as(describe()).isGreaterThanOrEqualTo(last);
            sealed = true;
        }

        private String describe() {
            return "-Dsnowcast.seed=" + seed;
        }
    }
}
