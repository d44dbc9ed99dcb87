// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.attachment;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.blockingClock;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.idMillis;
import static com.noctarius.snowcast.internal.generator.ReservedSlots.CROWD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.ForwardingClock;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that calls that wait for the same millisecond share one timer, that none of them waits forever, and that
 * waiting calls take turns if there are many.
 */
class ReservedSlotsTest {
    private static final int SLOTS_PER_MILLISECOND = 1_024;

    private final ManualClock manual = blockingClock();
    private final TimersCounted clock = new TimersCounted(manual);
    private final IdTime idTime = new IdTime(clock, EPOCH_OFFSET, grant -> {});
    private final List<Waiter> started = new ArrayList<>();
    private final ReservedSlots line = new ReservedSlots(clock, idTime, SLOTS_PER_MILLISECOND);

    @AfterEach
    void endThreads() throws InterruptedException {
        started.forEach(Waiter::interrupt);
        for (Waiter waiter : started) {
            waiter.call.thread().join();
        }
    }

    @Test
    void groupNeedsOneTimerAndEndsWithItsMillisecond() throws Exception {
        List<Waiter> group = waitersFor(START + 2, 5);
        manual.awaitParked(5);
        assertThat(clock.timers).hasValue(1);

        manual.advanceMillis(1);
        assertThat(group).noneMatch(Waiter::hasEnded);
        manual.awaitParked(5);
        manual.advanceMillis(1);
        assertAllEndAt(START + 2, group);
    }

    @Test
    void interruptedLeaderLeavesItsGroupToAnother() throws Exception {
        Waiter leader = waiter(START + 1);
        manual.awaitParked(1);
        List<Waiter> others = waitersFor(START + 1, 4);
        manual.awaitParked(5);

        leader.interrupt();
        assertThatThrownBy(leader::get).isInstanceOf(InterruptedException.class);
        clock.awaitTimers(2);
        manual.awaitParked(4);
        assertThat(others).noneMatch(Waiter::hasEnded);
        manual.advanceMillis(1);
        assertAllEndAt(START + 1, others);
    }

    @Test
    void interruptedFollowerDisturbsNobody() throws Exception {
        Waiter leader = waiter(START + 1);
        manual.awaitParked(1);
        Waiter follower = waiter(START + 1);
        manual.awaitParked(2);
        Waiter last = waiter(START + 1);
        manual.awaitParked(3);

        follower.interrupt();
        assertThatThrownBy(follower::get).isInstanceOf(InterruptedException.class);
        manual.advanceMillis(1);
        assertAllEndAt(START + 1, List.of(leader, last));
        assertThat(clock.timers).hasValue(1);
    }

    @Test
    void wakeUpThatWasMeantForAnEarlierWaitEndsNone() throws Exception {
        Waiter leader = waiter(START + 1);
        manual.awaitParked(1);
        Waiter follower = start(START + 1, () -> {
            line.parkUntil(START + 1, START, START);
            return idMillis(clock);
        });
        manual.awaitParked(2);

        follower.wakeForNothing();
        while (manual.parkCount() < 3 && !follower.hasEnded()) {
            Thread.onSpinWait();
        }
        manual.advanceMillis(1);
        assertAllEndAt(START + 1, List.of(leader, follower));
    }

    @Test
    void groupThatSharesItsPlaceWithALaterOneIsNotLate() throws Exception {
        clock.isExact = true;
        Waiter later = waiter(START + 9);
        manual.awaitParked(1);
        List<Waiter> sooner = waitersFor(START + 1, 3);
        manual.awaitParked(4);

        manual.advanceMillis(1);
        assertAllEndAt(START + 1, sooner);
        manual.advanceMillis(8);
        assertAllEndAt(START + 9, List.of(later));
    }

    @Test
    void groupWaitsOnThroughAStepBackOfTheWallClock() throws Exception {
        List<Waiter> group = waitersFor(START + 1, 3);
        manual.awaitParked(3);
        manual.stepWall(-3_600_000);
        while (group.stream().anyMatch(waiter -> !waiter.hasEnded())) {
            // At half rate, two milliseconds are enough for ID time to reach the slot.
            manual.advanceMillis(1);
            Thread.onSpinWait();
        }
        for (Waiter waiter : group) {
            assertThat(waiter.get()).isGreaterThanOrEqualTo(START + 1);
        }
        assertThat(idMillis(manual)).isLessThan(START);
    }

