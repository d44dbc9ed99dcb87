// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Tests sequencers that replace another generator. */
final class Successor {
    /** The epoch in docs/migration/README.md. */
    static final SnowcastEpoch NEW_EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private static final Pattern EPOCH_THAT_DOES = Pattern.compile("an epoch up to (\\S+Z)");
    private static final int IDS = 10_000;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Function<SequencerConfig, SnowcastSequencer> creation;

    Successor(Function<SequencerConfig, SnowcastSequencer> creation) {
        this.creation = creation;
    }

    /** Returns a successor without a cluster. It has the lowest node ID, and so the lowest IDs of each millisecond. */
    static Successor standalone() {
        return new Successor(config -> SnowcastSystem.standaloneSequencer(config, 0));
    }

    /** Requires that new IDs with the page's epoch and layout are above the old IDs, compared as signed numbers. */
    void goesOnAbove(List<Long> old, Page page) throws InterruptedException {
        goesOnAbove(old, page.epoch(), page.layout());
    }

    void goesOnAbove(List<Long> old, SnowcastEpoch epoch, SnowcastLayout layout) throws InterruptedException {
        requireAbove(highest(old), "orders", epoch, layout);
    }

    /**
     * Requires that a new epoch is rejected, and that IDs with the epoch that the message names are above the old ones.
     */
    void isRefusedWithANewEpoch(List<Long> old, SnowcastLayout layout) throws InterruptedException {
        requireRefused(old, NEW_EPOCH, layout);
    }

    void requireRefused(List<Long> old, SnowcastEpoch epoch, SnowcastLayout layout) throws InterruptedException {
        long highest = highest(old);
        SnowcastIllegalStateException refusal = catchThrowableOfType(
                SnowcastIllegalStateException.class, () -> create("refused", epoch, layout, highest));
        assertThat(refusal).hasMessageContaining(Long.toUnsignedString(highest));
        Matcher named = EPOCH_THAT_DOES.matcher(String.valueOf(refusal.getMessage()));
        assertThat(named.find()).as(refusal.getMessage()).isTrue();
        SnowcastEpoch earlier = SnowcastEpoch.byInstant(Instant.parse(named.group(1)));
        assertThat(earlier.getEpochOffset()).isLessThan(epoch.getEpochOffset());
        requireAbove(highest, "accepted", earlier, layout);
    }

    private void requireAbove(long highest, String name, SnowcastEpoch epoch, SnowcastLayout layout)
            throws InterruptedException {
        assertThat(LongStream.of(create(name, epoch, layout, highest).next(IDS)))
                .allMatch(id -> id > highest);
    }

    private SnowcastSequencer create(String name, SnowcastEpoch epoch, SnowcastLayout layout, long highest) {
        // Use a new name each time, because a process has one standalone sequencer of a name, with one startAbove.
        return creation.apply(SequencerConfig.builder(name + NAMES.incrementAndGet())
                .epoch(epoch)
                .layout(layout)
                .startAbove(highest)
                .build());
    }

    /** Returns 10,000 IDs of another generator. */
    static List<Long> idsOf(Supplier<Long> generator) {
        return Stream.generate(generator).limit(IDS).toList();
    }

    static long highest(List<Long> ids) {
        return ids.stream().mapToLong(Long::longValue).max().orElseThrow();
    }
}
