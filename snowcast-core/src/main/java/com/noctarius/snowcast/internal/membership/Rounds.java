// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.membership;

import com.noctarius.snowcast.internal.membership.Electorate.Asked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which of the others a member asks, and when: in each round a random log<sub>2</sub> n of them, and not fewer than three.
 * Since all hand on what they were told, all know of all after a few rounds: epidemic anti-entropy by pull (Demers and
 * others, PODC 1987). Thread-safe.
 */
public final class Rounds {
    private static final int MIN_ASKED = 3;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Random random;
    private @Nullable Asked last;
    private long urgentPeriodNanos;

    public Rounds(Random random) {
        this.random = random;
    }

    /**
     * Returns whom to ask now.
     *
     * @param isUrgent whether this member is not confirmed: the next rounds follow fast, and then slower and slower
     */
    public synchronized <M> List<M> due(List<M> others, boolean isUrgent, Asked now) {
        boolean hasListOfLast = last != null && last.listHash() == now.listHash();
        if (!isUrgent || !hasListOfLast) {
            urgentPeriodNanos = MIN_PERIOD_NANOS;
        }
        long periodNanos = isUrgent ? urgentPeriodNanos : PERIOD_NANOS;
        if (last != null && hasListOfLast && now.nanos() - last.nanos() < periodNanos) {
            return List.of();
        }
        last = now;
        urgentPeriodNanos = Math.min(2 * urgentPeriodNanos, PERIOD_NANOS);
        List<M> shuffled = new ArrayList<>(others);
        Collections.shuffle(shuffled, random);
        int logarithm = Integer.SIZE - Integer.numberOfLeadingZeros(others.size());
        return shuffled.subList(0, Math.min(others.size(), Math.max(MIN_ASKED, logarithm)));
    }
}
