// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Interval;
import com.noctarius.snowcast.internal.base.Log;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Warns about each attached sequencer whose layout's time is used up or ends within a year, or whose IDs turn negative
 * within a year. Repeats the warnings about once per day, with several sequencers in one message. Thread-safe.
 */
final class EndsOfTime {
    /** How long in advance the warnings begin. */
    static final Duration WARNED_BEFORE = Duration.ofDays(365);

    private static final int MAX_NAMED = 10;
    private static final String TAKE_ANOTHER = "take another name, with a later epoch or more bits of time";

    private final Clock clock;
    private final Log log;
    private volatile boolean isDueSoon;
    private final Interval look;
    private final Interval day;
    /** Guarded by the monitor. */
    private final Set<SnowcastSequencer> warnedToday = Collections.newSetFromMap(new WeakHashMap<>());

    EndsOfTime(Clock clock, Log log) {
        this.clock = clock;
        this.log = log;
        this.look = new Interval(clock, Duration.ofMinutes(1));
        this.day = new Interval(clock, Duration.ofDays(1));
    }

    /** A sequencer, and when its timestamps or its positive IDs end. */
    private record End(SnowcastSequencer sequencer, Instant at) {
        @Override
        public String toString() {
            return sequencer.getSequencerName() + " (layout " + sequencer.layout() + ") at " + at;
        }
    }

    /** Makes the next {@link #warn} check the sequencers, even if no check is due. */
    void lookSoon() {
        isDueSoon = true;
    }

    /**
     * Warns about each sequencer that needs a warning and had none today. Checks the sequencers only at the first call,
     * after {@link #lookSoon}, and when about a minute has passed since the last check.
     */
    synchronized void warn(Supplier<? extends Collection<? extends SnowcastSequencer>> sequencers) {
        if (!look.beginIfOver() && !isDueSoon) {
            return;
        }
        isDueSoon = false;
        if (day.beginIfOver()) {
            warnedToday.clear();
        }
        Instant now = Instant.ofEpochMilli(clock.medianMillis());
        List<? extends SnowcastSequencer> attached = sequencers.get().stream()
                .filter(each -> each.getSequencerState() == SnowcastSequenceState.Attached)
                .filter(each -> !warnedToday.contains(each))
                .toList();
        List<End> ends = within(attached, now, each -> Stream.of(each.layout().endOfTime(each.epoch())));
        List<End> used = ends.stream().filter(end -> !end.at.isAfter(now)).toList();
        List<End> open = ends.stream().filter(end -> end.at.isAfter(now)).toList();
        List<End> signs = within(
                attached,
                now,
                each -> each.layout().turnsNegative(each.epoch()).stream().filter(now::isBefore));
        warn("The time of these sequencers is used up, and they issue no IDs", used, TAKE_ANOTHER);
        warn("The time of these sequencers ends, and then they issue no IDs", open, TAKE_ANOTHER);
        warn(
                "The IDs of these sequencers turn negative, so that signed numbers and columns sort new IDs before old ones",
                signs,
                "compare them unsigned, or take another name, with a later epoch or a layout of 63 bits");
    }

    private static List<End> within(
            List<? extends SnowcastSequencer> sequencers,
            Instant now,
            Function<SnowcastSequencer, Stream<Instant>> endOf) {
        return sequencers.stream()
                .flatMap(each -> endOf.apply(each).map(at -> new End(each, at)))
                .filter(end -> end.at.isBefore(now.plus(WARNED_BEFORE)))
                .sorted(Comparator.comparing(End::at))
                .toList();
    }

    private void warn(String what, List<End> ends, String wayOut) {
        if (ends.isEmpty()) {
            return;
        }
        ends.forEach(end -> warnedToday.add(end.sequencer));
        String named = ends.stream().limit(MAX_NAMED).map(End::toString).collect(Collectors.joining(", "));
        String more = ends.size() > MAX_NAMED ? ", and " + (ends.size() - MAX_NAMED) + " more" : "";
        log.warning(what + ": " + named + more + "; " + wayOut, null);
    }
}
