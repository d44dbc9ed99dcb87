// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The calls that have {@linkplain Attachment reserved} a slot and wait for its millisecond. Calls that wait for the
 * same millisecond form a group. The first call, the leader, parks until the millisecond begins, and then wakes the
 * others, because a timer for each call would cost more. While many calls wait, a few consecutive slots form a
 * <em>turn</em>, and the call that takes the last slot of a turn waits longer than its slot requires.
 *
 * <p>This class decides how long calls wait, never which slots they get. Thread-safe.
 */
final class ReservedSlots {
    /** From this many waiting calls on there are turns, so that about this many calls wake up per millisecond. */
    static final int CROWD = 256;

    static final int MAX_TURN_MILLIS = 3;

    private final AtomicReferenceArray<@Nullable WaitingCall> groups = new AtomicReferenceArray<>(8);
    private final AtomicInteger waiting = new AtomicInteger();
    private final Clock clock;
    private final IdTime idTime;
    private final long slotsPerTurn;

    private record WaitingCall(
            Thread thread, long millis, @Nullable WaitingCall before, AtomicBoolean isWoken) {}

    ReservedSlots(Clock clock, IdTime idTime, int slotsPerMillisecond) {
        this.clock = clock;
        this.idTime = idTime;
        // Divide a millisecond's slots by CROWD; a turn has three quarters of that, and at least one slot. If a turn is
        // too short, the slots lag behind the clock, and turns get longer.
        this.slotsPerTurn = Math.max(slotsPerMillisecond * 3L / (CROWD * 4), 1);
    }

    boolean isCrowded() {
        return waiting.get() >= CROWD;
    }

    /**
     * Returns when a call may issue its slot. That is in the slot's millisecond. While many calls wait, it is later for
     * a slot that ends a turn, and may be later for a slot whose millisecond has not begun.
     *
     * <p>For example, with 1,024 slots in a millisecond a turn has 3 slots. The call that takes the last of them waits
     * one millisecond if 256 calls or more wait, two from 512 on, and three from 768 on. A call whose slot's
     * millisecond has not begun waits until then, and one millisecond longer from 512 calls on, two from 768 on.
     */
    long turnOf(long slot, long millis, long now) {
        int pauseMillis = Math.min(waiting.get() / CROWD, MAX_TURN_MILLIS);
        if (pauseMillis == 0 || isWithinTurn(slot, millis, now)) {
            return millis;
        }
        // Limit the wait, because now may be a wrong read of the clock. A call whose millisecond began more than
        // MAX_AHEAD_MILLIS ago need not wait longer.
        long next = Math.min(now + 1, millis + Attachment.MAX_AHEAD_MILLIS);
        return Math.max(millis, next) + pauseMillis - 1;
    }

    /**
     * Returns whether a call need not pause: its slot's millisecond has begun, and the slot does not end a turn. Each
     * slot whose number is a multiple of a turn's length ends a turn. If the slot lags behind the clock by more than
     * the pauses explain, too few threads are awake. Therefore each further millisecond of lag doubles the length of
     * the turns.
     */
    private boolean isWithinTurn(long slot, long millis, long now) {
        if (now < millis) {
            return false;
        }
        long unexplainedLagMillis = Math.max(now - millis - MAX_TURN_MILLIS + 1, 0);
        long doublings = Math.min(unexplainedLagMillis, Attachment.MAX_BEHIND_MILLIS);
        long slotsOfTurn = slotsPerTurn << doublings;
        return slot % slotsOfTurn != 0;
    }

    /**
     * Parks the thread until a time; may return earlier. {@code now} is the result of {@link IdTime#at} for
     * {@code wall}.
     */
    void parkUntil(long millis, long now, long wall) throws InterruptedException {
        int group = (int) millis & (groups.length() - 1);
        WaitingCall own = groups.updateAndGet(
                group, before -> new WaitingCall(Thread.currentThread(), millis, before, new AtomicBoolean()));
        waiting.getAndIncrement();
        // If this element of the array has a group of another millisecond, this call leads its own group, because the
        // leader of the other group would wake it at the wrong time.
        boolean leads = own.before == null || own.before.millis != millis;
        try {
            if (leads) {
                idTime.parkUntil(millis, now, wall);
            }
            while (!leads && !own.isWoken.get()) {
                clock.parkNanos(WaitQueue.UNTIL_WOKEN);
            }
        } finally {
            waiting.getAndDecrement();
            // Wake the other calls even if the leader's wait has failed. They check the time again; the first of them
            // that still has to wait is the next leader.
            for (WaitingCall each = leads ? groups.getAndSet(group, null) : null; each != null; each = each.before) {
                each.isWoken.set(true);
                LockSupport.unpark(each.thread == Thread.currentThread() ? null : each.thread);
            }
        }
    }
}
