// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.NODE;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.autoAdvancingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttachmentTest {
    private final ManualClock clock = autoAdvancingClock();

    @Test
    void countersRunFromZeroToTheLastAndGoOnInTheNextMillisecond() throws InterruptedException {
        Attachment attachment = attachment(clock).build();

        for (int counter = 0; counter < 4; counter++) {
            assertThat(attachment.next()).isEqualTo(slot(START, counter));
        }
        assertThat(clock.parkCount()).isZero();
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void exhaustedCounterWaitsForTheNextMillisecond() throws InterruptedException {
        Attachment attachment = attachment(clock).lastSlot(slot(START, 3)).build();

        attachment.next();

        assertThat(clock.parkCount()).isOne();
        assertThat(idMillis(clock)).isEqualTo(START + 1);
    }

    @Test
    void idleWordMovesToThePresent() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        clock.advanceMillis(1_000);

        assertThat(attachment.next()).isEqualTo(slot(START + 1_000, 0));
    }

    @Test
    void countsOnBehindTheLastSlotOfItsPredecessor() throws InterruptedException {
        Attachment attachment = attachment(clock).lastSlot(slot(START, 2)).build();

        assertThat(attachment.next()).isEqualTo(slot(START, 3));
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void idIsTheSlotWithTheLogicalNode() throws InterruptedException {
        Attachment attachment = attachment(clock).lastSlot(slot(START, 2)).build();
        long slot = attachment.next();

        assertThat(attachment.idOf(slot)).isEqualTo(START << 5 | NODE << 2 | 3);
        assertThat(attachment.millisOf(slot)).isEqualTo(START);
        assertThat(attachment.lastSlot()).isEqualTo(slot);
        assertThat(attachment.logicalNodeId()).isEqualTo(NODE);
    }

    @Test
    void waitsAtTheCeilingAndGoesOnOnceRenewed() throws InterruptedException {
        Attachment attachment = attachment(clock)
                .granted(START, START + 1)
                .lastSlot(slot(START, 3))
                .build();
        clock.onNextPark(() -> attachment.renew(START + 2));

        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void idleWordWaitsAtTheCeilingAndGoesOnOnceRenewed() throws InterruptedException {
        Attachment attachment = attachment(clock).granted(START, START + 500).build();
        clock.advanceMillis(500);
        clock.onNextPark(() -> attachment.renew(START + 501));

        assertThat(attachment.next()).isEqualTo(slot(START + 500, 0));
    }

    @Test
    void waitAtTheCeilingRequestsARenewal() throws InterruptedException {
        AtomicInteger requests = new AtomicInteger();
        Attachment attachment = attachment(clock)
                .granted(START, START + 1)
                .onRenewalRequest(requests::incrementAndGet)
                .build();
        attachment.next();
        assertThat(requests).hasValue(0);

        clock.advanceMillis(1);
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
        assertThat(requests).hasValue(1);
    }

    @Test
    void answerWithinTheRequestNeedsNoWait() throws InterruptedException {
        Attachment[] attachment = new Attachment[1];
        attachment[0] = attachment(clock)
                .granted(START, START)
                .onRenewalRequest(() -> attachment[0].renew(START + 1))
                .build();

        assertThat(attachment[0].next()).isEqualTo(slot(START, 0));
        assertThat(clock.parkCount()).isZero();
    }

    @Test
    void failsWhenTheCeilingDoesNotMoveForTenSecondsAndSaysSinceWhenAndWhy() {
        Attachment attachment = attachment(clock).granted(START, START).build();

        assertThatThrownBy(attachment::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer test: the lease of node ID 5 lasts until "
                        + Instant.ofEpochMilli(EPOCH_OFFSET + START) + " (this clock shows "
                        + Instant.ofEpochMilli(EPOCH_OFFSET + START + 10_000)
                        + ") and was not renewed within PT10S: there was no answer yet");
        assertThat(idMillis(clock)).isEqualTo(START + 10_000);

        attachment.renewalFailed("no quorum since noon");
        assertThatThrownBy(attachment::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageEndingWith(": no quorum since noon");

        attachment.renew(START);
        assertThatThrownBy(attachment::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageEndingWith(": there was no answer yet");
    }

    @Test
    void spuriousWakeUpsDoNotShortenTheWaitAtTheCeiling() {
        Attachment attachment = attachment(clock).granted(START, START).build();
        clock.onNextPark(() -> clock.advanceMillis(9_999));
        clock.onNextPark(() -> {});

        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
        assertThat(idMillis(clock)).isEqualTo(START + 10_000);
    }

    /** Calls that race for the last granted slots may move the last slot beyond the ceiling. */
    @Test
    void nothingIsIssuedWhileTheWordStandsAboveTheCeilingInThePresent() throws InterruptedException {
        long last = slot(START + 1, 0);
        Attachment attachment =
                attachment(clock).granted(START, START + 1).lastSlot(last).build();
        clock.stepWall(1);

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
        clock.stepWall(START + 1 - idMillis(clock));
        assertThatThrownBy(() -> attachment.fill(new long[2], 0, 2)).isInstanceOf(SnowcastStateException.class);
        clock.stepWall(START + 1 - idMillis(clock));
        assertThat(attachment.lastSlot()).isEqualTo(last);

        attachment.renew(START + 2);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 1));
    }

    @Test
    void failingCallsDoNotRunTheWordAway() throws InterruptedException {
        long last = slot(START, 3);
        Attachment attachment =
                attachment(clock).granted(START, START + 1).lastSlot(last).build();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(attachment::next).isInstanceOf(SnowcastStateException.class);
            assertThatThrownBy(() -> attachment.fill(new long[2], 0, 2)).isInstanceOf(SnowcastStateException.class);
            assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
            clock.stepWall(START - idMillis(clock));
        }
        assertThat(attachment.lastSlot()).isEqualTo(last);

        attachment.renew(START + 2);
        assertThat(attachment.next()).isEqualTo(slot(START + 1, 0));
    }

    @Test
    void waitsForTheFloor() throws InterruptedException {
        Attachment attachment =
                attachment(clock).granted(START + 100, START + 10_000).build();

        assertThat(attachment.tryNext()).isEqualTo(Attachment.EMPTY);
        assertThat(attachment.next()).isEqualTo(slot(START + 100, 0));
        assertThat(idMillis(clock)).isEqualTo(START + 100);
    }

    @Test
    void beginsAtHalfRateAtAFloorThatIsFarAhead() throws InterruptedException {
        Attachment attachment =
                attachment(clock).granted(START + 60_000, START + 90_000).build();

        assertThat(attachment.next()).isEqualTo(slot(START + 60_000, 0));
        assertThat(idMillis(clock)).isEqualTo(START);
        long last = 0;
        while (idMillis(clock) < START + 1_000) {
            last = attachment.next();
            clock.advanceMillis(10);
        }
        assertThat(attachment.millisOf(last)).isBetween(START + 60_020, START + 60_500);
    }

    @Test
    void continuesByTheMonotonicClockWhileTheWallClockIsBeyondTheCeiling() throws InterruptedException {
        Attachment attachment = attachment(clock).granted(START, START + 10_000).build();
        attachment.grantedFrom(START);
        clock.stepWall(172_800_000);

        for (int passed = 0; passed < 9_900; passed += 100) {
            assertThat(attachment.millisOf(attachment.next())).isEqualTo(START + passed);
            assertThat(attachment.idTimeMillis()).isEqualTo(START + passed);
            clock.advanceMillis(100);
        }
        assertThat(attachment.clockProblem()).startsWith("this clock is 172800000 ms ahead of what is granted");
        attachment.renew(START + 20_000);
        attachment.grantedFrom(START + 10_000);
        assertThat(attachment.remainingMillis()).isEqualTo(10_000);
        clock.stepWall(-172_800_000);
        assertThat(attachment.millisOf(attachment.next())).isEqualTo(idMillis(clock));
        assertThat(attachment.clockProblem()).isEmpty();
    }

    @Test
    void pageOfClocksSaysWhichClockIdsFollow() throws InterruptedException, IOException {
        Path page = Path.of("../docs/operate/clocks.md");
        int lease = 300_000;
        Attachment ahead = attachment(clock).granted(START, START + lease).build();
        ahead.grantedFrom(START);
        clock.stepWall(180_000);
        assertThat(ahead.millisOf(ahead.next())).isEqualTo(START + 180_000);
        assertThat(ahead.clockProblem()).isEmpty();
        clock.stepWall(-180_000);
        ahead.next();
        assertThat(page).content().contains(ahead.clockProblem().replace("180000", "…"));

        Attachment farAhead = attachment(clock).granted(START, START + lease).build();
        farAhead.grantedFrom(START);
        clock.stepWall(600_000);
        assertThat(farAhead.millisOf(farAhead.next())).isEqualTo(START);
        assertThat(page).content().contains(farAhead.clockProblem().replace("600000", "…"));
        assertThat(clock.parkCount()).isZero();
    }

    @Test
    void saysThatTheClockIsBehindTheIdsThatWereIssued() throws InterruptedException {
        Attachment attachment = attachment(clock).granted(START, START + 90_000).build();
        clock.stepWall(60_000);
        attachment.next();
        clock.stepWall(-60_000);
        attachment.next();
        assertThat(attachment.clockProblem()).startsWith("this clock is 60000 ms behind the IDs that were issued");
        assertThat(attachment.leaseAgeMillis()).isZero();
        clock.advanceMillis(120_000);
        attachment.renew(START + 200_000);
        attachment.next();
        assertThat(attachment.clockProblem()).isEmpty();
    }

    @Test
    void ceilingOnlyRises() {
        Attachment attachment = attachment(clock).granted(START, START + 100).build();

        attachment.renew(START + 50);
        assertThat(attachment.ceiling()).isEqualTo(START + 100);
        attachment.renew(START + 150);
        assertThat(attachment.ceiling()).isEqualTo(START + 150);
    }

    @Test
    void sealReturnsTheLastSlotAndEndsEverything() throws InterruptedException {
        Attachment attachment = attachment(clock).build();
        attachment.next();
        long last = attachment.next();
        assertThat(attachment.isSealed()).isFalse();

        assertThat(attachment.seal()).isEqualTo(last);

        assertThat(attachment.isSealed()).isTrue();
        assertThat(attachment.next()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.tryNext()).isEqualTo(Attachment.SEALED);
        assertThat(attachment.fill(new long[3], 1, 3)).isOne();
        assertThat(attachment.lastSlot()).isEqualTo(last);
        assertThat(attachment.seal()).isEqualTo(last);
    }

    @Test
    void renewalHasNoEffectOnceSealed() {
        Attachment attachment = attachment(clock).granted(START, START + 1).build();
        attachment.seal();

        attachment.renew(START + 2);
        assertThat(attachment.ceiling()).isEqualTo(START + 1);
    }

    @Test
    void timeBeyondTheLayoutIsAnErrorAndNeverWraps() throws InterruptedException {
        Attachment attachment = attachmentAtTheEndOfTime();
        assertThat(attachment.next()).isEqualTo(slot(15, 0));
        clock.advanceMillis(1);

        assertThatThrownBy(attachment::next)
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageMatching(
                        "sequencer test: the time of layout \\d+/\\d+/\\d+ is used up; it lasted to .+15Z, and this"
                                + " clock shows .+16Z: take another name, with a later epoch or more bits of time");
        attachment.renew(1_000);
        assertThatThrownBy(() -> attachment.fill(new long[1], 0, 1)).isInstanceOf(SnowcastIllegalStateException.class);
        assertThatThrownBy(attachment::tryNext).isInstanceOf(SnowcastIllegalStateException.class);
        assertThat(attachment.ceiling()).isEqualTo(16);
    }

    @Test
    void exhaustedLastMillisecondIsAnErrorAtOnce() throws InterruptedException {
        Attachment attachment = attachmentAtTheEndOfTime();
        for (int counter = 0; counter < 4; counter++) {
            attachment.next();
        }

        assertThatThrownBy(attachment::next).isInstanceOf(SnowcastIllegalStateException.class);
        assertThat(attachment.lastSlot()).isEqualTo(slot(15, 3));
        assertThat(clock.parkCount()).isZero();
    }

    private Attachment attachmentAtTheEndOfTime() {
        clock.stepWall(15 - START);
        return attachment(clock)
                .layout(new SnowcastLayout(4, 3, 2))
                .granted(0, 1_000)
                .build();
    }
}
