// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.WaitQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for a millisecond. Those that wait for the same one are a group: its first call parks until the
 * millisecond begins and then wakes the others, since a timer for each costs more. While many wait, they take turns: each
 * waits some milliseconds and then takes some slots without waiting, but not what others were woken for.
 *
 * <p>It decides how long calls wait, never which slots they get. Thread-safe.
 */
final class TicketLine {
    /** From so many waiting calls on there are turns, as long that about so many are woken in a millisecond. */
    static final int CROWD = 256;

    static final int MAX_TURN_MILLIS = 3;

    private final AtomicReferenceArray<@Nullable Ticket> groups = new AtomicReferenceArray<>(8);
    private final AtomicInteger waiting = new AtomicInteger();
    private final Clock clock;
    private final IdTime idTime;
    private final long slotsPerTurn;

    private record Ticket(
            Thread thread, long millis, @Nullable Ticket before, AtomicBoolean isWoken) {}

    TicketLine(Clock clock, IdTime idTime, int slotsPerMillisecond) {
        this.clock = clock;
        this.idTime = idTime;
        // With a quarter less than a crowd needs, all turns are used up, and how far the word lags says how they grow.
        this.slotsPerTurn = Math.max(slotsPerMillisecond * 3L / (CROWD * 4), 1);
    }

    boolean isCrowded() {
        return waiting.get() >= CROWD;
    }

    /** Returns when a call may issue its slot: in the slot's millisecond, or later if many wait and its turn is over. */
    long turnOf(long slot, long millis, long now) {
        int turnMillis = Math.min(waiting.get() / CROWD, MAX_TURN_MILLIS);
        // A word that lags more than turns explain has too few threads awake: each takes more slots.
        long longer = Math.min(Math.max(now - millis - MAX_TURN_MILLIS + 1, 0), Attachment.MAX_BEHIND_MILLIS);
        boolean goesOn = now >= millis && slot % (slotsPerTurn << longer) != 0;
        if (turnMillis == 0 || goesOn) {
            return millis;
        }
        // A wrong read of the clock must not become the time to wait for; a call that is this late need not wait
        // longer.
        long next = Math.min(now + 1, millis + Attachment.MAX_AHEAD_MILLIS);
        return Math.max(millis, next) + turnMillis - 1;
    }

    /** Parks until a time, given what {@link IdTime#at} has returned for which wall clock; may return earlier. */
    void parkUntil(long millis, long now, long wall) throws InterruptedException {
        int group = (int) millis & (groups.length() - 1);
        Ticket own = groups.updateAndGet(
                group, before -> new Ticket(Thread.currentThread(), millis, before, new AtomicBoolean()));
        waiting.getAndIncrement();
        // Groups of other milliseconds share the stack; their leaders do not wake this call in time.
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
            // However the leader's wait ends, all others look again; the first whose time has not come leads then.
            for (Ticket each = leads ? groups.getAndSet(group, null) : null; each != null; each = each.before) {
                each.isWoken.set(true);
                LockSupport.unpark(each.thread == Thread.currentThread() ? null : each.thread);
            }
        }
    }
}