    @Test
    void nobodyIsLeftWaitingWhoeverIsInterrupted() throws Exception {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            clock.isExact = random.nextBoolean();
            long begin = idMillis(manual);
            List<Waiter> waiters = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                waiters.add(waiter(begin + 1 + random.nextInt(random.nextBoolean() ? 2 : 20)));
                switch (random.nextInt(4)) {
                    case 0 -> waiters.get(random.nextInt(waiters.size())).interrupt();
                    case 1 -> waiters.get(random.nextInt(waiters.size())).wakeForNothing();
                    default -> {}
                }
            }
            // If a thread pauses after its read of the wall clock, this read may be below the minimum of ID time. For
            // this thread, ID time then runs at half speed, so the thread waits up to twice as long as by the wall
            // clock.
            while (idMillis(manual) < begin + 20 || !waiters.stream().allMatch(Waiter::hasEnded)) {
                manual.advanceMillis(1);
                waiters.get(random.nextInt(waiters.size())).wakeForNothing();
            }
            for (Waiter waiter : waiters) {
                try {
                    assertThat(waiter.get()).as("seed %d", seed).isGreaterThanOrEqualTo(waiter.millis);
                } catch (InterruptedException e) {
                    assertThat(waiter.wasInterrupted).as("seed %d", seed).isTrue();
                }
            }
            assertThat(line.isCrowded()).isFalse();
        }
        assertNobodyIsCounted();
    }

    @Test
    void fewTakeNoTurns() throws Exception {
        waitersFor(START + 1, CROWD - 1);
        manual.awaitParked(CROWD - 1);

        assertThat(line.isCrowded()).isFalse();
        assertThat(line.turnOf(0, START, START)).isEqualTo(START);
        assertThat(line.turnOf(0, START + 1, START)).isEqualTo(START + 1);
    }

    @Test
    void manyTakeTurnsThatAreLongerTheMoreWait() throws Exception {
        for (int crowds = 1; crowds <= 4; crowds++) {
            List<Waiter> more = waitersFor(START + 1, CROWD);
            manual.awaitParked(crowds * CROWD);
            int wait = Math.min(crowds, ReservedSlots.MAX_TURN_MILLIS);
            assertThat(more).hasSize(CROWD);
            assertThat(line.isCrowded()).isTrue();
            // A turn has three slots: slot 3 ends a turn, slot 5 does not. A call whose millisecond has not begun
            // always pauses.
            assertThat(line.turnOf(3, START, START)).isEqualTo(START + wait);
            assertThat(line.turnOf(5, START, START)).isEqualTo(START);
            assertThat(line.turnOf(5, START + 1, START)).isEqualTo(START + wait);
        }
    }

    @Test
    void turnsGetLongerWhenTheWordFallsBehindSoThatNoSlotIsLost() throws Exception {
        waitersFor(START + 1, CROWD);
        manual.awaitParked(CROWD);

        assertThat(line.turnOf(3, START - 2, START)).isEqualTo(START + 1);
        assertThat(line.turnOf(3, START - 3, START)).isEqualTo(START - 3);
        assertThat(line.turnOf(6, START - 3, START)).isEqualTo(START + 1);
        assertThat(line.turnOf(6, START - 4, START)).isEqualTo(START - 4);
        assertThat(line.turnOf(3 << 10, START - 60, START)).isEqualTo(START + 1);
    }

    @Test
    void wrongReadOfTheClockIsNoTimeToWaitFor() throws Exception {
        waitersFor(START + 1, CROWD);
        manual.awaitParked(CROWD);

        long days = 50L * 24 * 3_600_000;
        assertThat(line.turnOf(3 << 10, START, START + days)).isLessThan(START + 100);
    }

    /**
     * Many calls wait, and the next call takes the slot that ends a turn: see {@link ReservedSlots#turnOf}. This next
     * call waits for one more millisecond, although the millisecond of its slot has begun.
     */
    @Test
    void callWhoseTurnIsOverWaitsForTheNextOne() throws Exception {
        clock.isExact = true;
        SnowcastLayout layout = SnowcastLayout.DEFAULT;
        long full = START << layout.counterBits() | (SLOTS_PER_MILLISECOND - 1);
        Attachment attachment = attachment(clock).layout(layout).lastSlot(full).build();
        for (int i = 0; i < 4 * CROWD - 20; i++) {
            if (i % CROWD == 0) {
                manual.awaitParked(i);
            }
            start(START + 1, attachment::next);
        }
        manual.awaitParked(4 * CROWD - 20);
        manual.advanceMillis(1);
        for (Waiter waiter : started.subList(0, 2 * CROWD)) {
            waiter.get();
        }

        long slot = attachment.lastSlot() + 1;
        while (slot % 3 != 0) {
            assertThat(attachment.next()).isEqualTo(slot++);
        }
        Waiter over = start(START + 2, attachment::next);
        manual.awaitParked(2 * CROWD - 19);
        assertThat(attachment.lastSlot()).isEqualTo(slot);
        assertThat(attachment.tryNext()).as("who never waits has no turns").isEqualTo(slot + 1);
        manual.advanceMillis(1);
        assertThat(over.get()).isEqualTo(slot);
    }

    private void assertNobodyIsCounted() throws InterruptedException {
        waitersFor(idMillis(manual) + 1, CROWD - 1);
        manual.awaitParked(CROWD - 1);
        assertThat(line.isCrowded()).isFalse();
    }

    private void assertAllEndAt(long millis, List<Waiter> waiters) throws Exception {
        for (Waiter waiter : waiters) {
            assertThat(waiter.get()).isEqualTo(millis);
        }
    }

    private List<Waiter> waitersFor(long millis, int count) {
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiters.add(waiter(millis));
        }
        return waiters;
    }

    /**
     * Starts a thread that waits until the ID time {@code millis}, as a call of an attachment does. The result of the
     * thread is the ID time at the end of the wait.
     */
    private Waiter waiter(long millis) {
        return start(millis, () -> {
            long wall = idMillis(clock);
            long now = idTime.at(wall, millis);
            while (now < millis) {
                line.parkUntil(millis, now, wall);
                wall = idMillis(clock);
                now = idTime.at(wall, millis);
            }
            return now;
        });
    }

    private Waiter start(long millis, Callable<Long> call) {
        Waiter waiter = new Waiter(Waiting.start(call), millis);
        started.add(waiter);
        return waiter;
    }

    private static final class Waiter {
        final Waiting<Long> call;
        final long millis;
        boolean wasInterrupted;

        Waiter(Waiting<Long> call, long millis) {
            this.call = call;
            this.millis = millis;
        }

        boolean hasEnded() {
            return call.task().isDone();
        }

        void interrupt() {
            wasInterrupted = true;
            call.thread().interrupt();
        }

        void wakeForNothing() {
            LockSupport.unpark(call.thread());
        }

        long get() throws Exception {
            return call.get();
        }
    }

    /** A clock that counts the timed parks. While it is exact, {@link #parkUntil} never returns early. */
    private static final class TimersCounted extends ForwardingClock {
        final AtomicInteger timers = new AtomicInteger();
        volatile boolean isExact;

        TimersCounted(ManualClock clock) {
            super(clock);
        }

        synchronized void awaitTimers(int count) throws InterruptedException {
            while (timers.get() < count) {
                wait();
            }
        }

        private synchronized void countTimer() {
            timers.incrementAndGet();
            notifyAll();
        }

        @Override
        public void parkUntil(long millis) throws InterruptedException {
            countTimer();
            do {
                super.parkUntil(millis);
            } while (isExact && millis() < millis);
        }

        @Override
        public void parkNanos(long nanos) throws InterruptedException {
            if (nanos != WaitQueue.UNTIL_WOKEN) {
                countTimer();
            }
            super.parkNanos(nanos);
        }
    }
}
