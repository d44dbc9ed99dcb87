// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.Guard.Verdict.LET_OUT;
import static com.noctarius.snowcast.internal.generator.Guard.Verdict.SEALED;
import static com.noctarius.snowcast.internal.generator.Guard.Verdict.TOO_EARLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.Test;

/** Tests which times of another generator's IDs a guard accepts. */
class GuardTest {
    private static final long FLOOR = 1_700_000_000_000L;
    private static final long CEILING = FLOOR + 1_000;

    private final ManualClock clock = ManualClock.autoAdvancing(FLOOR);
    private int renewalRequests;
    private final Guard guard = guard(0);

    private Guard guard(long lastMillis) {
        return new Guard(
                "tsid",
                new GrantInUse.Terms(7, FLOOR, CEILING, lastMillis),
                clock,
                new Counts(),
                grant -> renewalRequests++);
    }

    @Test
    void timesFromTheFloorToTheCeilingAreLetOut() throws InterruptedException {
        assertThat(guard.judge(FLOOR)).isEqualTo(LET_OUT);
        assertThat(guard.judge(CEILING - 1)).isEqualTo(LET_OUT);
        assertThat(guard.lastSlot()).isEqualTo(CEILING - 1);
        assertThat(renewalRequests).isZero();
    }

    @Test
    void timeBelowTheFloorIsTooEarlyAlsoTheLastOne() throws InterruptedException {
        assertThat(guard.judge(FLOOR - 1)).isEqualTo(TOO_EARLY);
        assertThat(guard.isAtLast(FLOOR - 1)).isFalse();
        assertThat(guard.judge(-1)).isEqualTo(TOO_EARLY);
        assertThat(guard.isAtLast(-1)).isFalse();
        assertThat(guard.lastSlot()).isLessThan(FLOOR);
    }

    @Test
    void timeUpToTheLastOneOfTheFormerGrantIsTooEarly() throws InterruptedException {
        Guard next = guard(FLOOR + 5);
        assertThat(next.judge(FLOOR + 5)).isEqualTo(TOO_EARLY);
        assertThat(next.isAtLast(FLOOR + 5)).isFalse();
        assertThat(next.validFromMillis()).isEqualTo(FLOOR + 6);
        assertThat(next.judge(FLOOR + 6)).isEqualTo(LET_OUT);
    }

    @Test
    void timeMayRepeatAndNotGoBack() throws InterruptedException {
        assertThat(guard.isAtLast(FLOOR + 3)).isFalse();
        assertThat(guard.judge(FLOOR + 3)).isEqualTo(LET_OUT);
        assertThat(guard.isAtLast(FLOOR + 3)).isTrue();
        assertThat(guard.judge(FLOOR + 3)).isEqualTo(LET_OUT);
        assertThat(guard.judge(FLOOR + 2)).isEqualTo(TOO_EARLY);
        assertThat(guard.isAtLast(FLOOR + 2)).isFalse();
    }

    @Test
    void sealedGuardLetsNothingOutAndReturnsTheLastTime() throws InterruptedException {
        guard.judge(FLOOR + 3);
        assertThat(guard.seal()).isEqualTo(FLOOR + 3);
        assertThat(guard.isAtLast(FLOOR + 3)).isFalse();
        assertThat(guard.judge(FLOOR + 3)).isEqualTo(SEALED);
        assertThat(guard.judge(FLOOR + 4)).isEqualTo(SEALED);
        assertThat(guard.judge(FLOOR - 1)).isEqualTo(SEALED);
        assertThat(guard.lastSlot()).isEqualTo(FLOOR + 3);
    }

    @Test
    void unusedGuardSealsBelowItsFloor() {
        assertThat(guard.seal()).isEqualTo(FLOOR - 1);
    }

    @Test
    void timeAtTheCeilingWaitsForARenewal() throws InterruptedException {
        clock.onNextPark(() -> guard.renew(CEILING + 1));
        assertThat(guard.judge(CEILING)).isEqualTo(LET_OUT);
        assertThat(renewalRequests).isEqualTo(1);
    }

    @Test
    void timeAtTheCeilingFailsWhenTheClusterDoesNotRenewTheLease() {
        guard.renewalFailed("no quorum");
        assertThatThrownBy(() -> guard.judge(CEILING))
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageStartingWith(
                        "node lease tsid: the generator made an ID of 2023-11-14T22:13:21Z, but the lease of node ID 7"
                                + " lasts until 2023-11-14T22:13:21Z (this clock shows ")
                .hasMessageEndingWith("was not renewed within PT10S: no quorum");
        assertThat(guard.lastSlot()).isLessThan(FLOOR);
    }

    @Test
    void waitForARenewalEndsWhenTheGuardIsSealed() throws InterruptedException {
        clock.onNextPark(guard::seal);
        assertThat(guard.judge(CEILING)).isEqualTo(SEALED);
    }

    @Test
    void generatorThatStaysBehindFailsTheCallAfterTenSeconds() throws InterruptedException {
        long start = clock.nanos();
        clock.advanceMillis(9_999);
        guard.awaitLaterThan(FLOOR - 3_600_000, start);
        assertThat(clock.nanos() - start).isGreaterThanOrEqualTo(10_000_000_000L);
        assertThatThrownBy(() -> guard.awaitLaterThan(FLOOR - 3_600_000, start))
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageStartingWith("node lease tsid: the generator for node ID 7 makes IDs of"
                        + " 2023-11-14T21:13:20Z, and may do so from 2023-11-14T22:13:20Z on only");
    }

    @Test
    void timeIsAheadFromASecondOn() {
        assertThat(guard.isAhead(FLOOR + GrantInUse.CLOCK_PROBLEM_MILLIS - 1)).isFalse();
        assertThat(guard.isAhead(FLOOR + GrantInUse.CLOCK_PROBLEM_MILLIS)).isTrue();
    }

    @Test
    void leaseIsAsOldAsTheMonotonicClockSays() {
        guard.grantedFrom(FLOOR);
        clock.advanceMillis(250);
        clock.stepWall(10_000);
        assertThat(guard.leaseAgeMillis()).isEqualTo(250);
    }

    @Test
    void clockBeyondTheCeilingIsAProblemFromASecondOn() {
        guard.grantedFrom(FLOOR);
        clock.stepWall(CEILING - FLOOR - 1);
        assertThat(guard.idTimeMillis()).isEqualTo(CEILING - 1);
        clock.stepWall(1);
        assertThat(guard.idTimeMillis()).isEqualTo(FLOOR);
        assertThat(guard.clockProblem()).startsWith("this clock is 1000 ms ahead");
        guard.grantedFrom(FLOOR + 1);
        assertThat(guard.clockProblem()).isEmpty();
    }

    @Test
    void clockBehindTheIdsIsAProblemFromASecondOn() throws InterruptedException {
        guard.judge(FLOOR + 900);
        clock.stepWall(-99);
        assertThat(guard.clockProblem()).isEmpty();
        clock.stepWall(-1);
        assertThat(guard.clockProblem()).startsWith("this clock is 1000 ms behind");
    }
}
